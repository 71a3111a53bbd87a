package dpor

import "whoop/ir/vm"

// ReadsFrom identifies the current execution up to which writes each event reads from:
// the order of two writes that nobody tells apart makes no difference (Chalupa,
// Chatterjee, Pavlogiannis, Sinha, Vaidya: Data-centric dynamic partial order reduction,
// POPL 2018). A lock or another synchronisation object is read and written by each
// operation on it.
func (s *Search) ReadsFrom() uint64 {
	sum := uint64(0)
	for i := range s.events {
		e := &s.events[i]
		h := scrambled(uint64(e.thread)<<32 | uint64(uint32(e.index)))
		for _, a := range s.Answers(i) {
			h = scrambled(h ^ (a.Value + 1))
		}
		for k := int(e.ops); k < int(e.ops)+len(s.eventOps(i)); k++ {
			if o := s.raw[k]; !blind(o) {
				h = s.readFrom(h, k, o)
			}
		}
		sum += h
	}
	return sum
}

// readFrom adds to a hash which events have written what operation k reads.
func (s *Search) readFrom(h uint64, k int, o vm.Op) uint64 {
	left := o.Mask
	for j := s.ops[k].prev; j >= 0 && left != 0; j = s.ops[j].prev {
		p := s.raw[j]
		if p.Kind&vm.Write == 0 || p.Mask&left == 0 {
			continue
		}
		w := &s.events[s.ops[j].event]
		h = scrambled(h ^ uint64(p.Mask&left)<<56 ^ uint64(w.thread)<<32 ^ uint64(uint32(w.index)))
		left &^= p.Mask
	}
	return scrambled(h ^ uint64(left))
}

// scrambled is a hash of a word.
func scrambled(h uint64) uint64 {
	h = (h ^ h>>31) * 0x9e3779b97f4a7c15
	return (h ^ h>>29) * 0xbf58476d1ce4e5b9
}
