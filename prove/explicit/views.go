package explicit

import (
	"slices"

	"whoop/ir"
)

// A base is what is known of a state beside the threads that are started in loops: what
// is shared, and the states of the other threads, sorted. All sets of at most so many
// threads that were seen together with it are its views.
type base struct {
	shared int32
	unique []int32
	views  map[string]bool
	locals []int32 // of threads in views
	has    map[int32]bool
}

// A view is a set of threads' states, sorted, with its base.
type view struct {
	base *base
	set  []int32
}

type viewer struct {
	*search
	k     int
	bases map[string]*base
	work  []view
}

// views goes over the states of the threads that are started once together with at most k
// of the others. A set of k+1 of the others is possible where all its subsets of k were
// seen.
func (s *search) views(k int) (ir.Instr, error) {
	v := &viewer{search: s, k: k, bases: map[string]*base{}}
	sh, lo := s.first()
	v.add(sh, []int32{lo}, nil)
	for len(v.work) > 0 {
		w := v.work[len(v.work)-1]
		v.work = v.work[:len(v.work)-1]
		if err := s.tick(1); err != nil {
			return nil, err
		}
		if found, err := v.races(w.base.shared, slices.Concat(w.base.unique, w.set)); found || err != nil {
			return nil, err
		}
		fails, err := v.steps(w.base, w.set, true)
		if err != nil || fails != nil {
			return fails, err
		}
		if len(w.set) < k {
			continue
		}
		some, err := v.changes(w.base.shared, w.set...)
		if err != nil {
			return nil, err
		}
		for _, z := range slices.Clone(w.base.locals) {
			if c, err := v.changes(w.base.shared, z); err != nil {
				return nil, err
			} else if !c && !some {
				continue
			}
			if set, ok := v.joined(w, z); ok {
				if fails, err := v.steps(w.base, set, false); err != nil || fails != nil {
					return fails, err
				}
			}
		}
	}
	return nil, nil
}

// add adds the views of a state.
func (v *viewer) add(sh int32, unique, many []int32) {
	slices.Sort(unique)
	k := key(append([]int32{sh}, unique...)...)
	b := v.bases[k]
	if b == nil {
		b = &base{shared: sh, unique: unique, views: map[string]bool{}, has: map[int32]bool{}}
		v.bases[k] = b
	}
	slices.Sort(many)
	v.subsets(b, many)
}

// subsets adds a set of threads with its subsets, those that are small enough.
func (v *viewer) subsets(b *base, set []int32) {
	if len(set) <= v.k {
		k := key(set...)
		if b.views[k] {
			return
		}
		b.views[k] = true
		v.work = append(v.work, view{b, set})
		for _, l := range set {
			if !b.has[l] {
				b.has[l] = true
				b.locals = append(b.locals, l)
			}
		}
	}
	for i := range set {
		if i == 0 || set[i] != set[i-1] {
			v.subsets(b, slices.Concat(set[:i], set[i+1:]))
		}
	}
}

// changes reports whether a step of one of the threads may change what is shared, or
// fails.
func (v *viewer) changes(sh int32, set ...int32) (bool, error) {
	for _, l := range set {
		steps, err := v.post(sh, l)
		if err != nil {
			return false, err
		}
		for _, st := range steps {
			if st.shared != sh || len(st.spawned) > 0 || st.fails != nil {
				return true, nil
			}
		}
	}
	return false, nil
}

// joined is a view with one more thread, where that is possible.
func (v *viewer) joined(w view, z int32) ([]int32, bool) {
	if sh := v.p.shareds.list[w.base.shared]; v.p.opt.Counted && len(w.set)+1 > sh.made-sh.over {
		return nil, false // there are not so many
	}
	for i := range w.set {
		t := slices.Concat(w.set[:i], w.set[i+1:], []int32{z})
		slices.Sort(t)
		if !w.base.views[key(t...)] {
			return nil, false
		}
	}
	set := append(slices.Clone(w.set), z)
	slices.Sort(set)
	return set, true
}

// steps lets each thread take its next step: where not all, only those of the set, and
// only steps that change what is shared.
func (v *viewer) steps(b *base, set []int32, all bool) (ir.Instr, error) {
	if all {
		for i, l := range b.unique {
			steps, err := v.post(b.shared, l)
			if err != nil {
				return nil, err
			}
			for _, st := range steps {
				if st.fails != nil {
					return st.fails, nil
				}
				v.after(st, slices.Concat(b.unique[:i], b.unique[i+1:]), set)
			}
		}
	}
	for i, l := range set {
		if i > 0 && set[i-1] == l {
			continue
		}
		steps, err := v.post(b.shared, l)
		if err != nil {
			return nil, err
		}
		for _, st := range steps {
			if st.fails != nil {
				return st.fails, nil
			}
			if all || st.shared != b.shared || len(st.spawned) > 0 {
				v.after(st, slices.Clone(b.unique), slices.Concat(set[:i], set[i+1:]))
			}
		}
	}
	return nil, nil
}

// after adds the state after a step, given the other threads.
func (v *viewer) after(st step, unique, many []int32) {
	many = slices.Clone(many)
	for _, l := range append(slices.Clone(st.spawned), st.local) {
		switch {
		case l < 0:
		case v.p.locals.list[l].thread >= 0:
			unique = append(unique, l)
		default:
			many = append(many, l)
		}
	}
	v.add(st.shared, unique, many)
}
