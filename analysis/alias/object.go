package alias

import (
	"fmt"

	"whoop/ir"
)

// Special cells: what a pointer may be besides the address of a cell.
const (
	cellNull int32 = iota // a null pointer (or an error code): nothing is there
	// made from an integer: assumed not to be dereferenced where real cells are in the
	// set, too
	cellInt
	cellUnknown // anything
	// the same, but what code not seen hands over as a pointer to a struct where it is
	// cast to one
	cellResult
	// a number that is not zero where cells stand for several places: no address (see
	// flags.go, and number)
	cellTrue
	numSpecial
)

// anything tells whether a cell stands for all memory there is.
func anything(c int32) bool { return c == cellUnknown || c == cellResult }

// Bounds on the cells of an object at offsets its type does not explain; more fold into
// the "any" cell.
const (
	maxOdd    = 24  // objects of a known type
	maxOddRaw = 256 // others
)

// object is the inside of an Object.
type object struct {
	Object
	// raw: nothing is known of the layout; offsets are taken as they come.
	raw bool
	// punned: it is used as what its type does not say: see typed.go.
	punned bool
	// taken: places in it are taken for what its type does not say: see puns.go.
	taken bool
	// exact: it is of the size of its type, or of several of that; see effective.go.
	exact bool
	// tail: there is memory of any kind behind what its type says.
	tail bool
	// behind is what it is first taken for; mixedTail: it is taken for something else,
	// too.
	behind    place
	mixedTail bool
	// sized: the object is exactly as large as its type.
	sized bool
	// sum says of a sum which members are used; nil of others.
	sum *sum
	// env says which functions it is the value of, nil where nobody has asked, yet.
	env *env
	// private: an extern object that belongs to one call.
	private bool
	// exposed: what code not seen may use of it.
	exposed []span
	// writable: what of it code not seen may write.
	writable []span
	// lent, lentWritable: the same for code that gives back what it is given.
	lent, lentWritable []span
	guard              int8 // see guarded; 0: not known yet
	// readOnly: nothing writes it.
	readOnly bool
	ctx      int32 // of the allocation
	// past are the objects of this allocation that runs made which are over, where this
	// one stands for those of the run under way; of is the way back.
	past, of *object
	// united: of a past object, that it is the same as that of the run under way, after
	// all.
	united  bool
	cells   map[int64]int32
	ghosts  map[int64]int32
	list    []int32 // the cells in order of creation, "any" excluded
	odd     int
	anyCell int32 // 0: none yet

	content  []int32 // cells that have a content node
	storeAny int32   // node: what was stored at an unknown offset
	loadAny  int32   // node: the contents of all cells
	whole    bool    // loadAny is read: all contents must exist
	unfolded bool    // see unfold
	received []span  // see receivedCon
	pieces   []span  // where something that is not a whole pointer was stored
	push     []copyLink
	pull     []copyLink
	typed    []loadedAs
}

// A span is a range of canonical offsets. Folded: the bytes touched are not just these,
// but also those of other array elements.
type span struct {
	lo, hi int64
	folded bool
}

// A cell is a place in an object: its canonical offset, or any of them.
type cell struct {
	obj  *object
	off  int64
	any  bool
	node int32 // content, 0: none yet
	// ghost: the address that container_of makes of what is no member; see effective.go.
	// Its offset is not canonical.
	ghost bool
}

// loadedAs is a cell from which a pointer to a type is loaded.
type loadedAs struct {
	cell int32
	elem ir.Type
}

// typedLoad names one, by the typeKey of the type.
type typedLoad struct {
	cell int32
	elem string
}

func (s *solver) newObject(o Object) *object {
	o.ID = len(s.objs)
	x := &object{Object: o, cells: map[int64]int32{}}
	s.objs = append(s.objs, x)
	return x
}

// canon returns the canonical form of an offset in o.
func (o *object) canon(off int64) (int64, []level) {
	if o.raw || o.Type == nil {
		return off, nil
	}
	return locate(o.Type, off)
}

// cellAt returns the cell at an offset of o; odd offsets beyond a bound fold into the
// "any" cell.
func (s *solver) cellAt(o *object, off int64) int32 {
	if c, ok := o.cells[off]; ok {
		return c // cells are at canonical offsets only
	}
	off, _ = o.canon(off)
	if c, ok := o.cells[off]; ok {
		return c
	}
	if s.coarse && off != 0 && o.Kind != KindFunc {
		return s.cellAny(o)
	}
	if !s.expected(o, off) {
		if o.odd++; o.odd > maxOddRaw || o.odd > maxOdd && !o.raw && !o.tail {
			return s.cellAny(o)
		}
	}
	c := s.newCell(cell{obj: o, off: off})
	o.cells[off] = c
	o.list = append(o.list, c)
	return c
}

// expected tells whether off is where the type of o has something.
func (s *solver) expected(o *object, off int64) bool {
	return off == 0 || !o.raw && o.Type != nil && len(scalarsAt(o.Type, off)) > 0
}

func (s *solver) cellAny(o *object) int32 {
	if o.anyCell == 0 {
		o.anyCell = s.newCell(cell{obj: o, any: true})
	}
	return o.anyCell
}

// ghostAt returns the ghost at an offset of o.
func (s *solver) ghostAt(o *object, off int64) int32 {
	c, ok := o.ghosts[off]
	if !ok {
		if o.ghosts == nil {
			o.ghosts = map[int64]int32{}
		}
		c = s.newCell(cell{obj: o, off: off, ghost: true})
		o.ghosts[off] = c
	}
	return c
}

// isGhost reports whether a cell is a ghost.
func (s *solver) isGhost(c int32) bool { return c >= numSpecial && s.cells[c].ghost }

func (s *solver) newCell(c cell) int32 {
	s.cells = append(s.cells, c)
	return int32(len(s.cells) - 1)
}

// globalObject returns the object of a global, with its initial contents on first use.
func (s *solver) globalObject(g *ir.Global) *object {
	if o := s.globals[g]; o != nil {
		return o
	}
	o := s.newObject(Object{Name: g.Name, Kind: KindGlobal, Type: g.Type, Global: g, Single: !g.ThreadLocal, Pos: g.Pos})
	o.readOnly = g.Const
	s.globals[g] = o
	if !g.ThreadLocal && !s.prog.TypeSafe {
		s.addPlaces(o)
	}
	for _, c := range g.Init {
		if n := s.eval(c.Value, 0); n != 0 {
			s.edge(n, s.content(s.cellAt(o, c.Offset)))
		}
	}
	if g.Extern {
		s.leakCell(s.cellAt(o, 0))
	}
	return o
}

// funcObject returns the object that stands for a function's code.
func (s *solver) funcObject(f *ir.Func) *object {
	if o := s.funcs[f]; o != nil {
		return o
	}
	o := s.newObject(Object{Name: f.Name, Kind: KindFunc, Func: f, Single: true, Pos: f.Pos})
	o.readOnly = true
	s.funcs[f] = o
	return o
}

// allocKey names an allocation: the instruction and the context of the function it is in.
type allocKey struct {
	in  *ir.Alloc
	ctx int32
}

// allocObject returns the object of an allocation site in a context.
func (s *solver) allocObject(a *ir.Alloc, fn *ir.Func, ctx int32) *object {
	k := allocKey{a, ctx}
	if o := s.allocs[k]; o != nil {
		return o
	}
	t, raw := s.allocType(a, fn, ctx)
	o := s.newObject(Object{Name: s.allocName(a, fn, ctx), Kind: KindHeap, Type: t, Alloc: a, Pos: a.Pos})
	if a.Kind == "stack" {
		o.Kind = KindStack
	}
	o.raw, o.ctx = raw, ctx
	o.tail = !raw && s.tailed(a, fn, ctx, t)
	o.exact = !raw && (!untyped(a.Elem) || o.tail || flexible(bare(t)) || s.fills(a.Count, fn, ctx, bare(t).Size()))
	o.sized = !raw && !o.tail && !isArray(t) && ir.Equal(t, a.Elem)
	s.allocs[k] = o
	if o.Kind == KindHeap && !s.prog.TypeSafe {
		s.addPlaces(o)
	}
	return o
}

func (s *solver) allocName(a *ir.Alloc, fn *ir.Func, ctx int32) string {
	if a.Kind == "stack" {
		if a.Name != "" {
			return fn.Title() + "." + a.Name
		}
		return fmt.Sprintf("stack(%s)", placeName(a.Pos))
	}
	name := placeName(a.Pos)
	for c := ctx; c != 0 && s.ctxs[c].call != nil; c = s.ctxs[c].parent {
		name += "@" + placeName(s.ctxs[c].call.At())
	}
	return "heap(" + name + ")"
}

// placeName is file:line with the directories left out.
func placeName(p ir.Pos) string {
	for i := len(p.File) - 1; i >= 0; i-- {
		if p.File[i] == '/' {
			p.File = p.File[i+1:]
			break
		}
	}
	return ir.Pos{File: p.File, Line: p.Line}.String()
}
