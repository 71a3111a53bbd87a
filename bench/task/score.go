package task

import "fmt"

// Class is how a verdict relates to the expected one.
type Class uint8

// The classes of verdicts.
const (
	Undecided    Class = iota // no answer, or one about another property
	CorrectTrue               // TRUE, as expected
	CorrectFalse              // FALSE, as expected
	WrongTrue                 // TRUE where FALSE is expected: a bug missed
	WrongFalse                // FALSE where TRUE is expected: a false alarm
	Missing                   // an answer where no verdict is expected: neither right nor wrong
)

// Classes are all classes, in the order tables have them.
func Classes() []Class {
	return []Class{CorrectTrue, CorrectFalse, Undecided, WrongTrue, WrongFalse, Missing}
}

// String is the class in words: "correct true", …; Undecided is "unknown", Missing "no
// expectation".
func (c Class) String() string {
	switch c {
	case CorrectTrue:
		return "correct true"
	case CorrectFalse:
		return "correct false"
	case WrongTrue:
		return "wrong true"
	case WrongFalse:
		return "wrong false"
	case Missing:
		return "no expectation"
	}
	return "unknown"
}

// MarshalText writes what String does.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (c *Class) UnmarshalText(text []byte) error {
	for _, k := range Classes() {
		if string(text) == k.String() {
			*c = k
			return nil
		}
	}
	return fmt.Errorf("class %q: want correct true, correct false, unknown, wrong true, wrong false or no expectation", text)
}

// Correct reports whether the answer is right.
func (c Class) Correct() bool { return c == CorrectTrue || c == CorrectFalse }

// Wrong reports whether the answer is wrong.
func (c Class) Wrong() bool { return c == WrongTrue || c == WrongFalse }

// Classify holds a verdict against the expected one. FALSE(x) counts as an answer only
// where x is the property or a part of it, and, where the author names the part that is
// violated, only where x is that part; as BenchExec does, an answer about something else
// is Undecided, since it neither meets nor contradicts what is expected.
func Classify(p Property, e Expected, v Verdict) Class {
	if !v.Decided() || v.Kind == False && !p.violation(v.Detail) {
		return Undecided
	}
	switch {
	case !e.Known:
		return Missing
	case v.Kind == True && e.Holds:
		return CorrectTrue
	case v.Kind == True:
		return WrongTrue
	case e.Holds:
		return WrongFalse
	case e.Sub != "" && e.Sub != p.Name && v.Detail != e.Sub:
		return Undecided
	}
	return CorrectFalse
}

// Score is what an answer is worth in SV-COMP: 2 for a correct true, 1 for a correct
// false, -32 for a wrong true, -16 for a wrong false, otherwise 0 (D. Beyer, State of the
// Art in Software Verification and Witness Validation: SV-COMP 2024, section 2, "Scoring
// Schema").
func Score(c Class) int {
	switch c {
	case CorrectTrue:
		return 2
	case CorrectFalse:
		return 1
	case WrongTrue:
		return -32
	case WrongFalse:
		return -16
	}
	return 0
}

// MaxScore is the best score a task can give: 2 where the property holds, 1 where it does
// not, 0 where nothing is expected.
func MaxScore(e Expected) int {
	switch {
	case !e.Known:
		return 0
	case e.Holds:
		return 2
	}
	return 1
}
