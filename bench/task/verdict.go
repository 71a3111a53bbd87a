package task

import (
	"fmt"
	"strings"
)

// Kind says what sort of answer a verdict is.
type Kind uint8

// The kinds of verdicts.
const (
	Unknown     Kind = iota // the tool says that it does not know
	True                    // the property holds
	False                   // the property does not hold
	Timeout                 // a limit of time was reached
	OutOfMemory             // the limit of memory was reached
	Error                   // the tool failed, or gave no answer that can be read
)

// String is the word that begins a verdict of this kind.
func (k Kind) String() string {
	switch k {
	case True:
		return "TRUE"
	case False:
		return "FALSE"
	case Timeout:
		return "TIMEOUT"
	case OutOfMemory:
		return "OUT OF MEMORY"
	case Error:
		return "ERROR"
	}
	return "UNKNOWN"
}

// Verdict is an answer about a task. Its text is TRUE, FALSE(property), UNKNOWN(reason),
// TIMEOUT, OUT OF MEMORY or ERROR(what), the parentheses left out where there is no
// detail.
type Verdict struct {
	Kind   Kind
	Detail string // the property that is violated, the reason, or what failed; one line
}

// String is the verdict's text.
func (v Verdict) String() string {
	if v.Detail == "" {
		return v.Kind.String()
	}
	return v.Kind.String() + "(" + v.Detail + ")"
}

// Decided reports whether the answer is TRUE or FALSE.
func (v Verdict) Decided() bool { return v.Kind == True || v.Kind == False }

// MarshalText writes the verdict's text.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads the verdict's text.
func (v *Verdict) UnmarshalText(text []byte) error {
	parsed, err := ParseVerdict(string(text))
	if err == nil {
		*v = parsed
	}
	return err
}

// ParseVerdict reads the text of a verdict, in capitals or, as BenchExec has it, not:
// false(no-data-race).
func ParseVerdict(s string) (Verdict, error) {
	s = strings.TrimSpace(s)
	word, detail := s, ""
	if i := strings.IndexByte(s, '('); i >= 0 {
		inner, ok := strings.CutSuffix(s[i+1:], ")")
		if !ok {
			return Verdict{}, fmt.Errorf("verdict %q: a parenthesis is not closed", s)
		}
		word, detail = strings.TrimSpace(s[:i]), inner
	}
	if strings.ContainsAny(detail, "\r\n") {
		return Verdict{}, fmt.Errorf("verdict %q: more than one line", s)
	}
	for k := Unknown; k <= Error; k++ {
		if strings.EqualFold(word, k.String()) {
			return Verdict{Kind: k, Detail: detail}, nil
		}
	}
	return Verdict{}, fmt.Errorf("verdict %q: want TRUE, FALSE(property), UNKNOWN(reason), TIMEOUT, OUT OF MEMORY or ERROR(what)", s)
}

// Expected is the verdict a task's author gives.
type Expected struct {
	Known bool   // false where the author gives none
	Holds bool   // whether the property holds
	Sub   string // the part of the property that is violated, where the author says so
}

// String is true, false, false(part), or "" where no verdict is known.
func (e Expected) String() string {
	switch {
	case !e.Known:
		return ""
	case e.Holds:
		return "true"
	case e.Sub != "":
		return "false(" + e.Sub + ")"
	}
	return "false"
}

// MarshalText writes what String does.
func (e Expected) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (e *Expected) UnmarshalText(text []byte) error {
	s := string(text)
	sub, ok := strings.CutPrefix(s, "false(")
	part, closed := strings.CutSuffix(sub, ")")
	switch {
	case s == "":
		*e = Expected{}
	case s == "true":
		*e = Expected{Known: true, Holds: true}
	case s == "false":
		*e = Expected{Known: true}
	case ok && closed && part != "":
		*e = Expected{Known: true, Sub: part}
	default:
		return fmt.Errorf("expected verdict %q: want true, false, false(part) or nothing", s)
	}
	return nil
}
