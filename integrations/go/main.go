// Command typedid reads and writes typed ids.
//
// Usage: test <vectors.json>; new <type> <count>; standard <type> and short <type> convert standard input.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
)

type vector struct {
	Prefix, Standard, Short, Bytes string // a valid id
	Ms                             *int64
	Form, Text, Code               string // an invalid text
}

func main() {
	const usage = "expected test <vectors.json>, new <type> <count>, standard <type> or short <type>"
	check(len(os.Args) >= 3, usage)
	switch argument := os.Args[2]; os.Args[1] {
	case "test":
		test(argument)
	case "new":
		check(len(os.Args) > 3, usage)
		n, err := strconv.Atoi(os.Args[3])
		for check(err == nil, err); n > 0; n-- {
			id, err := New(argument)
			check(err == nil, err)
			fmt.Println(id)
		}
	case "standard", "short":
		lines := bufio.NewScanner(os.Stdin)
		for lines.Scan() {
			form := map[bool]string{true: "short", false: "standard"}[strings.Contains(lines.Text(), "_")]
			id, err := Parse(argument, form, lines.Text())
			check(err == nil, err)
			fmt.Println(map[string]string{"standard": id.String(), "short": id.Short()}[os.Args[1]])
		}
		check(lines.Err() == nil, lines.Err()) // a line of 64 kB or more
	default:
		check(false, usage)
	}
}

func test(path string) {
	data, err := os.ReadFile(path)
	check(err == nil, err)
	var vectors struct{ Valid, Invalid []vector }
	check(json.Unmarshal(data, &vectors) == nil, path)
	for _, v := range vectors.Valid {
		standard, err := Parse(v.Prefix, "standard", v.Standard)
		check(err == nil && standard.String() == v.Standard && hex.EncodeToString(standard.UUID[:]) == v.Bytes, v)
		short, err := Parse(v.Prefix, "short", v.Short)
		check(err == nil && short == standard && short.Short() == v.Short, v)
		ms, ok := standard.Time()
		check(ok == (v.Ms != nil) && (!ok || ms == *v.Ms), v)
	}
	for _, v := range vectors.Invalid {
		_, err := Parse(v.Prefix, v.Form, v.Text)
		var wrong *Error
		check(errors.As(err, &wrong) && wrong.Code == v.Code, v)
	}
	fmt.Println(len(vectors.Valid)+len(vectors.Invalid), "vectors passed")
}

func check(ok bool, value any) {
	if !ok {
		log.Fatalf("%v", value)
	}
}
