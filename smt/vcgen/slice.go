package vcgen

import "whoop/smt"

// axiom is a fact that defines or bounds its subject. It only matters where the subject
// occurs.
type axiom struct {
	subject *smt.Term
	fact    *smt.Term
}

// slice keeps the axioms in the cone of influence of the roots: those whose subject the
// roots, or an axiom that is kept, mention.
func slice(axioms []axiom, roots []*smt.Term) []*smt.Term {
	bySubject := map[*smt.Term][]int{}
	for i, a := range axioms {
		bySubject[a.subject] = append(bySubject[a.subject], i)
	}
	keep := make([]bool, len(axioms))
	seen := map[*smt.Term]bool{}
	work := append([]*smt.Term{}, roots...)
	for len(work) > 0 {
		t := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[t] {
			continue
		}
		seen[t] = true
		work = append(work, t.Args...)
		for _, i := range bySubject[t] {
			keep[i] = true
			work = append(work, axioms[i].fact)
		}
	}
	var out []*smt.Term
	for i, a := range axioms {
		if keep[i] {
			out = append(out, a.fact)
		}
	}
	return out
}
