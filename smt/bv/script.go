package bv

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrLimit is the error of a Check that was not decided within the limit.
var ErrLimit = errors.New("not decided within the limit of conflicts")

// Solver decides conjunctions of Bool terms of one Builder. It is used by one goroutine
// at a time.
type Solver interface {
	// Assert adds a conjunct for good.
	Assert(t *Term) error
	// Check decides the conjunction together with the assumptions; sat is meaningful
	// where err is nil. An error gives the reason where the solver does not know
	// (timeout, interruption).
	Check(assumptions ...*Term) (sat bool, err error)
	// Limit bounds the work of each Check from now on, the same on every machine: the
	// conflicts it may run into, 0: any number. A Check that needs more ends with
	// ErrLimit.
	Limit(conflicts uint)
	// Work is how much the solver has done so far, in units that are the same on every
	// machine: some ten million a second.
	Work() uint64
	// Value evaluates a term of at most 64 bits in the model of the last Check, which
	// must have been satisfiable; a Bool is 0 or 1.
	Value(t *Term) (uint64, error)
	// Reset forgets all that was asserted, and what was learned from it. Questions that
	// have little in common are answered faster without each other's formulas.
	Reset() error
	// Interrupt makes a running Check end soon; it may be called from any goroutine.
	Interrupt()
	// Close frees the solver.
	Close()
}

var names = map[Op]string{OpTrue: "true", OpFalse: "false", OpNot: "not", OpAnd: "and", OpOr: "or", OpIte: "ite", OpEq: "=",
	OpAdd: "bvadd", OpMul: "bvmul", OpUDiv: "bvudiv", OpURem: "bvurem", OpSDiv: "bvsdiv", OpSRem: "bvsrem", OpBAnd: "bvand",
	OpBOr: "bvor", OpBXor: "bvxor", OpBNot: "bvnot", OpNeg: "bvneg", OpShl: "bvshl", OpLShr: "bvlshr", OpAShr: "bvashr",
	OpConcat: "concat", OpULt: "bvult", OpULe: "bvule", OpSLt: "bvslt", OpSLe: "bvsle"}

// Script writes a SMT-LIB 2 script (logic QF_BV) that asks whether all the terms can hold
// at once. Shared terms are defined once. header is written as comments.
func Script(w io.Writer, header string, terms ...*Term) error {
	out := bufio.NewWriter(w)
	for _, l := range strings.Split(strings.TrimSpace(header), "\n") {
		fmt.Fprintf(out, "; %s\n", l)
	}
	fmt.Fprintln(out, "(set-logic QF_BV)")
	done := map[*Term]bool{}
	for _, t := range terms {
		define(out, t, done)
		fmt.Fprintf(out, "(assert %s)\n", ref(t))
	}
	fmt.Fprintln(out, "(check-sat)")
	return out.Flush()
}

// define writes the declarations and definitions that t needs, arguments first, with a
// stack of its own: terms are deep.
func define(out io.Writer, t *Term, done map[*Term]bool) {
	stack := []*Term{t}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		if done[top] {
			stack = stack[:len(stack)-1]
			continue
		}
		n := len(stack)
		for _, a := range top.Args {
			if !done[a] {
				stack = append(stack, a)
			}
		}
		if len(stack) > n {
			continue
		}
		stack = stack[:n-1]
		done[top] = true
		switch {
		case top.Op == OpVar:
			fmt.Fprintf(out, "(declare-const %s %s)\n", ref(top), sort(top))
		case len(top.Args) > 0:
			fmt.Fprintf(out, "(define-fun %s () %s %s)\n", ref(top), sort(top), body(top))
		}
	}
}

func sort(t *Term) string {
	if t.Width == 0 {
		return "Bool"
	}
	return fmt.Sprintf("(_ BitVec %d)", t.Width)
}

func ref(t *Term) string {
	switch t.Op {
	case OpVar:
		return "|" + t.Name + "|"
	case OpTrue, OpFalse:
		return names[t.Op]
	case OpNum:
		return fmt.Sprintf("(_ bv%d %d)", t.Val, t.Width)
	}
	return fmt.Sprintf("t%d", t.id)
}

func body(t *Term) string {
	var s strings.Builder
	switch t.Op {
	case OpExtract:
		fmt.Fprintf(&s, "((_ extract %d %d)", t.Val>>16, t.Val&0xffff)
	case OpZExt:
		fmt.Fprintf(&s, "((_ zero_extend %d)", t.Width-t.Args[0].Width)
	case OpSExt:
		fmt.Fprintf(&s, "((_ sign_extend %d)", t.Width-t.Args[0].Width)
	default:
		s.WriteString("(" + names[t.Op])
	}
	for _, a := range t.Args {
		s.WriteString(" " + ref(a))
	}
	return s.String() + ")"
}
