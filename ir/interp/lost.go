package interp

import "slices"

// Lost names the heap objects that the program has neither freed nor keeps a pointer to
// in a global, or in what globals lead to, where main is about to return: its variables
// are gone then. sure is false where other threads have not ended: they may hold
// pointers, and where code not seen wrote to memory.
func (s *State) Lost() (names []string, sure bool) {
	sure = true
	for _, th := range s.threads {
		sure = sure && (th.id == 0 || th.done)
	}
	seen := map[ObjID]bool{}
	var list []ObjID
	reach := func(id ObjID) {
		if o := s.object(id); o != nil && !o.dead && !seen[id] {
			seen[id] = true
			list = append(list, id)
		}
	}
	var heap []*object
	for _, pg := range s.pages {
		for _, o := range pg.objs {
			switch {
			case o == nil || o.dead:
			case o.kind == HeapObj:
				heap = append(heap, o)
			case o.kind != StackObj:
				reach(o.id)
			}
		}
	}
	for k := 0; k < len(list); k++ {
		o := s.object(list[k])
		sure = sure && !slices.Contains(o.mark, anything)
		if s.p.IR.NarrowPointers {
			for i := 0; i+4 <= len(o.data); i++ {
				reach(ObjID(unpack(uint32(loadBytes(o.data[i:i+4]))) >> 32))
			}
			continue
		}
		for i := 0; i+8 <= len(o.data); i++ { // packed structs have pointers anywhere
			reach(ObjID(loadBytes(o.data[i:i+8]) >> 32))
		}
	}
	for _, o := range heap {
		if !seen[o.id] && o.site != nil && o.site.Name == "" {
			names = append(names, s.describe(o))
		}
	}
	return names, sure
}
