package summaries_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"whoop/smt"
	"whoop/smt/vcgen"
	"whoop/summaries"
)

// kept are answers in memory.
type kept map[summaries.Key][]int

func (k kept) Dropped(key summaries.Key) ([]int, bool) { at, ok := k[key]; return at, ok }

func (k kept) Note(key summaries.Key, dropped []int) { k[key] = dropped }

// random is a verification condition of a few formulas over candidates from first on,
// whose names begin with prefix; equal seeds give the same but for names.
func random(seed uint64, prefix string, first int) *summaries.Proc {
	draw := rand.New(rand.NewPCG(seed, 7))
	b := smt.NewBuilder()
	var bools []*smt.Term
	for i := range 4 {
		x := b.Var(fmt.Sprintf("%s%d", prefix, i), smt.Int)
		bools = append(bools, b.Lt(x, b.Num(draw.Int64N(5))), b.Eq(b.App(prefix+"f", x), b.Num(int64(i))))
	}
	pick := func() *smt.Term {
		t := bools[draw.IntN(len(bools))]
		if draw.IntN(2) == 0 {
			t = b.Not(t)
		}
		return t
	}
	vc := &vcgen.VC{}
	for i := range 4 {
		vc.Assumed = append(vc.Assumed, first+i)
		vc.Axioms = append(vc.Axioms, b.Implies(vcgen.Guard(b, first+i), b.Or(pick(), pick())))
	}
	for i := range 6 {
		vc.Obligations = append(vc.Obligations, vcgen.Obligation{ID: first + i, Violated: b.And(pick(), pick(), pick())})
	}
	return &summaries.Proc{Name: prefix, B: b, VC: vc}
}

// TestKnown: answers of earlier runs make no difference, are found again whatever things
// are called, and save all queries of what has not changed.
func TestKnown(t *testing.T) {
	const shift = 5
	answers, other := kept{}, 0
	for seed := range uint64(60) {
		run := func(prefix string, first int, known summaries.Known) *summaries.Result {
			ps := []*summaries.Proc{random(seed, prefix, first), random(seed+1000, prefix, first)}
			res, err := summaries.Houdini(context.Background(), ps, 10+first,
				summaries.Options{Solvers: solvers(t), Known: known})
			if err != nil {
				t.Fatal(err)
			}
			return res
		}
		plain := run("x", 0, nil)
		first, again := run("x", 0, answers), run("other", shift, answers)
		if !maps.Equal(plain.Holds, first.Holds) {
			t.Errorf("seed %d: %v with answers, %v without", seed, first.Holds, plain.Holds)
		}
		for id, holds := range plain.Holds {
			if again.Holds[id+shift] != holds {
				t.Errorf("seed %d: candidate %d: another answer under other names", seed, id)
			}
		}
		if again.Queries != 0 {
			t.Errorf("seed %d: %d queries of what is known", seed, again.Queries)
		}
		other += len(plain.Holds)
	}
	if other == 0 || len(answers) < 60 {
		t.Errorf("%d answers kept", len(answers))
	}
}
