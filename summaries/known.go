package summaries

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"slices"

	"whoop/smt"
	"whoop/smt/vcgen"
)

// Answers of earlier runs. What one turn drops is a fact about a formula: of a
// verification condition, under those of its assumptions that are believed, some
// obligations can be violated, and the others cannot. The set is the greatest one that is
// consistent, so it does not depend on which models the solver found, in which order, or
// what the program was that the formula came from. So it is kept by the content of the
// formula alone, whatever names its constants have, and a change elsewhere in the program
// that leaves the formula as it is leaves the answer, too.
//
// A turn in which the solver gave up is not kept: another run may have more time.

// Key names a question by its content.
type Key [sha256.Size]byte

// Known has the answers of earlier runs: the obligations, by their positions, that are
// dropped. Several goroutines use it.
type Known interface {
	Dropped(k Key) (dropped []int, ok bool)
	Note(k Key, dropped []int)
}

// remembered is the answer of an earlier run to a turn of p; key is that of the question.
func (h *houdini) remembered(p *state) (key Key, dropped []int, ok bool) {
	if h.known == nil {
		return Key{}, nil, false
	}
	key = h.question(p)
	at, ok := h.known.Dropped(key)
	if !ok {
		return key, nil, false
	}
	for _, i := range at {
		if i < 0 || i >= len(p.VC.Obligations) {
			return key, nil, false
		}
	}
	for _, i := range at {
		if id := p.VC.Obligations[i].ID; h.res.Holds[id] {
			h.res.Holds[id] = false
			h.res.Dropped++
			dropped = append(dropped, id)
		}
	}
	h.res.Remembered++
	return key, dropped, true
}

// note keeps the answer to a question.
func (h *houdini) note(p *state, key Key, dropped []int) {
	if h.known == nil {
		return
	}
	at := []int{}
	for _, id := range dropped {
		if _, gaveUp := h.res.Undecided[id]; gaveUp {
			return
		}
		i := slices.IndexFunc(p.VC.Obligations, func(o vcgen.Obligation) bool { return o.ID == id })
		if i < 0 {
			return
		}
		at = append(at, i)
	}
	h.known.Note(key, at)
}

// question is the key of a turn of p: its condition, what is believed of what it assumes,
// and which obligations are left.
func (h *houdini) question(p *state) Key {
	if p.content == nil {
		p.content = contentOf(p.VC)
	}
	text := slices.Clone(p.content)
	for _, id := range p.VC.Assumed {
		text = append(text, bit(h.res.Holds[id]))
	}
	for _, o := range p.VC.Obligations {
		text = append(text, bit(h.res.Holds[o.ID]))
	}
	return sha256.Sum256(text)
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// contentOf tells verification conditions apart, but not those that differ in the names of
// constants, functions and candidates alone.
func contentOf(vc *vcgen.VC) []byte {
	w := &content{h: sha256.New(), at: map[*smt.Term]uint64{}, names: map[name]uint64{}}
	w.count(len(vc.Axioms))
	for _, a := range vc.Axioms {
		w.term(a)
	}
	w.count(len(vc.Obligations))
	first := map[int]int{}
	for i, o := range vc.Obligations {
		if _, seen := first[o.ID]; !seen {
			first[o.ID] = i
		}
		w.count(first[o.ID])
		w.term(o.Violated)
	}
	w.count(len(vc.Assumed))
	for _, id := range vc.Assumed {
		i, mine := first[id]
		if !mine {
			i = len(vc.Obligations)
		}
		w.count(i)
		w.number(w.named(name{vcgen.GuardName(id), smt.OpVar, smt.Bool}))
	}
	return w.h.Sum(nil)
}

// content writes terms: each once, with its arguments before it, and by its number after
// that. Symbols have numbers in the order in which they turn up.
type content struct {
	h     hash.Hash
	at    map[*smt.Term]uint64
	names map[name]uint64
	buf   []byte
}

// name is a symbol: the same text as a constant and as a function are two, and so it is
// with the sorts.
type name struct {
	text string
	op   smt.Op
	sort smt.Sort
}

func (w *content) number(n uint64) {
	w.buf = binary.AppendUvarint(w.buf[:0], n)
	w.h.Write(w.buf)
}

func (w *content) count(n int) { w.number(uint64(n)) }

func (w *content) named(x name) uint64 {
	n, seen := w.names[x]
	if !seen {
		n = uint64(len(w.names))
		w.names[x] = n
	}
	return n
}

// term writes a term, with a stack of its own: chains of them are deep.
func (w *content) term(t *smt.Term) {
	type frame struct {
		t    *smt.Term
		next int
	}
	stack := []frame{{t, 0}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if _, seen := w.at[top.t]; seen {
			stack = stack[:len(stack)-1]
			continue
		}
		if top.next < len(top.t.Args) {
			top.next++
			stack = append(stack, frame{top.t.Args[top.next-1], 0})
			continue
		}
		w.node(top.t)
		stack = stack[:len(stack)-1]
	}
	w.number(w.at[t])
}

// node writes a term whose arguments are written.
func (w *content) node(t *smt.Term) {
	b := binary.AppendUvarint(w.buf[:0], uint64(t.Op))
	b = binary.AppendUvarint(b, uint64(t.Sort))
	switch t.Op {
	case smt.OpVar, smt.OpApp:
		b = binary.AppendUvarint(b, w.named(name{t.Name, t.Op, t.Sort}))
	case smt.OpNum:
		val := t.Val.Text(16)
		b = append(binary.AppendUvarint(b, uint64(len(val))), val...)
	}
	b = binary.AppendUvarint(b, uint64(len(t.Args)))
	for _, a := range t.Args {
		b = binary.AppendUvarint(b, w.at[a])
	}
	w.h.Write(b)
	w.buf = b
	w.at[t] = uint64(len(w.at))
}
