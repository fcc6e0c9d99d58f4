package main

import (
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"golang.org/x/crypto/argon2"
)

type team struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type role struct {
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	Description *string `json:"description"`
}

type user struct {
	ID    string `json:"id"`
	Email string `json:"email"`
	Name  string `json:"name"`
	Team  *team  `json:"team"`
	Roles []role `json:"roles"`
}

// An HTTP status and a response body.
type failure struct {
	status int
	body   any
}

func (f failure) Error() string { return http.StatusText(f.status) }

func notFound(what string) error {
	return failure{http.StatusNotFound, map[string]string{"detail": what + " not found"}}
}

func notFoundWithoutRows(err error, what string) error {
	if err == sql.ErrNoRows {
		return notFound(what)
	}
	return err
}

type issue struct {
	Type string   `json:"type"`
	Loc  []string `json:"loc"`
	Msg  string   `json:"msg"`
}

func invalid(place, field, message string) error {
	detail := []issue{{"string_pattern_mismatch", []string{place, field}, message}}
	return failure{http.StatusUnprocessableEntity, map[string]any{"detail": detail}}
}

func idPattern(prefix string) *regexp.Regexp {
	return regexp.MustCompile("^" + prefix + "-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
}

var patterns = map[string]*regexp.Regexp{
	"team_id": idPattern("team"),
	"role_id": idPattern("role"),
	"user_id": idPattern("user"),
}

func checkID(place, field, value string) error {
	pattern := patterns[field]
	if pattern == nil {
		return notFound("Route")
	}
	if pattern.MatchString(value) {
		return nil
	}
	return invalid(place, field, "Expected "+strings.TrimSuffix(field, "_id")+"-<lowercase uuid>")
}

// A UUID of version 7 after a prefix.
func newID(prefix string) string {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		panic(err)
	}
	var clock [8]byte
	binary.BigEndian.PutUint64(clock[:], uint64(time.Now().UnixMilli()))
	copy(b[:6], clock[2:])
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%s-%x-%x-%x-%x-%x", prefix, b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func hash(password string) string {
	salt := make([]byte, 16)
	if _, err := rand.Read(salt); err != nil {
		panic(err)
	}
	key := argon2.IDKey([]byte(password), salt, 2, 19456, 1, 32)
	encode := base64.RawStdEncoding.EncodeToString
	return "$argon2id$v=19$m=19456,t=2,p=1$" + encode(salt) + "$" + encode(key)
}

func readBody(r *http.Request, into any) error {
	if json.NewDecoder(http.MaxBytesReader(nil, r.Body, 1<<20)).Decode(into) != nil {
		return invalid("body", "", "Expected JSON")
	}
	return nil
}
