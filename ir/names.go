package ir

import (
	"strconv"
	"strings"
)

// reservedWords are the words that begin an expression, a type or the right side of ":=";
// a register of such a name is printed in quotes.
const reservedWords = ` void bool opaque func struct true false null fn field index cast pun select const neg not lnot
 add sub mul div rem and or xor shl shr eq ne lt le gt ge land lor load rmw cmpxchg alloc havoc call lock condwait
 semwait barrierwait spawn join _ `

func reserved(s string) bool {
	if _, ok := intType(s); ok {
		return true
	}
	return strings.Contains(strings.ReplaceAll(reservedWords, "\n", " "), " "+s+" ")
}

func identByte(c byte, first bool) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '$':
		return true
	case c >= '0' && c <= '9', c == '.':
		return !first
	}
	return false
}

func isIdent(s string) bool {
	for i := 0; i < len(s); i++ {
		if !identByte(s[i], i == 0) {
			return false
		}
	}
	return s != ""
}

// intType reads the name of an integer type.
func intType(s string) (Int, bool) {
	if len(s) < 2 || len(s) > 4 || (s[0] != 'i' && s[0] != 'u') || s[1] == '0' {
		return Int{}, false
	}
	n, err := strconv.ParseUint(s[1:], 10, 8)
	if err != nil || n < 1 || n > 128 {
		return Int{}, false
	}
	return Int{int(n), s[0] == 'i'}, true
}

// nameText prints a name where only a name can stand.
func nameText(s string) string {
	if isIdent(s) {
		return s
	}
	return Quote(s)
}

// regText prints a register where other expressions can stand, "_" for none.
func regText(r *Reg) string {
	switch {
	case r == nil:
		return "_"
	case isIdent(r.Name) && !reserved(r.Name):
		return r.Name
	}
	return Quote(r.Name)
}

func typeText(t Type) string {
	if t == nil {
		return "<nil>"
	}
	return t.String()
}

// fieldText names a member: by its name where that is unambiguous, by its index
// otherwise.
func fieldText(s *Struct, i int) string {
	if i >= 0 && i < len(s.Fields) && s.Fields[i].Name != "" && s.FieldAt(s.Fields[i].Name) == i {
		return nameText(s.Fields[i].Name)
	}
	return strconv.Itoa(i)
}

// NumberedSuffix ends the names of functions in Go programs that goroutines start in, and
// that get what they captured as arguments, too.
const NumberedSuffix = " (numbered)"

// PlainName is the name of a function without the marks of one that the Go front end puts
// around it, for what starts as a goroutine.
func PlainName(name string) string {
	return strings.TrimSuffix(strings.TrimPrefix(name, "go "), NumberedSuffix)
}
