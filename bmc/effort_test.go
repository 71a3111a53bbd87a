package bmc

import (
	"context"
	"errors"
	"testing"

	"whoop/smt/bv"
	"whoop/smt/z3"
)

// hard is a query whose question takes a solver some seconds: a product of two numbers
// that is a prime.
func hard(t *testing.T, opt Options) (*query, *bv.Term) {
	t.Helper()
	b := bv.NewBuilder()
	x, y := b.Var("x", 48), b.Var("y", 48)
	small := b.And(b.ULt(b.Num(48, 1), x), b.ULt(b.Num(48, 1), y), b.ULt(x, b.Num(48, 1<<24)), b.ULt(y, b.Num(48, 1<<24)))
	q := &query{c: &checker{ctx: context.Background(), opt: opt, res: &Result{}}, e: &encoding{b: b}}
	q.spent = new(uint64)
	s, err := z3.NewBits(z3.BitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	q.s = s
	v := b.Var("q", 0)
	if err := s.Assert(b.Implies(v, b.And(small, b.Eq(b.Mul(x, y), b.Num(48, 140_737_488_355_213))))); err != nil {
		t.Fatal(err)
	}
	return q, v
}

// TestEffort: a question ends when it has had its work, its conflicts, or when a rival
// has the answer; and what was spent is counted.
func TestEffort(t *testing.T) {
	q, v := hard(t, Options{})
	q.until = 1_000_000
	if _, err := q.check([]*bv.Term{v}); !errors.Is(err, bv.ErrLimit) {
		t.Errorf("work: %v", err)
	}
	if *q.spent < q.until || *q.spent > 40*q.until {
		t.Errorf("%d was spent, of %d", *q.spent, q.until)
	}

	q, v = hard(t, Options{MaxConflicts: 400})
	if _, err := q.check([]*bv.Term{v}); !errors.Is(err, bv.ErrLimit) {
		t.Errorf("conflicts: %v", err)
	}

	q, v = hard(t, Options{MaxConflicts: 400})
	asked := 0
	q.rival = func() (bool, error) { asked++; return false, nil }
	if _, err := q.check([]*bv.Term{v}); !errors.Is(err, bv.ErrLimit) || asked != 1 {
		t.Errorf("conflicts, with a rival that was asked %d times: %v", asked, err)
	}

	q, v = hard(t, Options{})
	asked = 0
	q.rival = func() (bool, error) { asked++; return asked == 3, nil }
	if _, err := q.check([]*bv.Term{v}); !errors.Is(err, errSettled) || asked != 3 {
		t.Errorf("a rival that was asked %d times: %v", asked, err)
	}
}
