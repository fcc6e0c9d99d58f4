package main

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// ID is a typed id: a prefix and the 128 bits of a UUID.
type ID struct {
	Prefix string
	UUID   [16]byte
}

// Error reports a string that is not an id of the expected type and form. Code is the error code of the npm package.
type Error struct{ Code, Expected, Received string }

func (e *Error) Error() string {
	return fmt.Sprintf("%s: expected %s, received %.80q", e.Code, e.Expected, e.Received)
}

var (
	crockford = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz")
	prefixes  = regexp.MustCompile(`^[a-zA-Z0-9]{1,63}$`)
	pattern   = regexp.MustCompile(`^([a-zA-Z0-9]{1,63})(?:` +
		`-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|_([0-7][0-9a-hjkmnp-tv-z]{25}))$`)
)

// String returns the standard form: user-0190163d-8694-739b-aea5-966c26f8ad91.
func (id ID) String() string {
	u := id.UUID
	return fmt.Sprintf("%s-%x-%x-%x-%x-%x", id.Prefix, u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// Short returns the short form: user_01j0b3v1mmeedtx9cpdgkfhbch. 4 zero bytes and the UUID make 32 digits.
func (id ID) Short() string {
	return id.Prefix + "_" + crockford.EncodeToString(append(make([]byte, 4), id.UUID[:]...))[6:]
}

// Parse returns the id in a string, or an *Error. The form is "standard" or "short".
func Parse(prefix, form, text string) (ID, error) {
	match := pattern.FindStringSubmatch(text)
	switch {
	case match != nil && match[1] != prefix:
		return ID{}, &Error{"wrong_type", prefix, text}
	case match != nil && form == "standard" && match[2] != "":
		uuid, err := hex.DecodeString(strings.ReplaceAll(match[2], "-", ""))
		return ID{prefix, *(*[16]byte)(uuid)}, err
	case match != nil && form == "short" && match[3] != "":
		bytes, err := crockford.DecodeString("000000" + match[3])
		return ID{prefix, *(*[16]byte)(bytes[4:])}, err
	}
	return ID{}, &Error{"malformed_" + form, prefix + " in the " + form + " form", text}
}

// New returns an id of version 7: milliseconds, 12 bits of their fraction, 62 random bits (RFC 9562, section 6.2). It returns
// an *Error for an invalid prefix.
func New(prefix string) (ID, error) {
	if !prefixes.MatchString(prefix) {
		return ID{}, &Error{"invalid_prefix", prefixes.String(), prefix}
	}
	id, now := ID{Prefix: prefix}, time.Now()
	fraction := uint64(now.Nanosecond()) % 1e6 << 12 / 1e6 // an int may have 32 bits
	binary.BigEndian.PutUint64(id.UUID[:], uint64(now.UnixMilli())<<16|7<<12|fraction)
	_, err := rand.Read(id.UUID[8:])
	id.UUID[8] = id.UUID[8]&0x3f | 0x80
	return id, err
}

// Time returns the milliseconds since 1970 in an id of version 7. For every other id, ok is false.
func (id ID) Time() (ms int64, ok bool) {
	start := binary.BigEndian.Uint64(id.UUID[:])
	return int64(start >> 16), start>>12&15 == 7 && id.UUID[8]>>6 == 2
}
