package alias

import "whoop/ir"

// Function values of type-safe programs are objects with the code's address at one of several places at their start; the
// function gets the object as its last parameter (ir.Captured). So where the points-to sets of a call have several codes and
// several objects, each code goes with the objects that hold it.

// captured is the parameter by which a function gets the object that its address lies in, nil for functions without one.
func (s *solver) captured(f *ir.Func) *ir.Reg {
	if n := len(f.Params); s.prog.TypeSafe && n > 0 && f.Params[n-1].Name == ir.Captured {
		return f.Params[n-1]
	}
	return nil
}

// capturedCon sits at the contents of the cells that code not seen may read: the functions there are called with the object.
type capturedCon struct{ obj *object }

func (l capturedCon) fire(s *solver, c int32) {
	if c < numSpecial || s.cells[c].obj.Kind != KindFunc {
		return
	}
	if p := s.captured(s.cells[c].obj.Func); p != nil {
		s.put(s.reg(p, 0, 0), s.cellAt(l.obj, 0))
	}
}

// envCon sits at the node of the function value that an indirect call passes to f: f gets the objects that hold it.
type envCon struct {
	f     *ir.Func
	param int32
}

func (l envCon) fire(s *solver, c int32) {
	if c < numSpecial || s.cells[c].any || s.cells[c].off != 0 {
		s.put(l.param, c)
		return
	}
	codes := codePlaces(s.cells[c].obj)
	if codes == nil {
		s.put(l.param, c)
		return
	}
	for _, off := range codes {
		s.on(s.content(s.cellAt(s.cells[c].obj, off)), holdsCon{l, c})
	}
}

// holdsCon sits at the content of a function value's cells: where the function arrives, it may get the function value.
type holdsCon struct {
	env  envCon
	self int32
}

func (l holdsCon) fire(s *solver, c int32) {
	if c >= numSpecial && s.cells[c].obj.Func != l.env.f {
		return
	}
	if c == cellNull || c == cellInt {
		return
	}
	s.put(l.env.param, l.self)
}

// codePlaces lists the offsets at the start of an object where its type says that functions lie; nil where it does not
// say so, or code not seen made the object.
func codePlaces(o *object) []int64 {
	if o.raw || o.Kind == KindExtern {
		return nil
	}
	t, ok := o.Type.(*ir.Struct)
	for ok && len(t.Fields) > 0 {
		if inner, isStruct := t.Fields[0].Type.(*ir.Struct); isStruct {
			t = inner
			continue
		}
		break
	}
	if !ok {
		return nil
	}
	var out []int64
	for _, f := range t.Fields {
		if p, isPtr := f.Type.(ir.Ptr); isPtr {
			if _, isFunc := p.Elem.(ir.FuncType); isFunc {
				out = append(out, f.Offset)
			}
		}
	}
	return out
}
