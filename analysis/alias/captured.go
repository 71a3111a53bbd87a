package alias

import "whoop/ir"

// Function values of type-safe programs are objects with the code's address at one of
// several places at their start; the function gets the object as its last parameter
// (ir.Captured). So where the points-to sets of a call have several codes and several
// objects, each code goes with the objects that hold it.

// captured is the parameter by which a function gets the object that its address lies in,
// nil for functions without one.
func (s *solver) captured(f *ir.Func) *ir.Reg {
	if n := len(f.Params); s.prog.TypeSafe && n > 0 && f.Params[n-1].Name == ir.Captured {
		return f.Params[n-1]
	}
	return nil
}

// capturedCon sits at the contents of the cells that code not seen may read: the
// functions there are called with the object.
type capturedCon struct{ obj *object }

func (l capturedCon) fire(s *solver, c int32) {
	if c < numSpecial || s.cells[c].obj.Kind != KindFunc {
		return
	}
	if p := s.captured(s.cells[c].obj.Func); p != nil {
		s.put(s.reg(p, 0, 0), s.cellAt(l.obj, 0))
	}
}

// envCon sits at the node of the function value that an indirect call passes to f: f gets
// the objects that hold it.
type envCon struct {
	f     *ir.Func
	param int32
}

func (l envCon) fire(s *solver, c int32) {
	if c < numSpecial || s.cells[c].any || s.cells[c].off != 0 {
		s.put(l.param, c)
		return
	}
	e := s.envOf(s.cells[c].obj)
	if e.any || e.has[l.f] {
		s.put(l.param, c)
		return
	}
	if e.waits[l.f] == nil {
		e.asked = append(e.asked, l.f)
	}
	e.waits[l.f] = append(e.waits[l.f], l.param)
}

// env says of an object which functions it is the value of. Calls look it up there: a
// constraint for each call, function and object would be far more.
type env struct {
	// any: it may be of each function, or what it holds is not known.
	any bool
	has map[*ir.Func]bool
	// waits are the nodes that get the object once a function turns out to lie there,
	// asked the functions there, in order.
	waits map[*ir.Func][]int32
	asked []*ir.Func
}

// envOf returns it, with constraints at where functions lie in the object on first use.
func (s *solver) envOf(o *object) *env {
	if o.env != nil {
		return o.env
	}
	codes := codePlaces(o)
	o.env = &env{any: codes == nil, has: map[*ir.Func]bool{}, waits: map[*ir.Func][]int32{}}
	for _, off := range codes {
		s.on(s.content(s.cellAt(o, off)), holdsCon{o})
	}
	return o.env
}

// holdsCon sits at the contents of a function value's cells: which functions arrive.
type holdsCon struct{ obj *object }

func (l holdsCon) fire(s *solver, c int32) {
	e := l.obj.env
	switch {
	case c == cellNull || c == cellInt || c == cellTrue:
	case c < numSpecial:
		e.any = true
		for _, f := range e.asked {
			s.arrives(l.obj, f)
		}
	case s.cells[c].obj.Func != nil:
		s.arrives(l.obj, s.cells[c].obj.Func)
	}
}

// arrives hands an object to the calls of a function that wait for it.
func (s *solver) arrives(o *object, f *ir.Func) {
	o.env.has[f] = true
	ps := o.env.waits[f]
	delete(o.env.waits, f)
	for _, p := range ps {
		s.put(p, s.cellAt(o, 0))
	}
}

// codePlaces lists the offsets at the start of an object where its type says that
// functions lie; nil where it does not say so, or code not seen made the object.
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
