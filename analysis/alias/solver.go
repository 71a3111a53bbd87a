package alias

import (
	"context"
	"slices"

	"whoop/ir"
)

// solver builds and solves the inclusion constraints: a graph whose nodes hold sets of
// cells and whose edges say "what is here is also there". Constraints at a node ("cons")
// add edges for every new cell that arrives (loads, stores, pointer arithmetic, calls).
// Only new cells travel (difference propagation, Pearce et al. 2003), and cycles of plain
// edges are collapsed now and then.
type solver struct {
	word       int64 // bytes of a pointer in memory
	narrowInts bool  // integers of 32 bits may be addresses
	ctx        context.Context
	ticks      int
	// coarse: objects have two cells; spent is the work done so far: see coarse.go.
	coarse bool
	spent  int
	prog   *ir.Program
	opt    Options

	// kept are the types of parameters that the program keeps longer than the call that
	// has them for itself; lends are what such calls have.
	kept  map[string]bool
	extra []*ir.Struct // private types that turned out to be of the interface after all
	lends []*object

	objs  []*object
	cells []cell
	nodes []*node
	rep   []int32        // union-find over nodes
	work  []int32        // a heap: see worklist.go
	clock int32          // nodes processed so far
	edges int            // plain edges
	steps int            // nodes processed since the last collapse
	alike int            // edges that added nothing since then, between nodes of equal sets
	loops map[int32]bool // results of pointer arithmetic that goes on from itself: see loops.go

	kinds    *kinds                 // see typed.go
	filters  map[string]*filter     // by typeKey
	byStruct map[*ir.Struct]*filter // the same for structs
	decls    []declared             // by cell
	puns     []*object              // punned, and not unfiltered yet
	sumCells sumCells               // see sum.go
	// byEffective: the rule of effective types is used; effective: it has left something
	// out. See effective.go.
	byEffective, effective bool
	tails                  map[placeKey]bool // what takeTail was asked for
	took                   map[tookKey]bool  // see puns.go
	// places that were taken for another type, and not unfiltered yet
	retake set

	globals map[*ir.Global]*object
	funcs   map[*ir.Func]*object
	allocs  map[allocKey]*object
	externs map[string]*extern
	known   map[*ir.Struct]bool // the types of the interface to code not seen
	// cells where a struct lies that outside code may know, and what it hands over as
	// pointers to one, by kinds: structs between which pointers are converted are one
	byType map[*ir.Struct][]int32
	byKind map[*ir.Struct][]*extern

	ctxs        []callContext
	ctxOf       map[ctxKey]int32
	regs        map[regKey]int32
	addressRegs map[*ir.Reg]bool   // in type-safe programs: what wasPointer asks
	regWebs     map[regKey][]int32 // all webs of a register (web -1)
	webOf       map[webKey]int
	defs        map[*ir.Func]map[*ir.Reg]ir.Instr // see onlyDef
	mentions    map[*ir.Func]int                  // see mentions
	// the instruction or terminator whose expressions are evaluated
	site       any
	rets       map[instKey]int32
	insts      map[instKey]bool
	consts     map[int32]int32 // constant node of a cell
	xnodes     map[xkey]int32
	via        map[viaKey]int32
	linked     map[copyPair]bool
	layouts    map[layoutKey]bool
	placed     map[placeKey]bool // what addPlace was asked for
	typedLoads map[typedLoad]bool
	bound      map[bindKey]bool
	wrappers   map[*ir.Func]bool
	same       map[*ir.Func]int // see sameAs

	worlds map[*ir.Func]int32 // see instances.go; nil in the analysis proper, as are the next two
	others map[*ir.Func]int32
	blocks map[blockKey]bool // those reached, with worlds
	// ofThreads are the worlds of entries that are threads, of which ofOthers are not those
	// of a run that is singled out; ofInit are those of initialisations.
	ofThreads, ofOthers, ofInit map[int32]bool

	last map[ir.Instr]bool // see lastStores
	// waited are the spawns whose threads do not outlive the run; nil in the analysis
	// proper.
	waited map[*ir.Spawn]bool
	// allocations of which objects may be known to others before the run is over
	strayed map[madeAt]bool

	leak      int32            // node: every address that code not seen has
	lend      int32            // node: every address that code not seen is lent
	shown     int32            // node: every address of which it only reads what is there
	points    map[string]int32 // by typeKey: see pointed
	threadRet int32            // node: what threads return
	shareRoot int32            // node: what is handed to threads and callbacks
	back      int32            // node: what code not seen has without a type; see puns.go
	backs     map[string]int32 // by typeKey: see backAs

	entryFns  map[*ir.Func]bool
	recs      map[ir.Instr][]*rec
	recOrder  []ir.Instr
	fnOf      map[ir.Instr]*ir.Func
	callees   map[ir.Instr]*calleeSet
	reached   []*ir.Func
	isReached map[*ir.Func]bool
	assumed   map[ir.Assumption]bool
	assumes   []ir.Assumption
}

type node struct {
	pts, delta set
	succ       []int32
	out        set // those that succ has had, as they were called then
	cons       []constraint
	queued     bool
	fired      int32 // when it was processed last, by the solver's clock
}

// A constraint reacts to every cell that arrives at its node. It must be idempotent.
type constraint interface{ fire(s *solver, c int32) }

func newSolver(p *ir.Program, opt Options) *solver {
	word, narrowInts := wordsOf(p)
	s := &solver{word: word, narrowInts: narrowInts, ctx: context.Background(), prog: p, opt: opt,
		globals: map[*ir.Global]*object{}, funcs: map[*ir.Func]*object{},
		allocs: map[allocKey]*object{}, externs: map[string]*extern{}, byType: map[*ir.Struct][]int32{}, byKind: map[*ir.Struct][]*extern{},
		ctxOf: map[ctxKey]int32{}, regs: map[regKey]int32{}, regWebs: map[regKey][]int32{}, webOf: map[webKey]int{}, rets: map[instKey]int32{}, insts: map[instKey]bool{},
		consts: map[int32]int32{}, xnodes: map[xkey]int32{}, via: map[viaKey]int32{}, linked: map[copyPair]bool{}, layouts: map[layoutKey]bool{}, placed: map[placeKey]bool{}, typedLoads: map[typedLoad]bool{}, bound: map[bindKey]bool{}, same: map[*ir.Func]int{}, loops: map[int32]bool{},
		entryFns: map[*ir.Func]bool{}, recs: map[ir.Instr][]*rec{}, fnOf: map[ir.Instr]*ir.Func{},
		callees: map[ir.Instr]*calleeSet{}, isReached: map[*ir.Func]bool{}, assumed: map[ir.Assumption]bool{},
		ctxs: make([]callContext, 1), cells: make([]cell, numSpecial)}
	s.mentions = mentions(p)
	s.mentions = mentions(p)
	s.defs = map[*ir.Func]map[*ir.Reg]ir.Instr{}
	s.kinds, s.filters, s.byStruct, s.tails = kindsOf(p), map[string]*filter{}, map[*ir.Struct]*filter{}, map[placeKey]bool{}
	s.took, s.backs = map[tookKey]bool{}, map[string]int32{}
	s.byEffective = !p.TypeSafe && !s.hasMain()
	if p.TypeSafe {
		s.addressRegs = addressRegs(p.Funcs)
	}
	s.newNode() // node 0: no pointers
	s.leak, s.threadRet, s.shareRoot = s.newNode(), s.newNode(), s.newNode()
	s.on(s.leak, leakCon{})
	s.lend = s.newNode()
	s.on(s.lend, lendCon{})
	s.shown, s.points = s.newNode(), map[string]int32{}
	s.on(s.shown, readCon{})
	s.back = s.newNode()
	return s
}

func (s *solver) newNode() int32 {
	s.nodes = append(s.nodes, &node{})
	s.rep = append(s.rep, int32(len(s.rep)))
	return int32(len(s.nodes) - 1)
}

func (s *solver) find(n int32) int32 {
	for s.rep[n] != n {
		s.rep[n] = s.rep[s.rep[n]]
		n = s.rep[n]
	}
	return n
}

// pts returns the set of a node; it must not be kept over changes.
func (s *solver) pts(n int32) *set { return &s.nodes[s.find(n)].pts }

func (s *solver) queue(n int32) {
	if x := s.nodes[n]; !x.queued {
		x.queued = true
		s.push(n)
	}
}

// put adds a cell to a node.
func (s *solver) put(n, c int32) {
	if n == 0 {
		return
	}
	n = s.find(n)
	if x := s.nodes[n]; x.pts.add(c) {
		x.delta.add(c)
		s.queue(n)
	}
}

// putAll adds cells to a node.
func (s *solver) putAll(n int32, cs *set) {
	if n == 0 {
		return
	}
	n = s.find(n)
	if x := s.nodes[n]; x.pts.union(cs, &x.delta) {
		s.queue(n)
	}
}

// edge makes everything in from flow to to. Node 0 is nothing.
func (s *solver) edge(from, to int32) {
	from, to = s.find(from), s.find(to)
	if from == 0 || to == 0 || from == to {
		return
	}
	f, t := s.nodes[from], s.nodes[to]
	if !f.out.add(to) {
		return
	}
	s.edges++
	f.succ = append(f.succ, to)
	if t.pts.union(&f.pts, &t.delta) {
		s.queue(to)
	}
}

// on attaches a constraint to a node; it sees the cells that are there already, too.
func (s *solver) on(n int32, c constraint) {
	n = s.find(n)
	if n == 0 {
		return
	}
	x := s.nodes[n]
	x.cons = append(x.cons, c)
	s.fire(c, &set{slices.Clone(x.pts.blk)})
}

// constant returns a node that holds just one cell.
func (s *solver) constant(c int32) int32 {
	n, ok := s.consts[c]
	if !ok {
		n = s.newNode()
		s.consts[c] = n
		s.put(n, c)
	}
	return n
}

// solve runs to the fixpoint.
func (s *solver) solve() {
	limit, many, walked := len(s.nodes)/2+1000, minAlike, 0
	for len(s.work)+len(s.puns) > 0 || !s.retake.empty() || s.contradicted() {
		if len(s.work) == 0 {
			s.unfilter()
			continue
		}
		n := s.pop()
		x := s.nodes[n]
		x.queued = false
		if s.find(n) != n || x.delta.empty() {
			continue
		}
		s.tick()
		s.clock++
		x.fired = s.clock
		s.process(x)
		if len(s.cells) > walked {
			s.findLoops()
			walked = len(s.cells) + len(s.cells)/16 + 100
		}
		if s.steps++; s.steps > limit {
			limit *= 2
		} else if s.alike < many {
			continue
		}
		if merged := s.collapse(); merged < s.alike/4 {
			many *= 2
		}
		s.steps, s.alike = 0, 0
	}
}

// process propagates what is new at a node.
func (s *solver) process(x *node) {
	d := x.delta
	x.delta = set{}
	s.worked(&d, len(x.cons)+len(x.succ))
	for i := 0; i < len(x.cons); i++ {
		s.fire(x.cons[i], &d)
	}
	for i := 0; i < len(x.succ); i++ {
		to := s.find(x.succ[i])
		switch t := s.nodes[to]; {
		case t == x:
		case t.pts.union(&d, &t.delta):
			s.queue(to)
		case t.pts.equal(&x.pts):
			s.alike++
		}
	}
}

// fire lets a constraint react to cells.
func (s *solver) fire(c constraint, cs *set) {
	if l, ok := c.(xformCon); ok {
		l.fireAll(s, cs)
		return
	}
	cs.each(func(cell int32) { c.fire(s, cell) })
}

// minAlike is how many edges are seen to add nothing, between nodes of equal sets, before
// cycles are looked for: such edges are often part of one (lazy cycle detection:
// Hardekopf and Lin, "The ant and the grasshopper", 2007).
const minAlike = 256

// collapse merges the cycles of plain edges: their nodes have equal sets. It returns how
// many nodes are less.
func (s *solver) collapse() (merged int) {
	s.components(nil, func(ws []int32) {
		for _, w := range ws[1:] {
			s.merge(ws[0], w)
			merged++
		}
	})
	for v, x := range s.nodes {
		if s.rep[v] == int32(v) && len(x.succ) > 1 {
			s.tidy(int32(v), x)
		}
	}
	return merged
}

// tidy leaves one of several edges to the same node.
func (s *solver) tidy(v int32, x *node) {
	for i, w := range x.succ {
		x.succ[i] = s.find(w)
	}
	slices.Sort(x.succ)
	x.succ = slices.DeleteFunc(slices.Compact(x.succ), func(w int32) bool { return w == v })
}

// merge makes w part of v. What only one of the two had is new to the edges and
// constraints of the other.
func (s *solver) merge(v, w int32) {
	a, b := s.nodes[v], s.nodes[w]
	s.rep[w] = v
	a.succ = append(a.succ, b.succ...)
	a.out.union(&b.out, nil)
	a.cons = append(a.cons, b.cons...)
	news := b.pts.minus(&a.pts)
	news.union(&b.delta, nil)
	a.delta.union(&news, nil)
	news = a.pts.minus(&b.pts)
	a.delta.union(&news, nil)
	a.pts.union(&b.pts, nil)
	s.nodes[w] = &node{}
	s.queue(v)
}

// assume records an assumption once.
func (s *solver) assume(kind string, pos ir.Pos, text string) {
	a := ir.Assumption{Kind: kind, Pos: pos, Text: text}
	if !s.assumed[a] {
		s.assumed[a] = true
		s.assumes = append(s.assumes, a)
	}
}
