package lockset

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/lockset/permission"
)

// frame is a way to name a place near a watched address: Watch is the unconstrained
// constant (the base of the object or array element, or the array index) that stands for
// all places at once.
type frame struct {
	key   string
	watch *ir.Reg
	// extent is set where all addresses in an object stand for it: it starts at watch.
	extent *extent
}

// guard is a resource that may protect data, as a function of a frame's watched constant.
// Its ledger says what an entry has of it.
type guard struct {
	permission.Ledger
	id   int
	name string
	// frame is nil where there is one resource for the whole program.
	frame *frame
	// theory says what the resource is.
	theory theory
}

// pointerCell is the memory cell that a lock pointer is read from: value receives *addr
// at the start of a procedure.
type pointerCell struct {
	region *alias.Region
	addr   ir.Expr
	value  *ir.Reg
}

// cell is the memory cell that the value of a guard's frame is tied to; nil where there
// is none.
func (g *guard) cell() *pointerCell {
	switch t := g.theory.(type) {
	case *lock:
		return t.pointer
	case *threadNumber:
		return t.base
	case *ticket:
		return t.base
	}
	return nil
}

// locks are the lock functions of a program.
type locks struct {
	f *facts
	// cut is why it was not found out who owns which objects; nil where it was.
	cut     error
	frames  map[string]*frame
	fns     map[string]*guard
	list    []*guard
	regions []*alias.Region // lock regions, by ID
	global  []*guard
	// quiet are held by initialisation entries until they register what an entry needs to
	// run: see unpublished.go.
	quiet  map[[2]*ir.Entry][]*guard
	typed  map[*ir.Struct][]*guard
	perReg map[*alias.Region][]regionLock
	// types are those of the objects that frames stand for, by the frames' keys; within
	// is the memory of offsets.
	types    map[string][]ir.Type
	within   map[offsetsKey][]int64
	withinMu sync.Mutex
	// own are the tokens of what is handed to threads.
	own []*guard
	// refcounts are the reference counts of objects, by the groups of their regions.
	refcounts map[int][]*guard
	// gates are those of objects, by the groups of their regions.
	gates map[int][]*guard
	// structures are those whose objects are taken out.
	structures []*structure
	// cells are where entries read the addresses of arrays: see arrayCell.
	cells map[*ir.Entry]map[*alias.Region]*alias.Region
	// elements are the tokens of array elements that threads get by an address and a
	// number.
	elements map[*alias.Region][]*guard
	// handles are the offsets of the places that hold handles of threads in the objects
	// that these threads are started with.
	handles map[*alias.Region]int64
	// exist remembers which of them are of objects that existsBefore.
	exist   map[*guard]bool
	existMu sync.Mutex
	// numbers is how many tokens there are of the numbers that threads get; numbered is
	// how regions depend on them.
	numbers int
	// numberOnly are the functions of threads that take their argument for a number, and
	// hand over and own no objects.
	numberOnly map[*ir.Func]bool
	// apart are the parameters of threads that lie in one object.
	apart map[*ir.Entry][]apart
	// into are the offsets at which the first arguments of threads lie in what is theirs.
	into map[*ir.Func]int64
	// gives are the allocations that make what spawns pass as their first argument.
	gives map[ir.Instr]*ir.Alloc
	// tickets are the tokens of the numbers that threads draw; blocks are those of the
	// program's stores.
	tickets []*guard
	blocks  map[ir.Instr]*ir.Block
	// flags are the variables that are set once.
	flags    []*guard
	numbered map[*alias.Region][]regionLock
	sessions sessions
	// serials is how many tokens there are of handlers' objects.
	serials int
	// pointers are the places that lock pointers are read from, with the lock's offset
	// from the pointer's value.
	pointers []pointerUse
	holders  holders
	// ops are the operations that may be on a lock, at the lock functions by the IDs of
	// the regions that they may lie in; see discipline.go.
	ops map[*guard][]syncOp
	at  map[int]map[*guard]bool
}

// pointerUse: a lock operation works on the address off bytes after the pointer read from
// region.
type pointerUse struct {
	region *alias.Region
	off    int64
}

// regionLock is a lock function for a region, with the frame condition.
type regionLock struct {
	fn *guard
	// watched says, of the address of an access, that it is the one the frame's constant
	// stands for; nil: no condition.
	watched func(addr ir.Expr) ir.Expr
	// ofBase says the same of the address of the whole object, for operations on it as a
	// whole (free); nil: not known.
	ofBase func(base ir.Expr) ir.Expr
	// perRegion: the condition depends on the region, not on the access alone.
	perRegion bool
}

// Who owns which objects gets a third of the time that is left; without it holders guard
// nothing, and what is not proved then is not known (locks.cut).
func findLocks(ctx context.Context, f *facts, uniprocessor, locksAlone bool) *locks {
	l := &locks{f: f, frames: map[string]*frame{}, fns: map[string]*guard{}, typed: map[*ir.Struct][]*guard{},
		perReg: map[*alias.Region][]regionLock{}, numbered: map[*alias.Region][]regionLock{}, numberOnly: map[*ir.Func]bool{}, exist: map[*guard]bool{}, cells: map[*ir.Entry]map[*alias.Region]*alias.Region{}}
	for _, e := range f.p.Entries {
		if getsPointer(e) && takesNumber(e.Func) {
			l.numberOnly[e.Func] = true
		}
	}
	seen := map[*alias.Region]bool{}
	atomic := false
	for _, e := range f.p.Entries {
		for _, fn := range f.reach[e] {
			for _, b := range fn.Blocks {
				for _, in := range b.Instrs {
					switch in := in.(type) {
					case *ir.AtomicBegin:
						atomic = true
					case *ir.Lock:
						l.lockInstr(in, in.Lock, seen)
						l.throughPointer(fn, in.Lock)
					case *ir.Once:
						l.lockInstr(in, in.Ctl, seen)
					case *ir.RMW, *ir.CmpXchg:
						if op := wordOpOf(in, allBits); op != nil && op.took != nil {
							l.lockInstr(in, op.addr, seen)
							l.throughPointer(fn, op.addr)
						}
					case *ir.SemWait:
						l.lockInstr(in, in.Sem, seen)
						l.throughPointer(fn, in.Sem)
					}
				}
			}
		}
	}
	for r := range seen {
		l.regions = append(l.regions, r)
	}
	sort.Slice(l.regions, func(i, j int) bool { return l.regions[i].ID < l.regions[j].ID })
	l.quietLocks()
	if atomic {
		l.global = append(l.global, l.token("atomic", "atomic section", nil, section{}))
	}
	if uniprocessor {
		l.maskLocks()
	}
	l.globalLocks()
	l.kernelLocks()
	l.globalPointers()
	l.findApart()
	l.ownLocks()
	l.findHandles()
	l.elementLocks()
	l.numberLocks()
	l.ticketLocks()
	l.flagLocks()
	l.signalLocks()
	l.startedLocks()
	l.tallyLocks()
	l.permitLocks()
	l.refcountLocks()
	if !locksAlone {
		l.gateLocks()
		l.takenLocks()
	}
	within, cancel := thirdOf(ctx)
	defer cancel()
	l.findHolders(within.Err)
	l.findSessions()
	l.typedSessions()
	l.typedSerials()
	l.typedTakenOver()
	for _, r := range f.watchedRegions() {
		l.perReg[r] = l.forRegion(r)
	}
	l.typesOfFrames()
	l.findRecursive()
	l.findSemaphores()
	l.findWords()
	l.findOpened()
	l.findOrders()
	l.findRetries()
	return l
}

// lockInstr notes the lock's regions, its constant address, and its place within the
// structs of its address.
func (l *locks) lockInstr(in ir.Instr, addr ir.Expr, seen map[*alias.Region]bool) {
	for _, r := range l.f.targets[in].regions {
		seen[r] = true
	}
	if g, off, ok := constAddr(addr); ok && !g.ThreadLocal {
		l.globalLock(g, off)
	}
	for _, tb := range typedBases(addr) {
		if tb.exact {
			l.typedLock(tb.s, tb.off)
		}
	}
}

// constAddr splits a constant address into its global and offset.
func constAddr(e ir.Expr) (*ir.Global, int64, bool) {
	switch e := e.(type) {
	case ir.GlobalAddr:
		return e.Global, 0, true
	case ir.FieldAddr:
		g, off, ok := constAddr(e.Base)
		return g, off + e.S.Fields[e.Index].Offset, ok
	case ir.IndexAddr:
		g, off, ok := constAddr(e.Base)
		if c, isConst := e.Idx.(ir.Const); ok && isConst && c.Val.IsInt64() {
			return g, off + c.Val.Int64()*e.Stride, true
		}
	case ir.Cast:
		if ir.IsPtr(e.T) {
			return constAddr(e.X)
		}
	}
	return nil, 0, false
}

func offsetFrom(base ir.Expr, off int64) ir.Expr {
	if off == 0 {
		return base
	}
	return ir.IndexAddr{Base: base, Idx: ir.IntConst(ir.I64, off), Stride: 1, T: ir.VPtr}
}

// lock is the guard of a lock at an address, made where it is not known yet; region is
// one that it was found from, nil for none.
func (l *locks) lock(key, name string, fr *frame, addr ir.Expr, region *alias.Region) *guard {
	if g := l.fns[key]; g != nil {
		if k, ok := theoryOf[*lock](g); ok && region != nil && !slices.Contains(k.regions, region) {
			k.regions = append(k.regions, region)
		}
		return g
	}
	k := &lock{addr: addr}
	if region != nil {
		k.regions = []*alias.Region{region}
	}
	return l.add(key, name, fr, k)
}

// token is the guard of a theory, made where it is not known yet.
func (l *locks) token(key, name string, fr *frame, t theory) *guard {
	if g := l.fns[key]; g != nil {
		return g
	}
	return l.add(key, name, fr, t)
}

func (l *locks) add(key, name string, fr *frame, t theory) *guard {
	g := &guard{id: len(l.list), name: name, frame: fr, theory: t}
	g.Whole = t.traits().whole
	for i, mode := range []string{"exclusive", "any"} {
		g.Held[i] = &ir.Reg{Name: fmt.Sprintf("$held.%s.%s", key, mode), Type: ir.Bool{}, Ghost: true}
	}
	l.fns[key] = g
	l.list = append(l.list, g)
	return g
}

func (l *locks) frame(key string) *frame {
	fr := l.frames[key]
	if fr == nil {
		fr = &frame{key: key, watch: &ir.Reg{Name: "$watch." + key, Type: ir.VPtr, Ghost: true}}
		l.frames[key] = fr
	}
	return fr
}

// globalLock is the lock at a constant address.
func (l *locks) globalLock(g *ir.Global, off int64) {
	key := fmt.Sprintf("g:%s+%d", g.Name, off)
	if l.fns[key] == nil {
		addr := offsetFrom(asPtr(ir.GlobalAddr{Global: g}), off)
		name := place(strings.TrimPrefix(g.Name, ir.LockPrefix), g.Type, off)
		l.global = append(l.global, l.lock(key, name, nil, addr, nil))
	}
}

// kernelLocks adds the locks that entries are called with and that the program also takes or
// gives back by itself: then what entries hold is followed along their paths.
func (l *locks) kernelLocks() {
	for _, e := range l.f.p.Entries {
		for _, h := range e.Holds {
			if g := l.f.p.GlobalByName(ir.LockPrefix + h); g != nil {
				l.globalLock(g, 0)
			}
		}
	}
}

// kernelLock is the guard of a lock that entries are called with; nil where the program does
// nothing to it.
func (l *locks) kernelLock(h string) *guard {
	return l.fns[fmt.Sprintf("g:%s+0", ir.LockPrefix+h)]
}

// globalLocks adds the lock cells that lie in exactly one global, however they are
// reached.
func (l *locks) globalLocks() {
	for _, r := range l.regions {
		for _, o := range r.Objects {
			if o.Global != nil && !o.Global.ThreadLocal && r.Exact && r.Elem == 0 {
				l.globalLock(o.Global, r.Offset)
			}
		}
	}
}

// typedLock is the lock at an offset in the struct of type s that contains the watched
// place.
func (l *locks) typedLock(s *ir.Struct, off int64) {
	key := typedKey(s, off)
	if l.fns[key] != nil {
		return
	}
	fr := l.frame("t:" + s.Name)
	l.typed[s] = append(l.typed[s], l.lock(key, place("struct "+s.Name, s, off), fr, offsetFrom(ir.Use{Reg: fr.watch}, off), nil))
}

func typedKey(s *ir.Struct, off int64) string { return fmt.Sprintf("t:%s+%d", s.Name, off) }

// forRegion lists the lock functions for a region, frame conditions included; typed
// frames are added at the access.
func (l *locks) forRegion(r *alias.Region) []regionLock {
	out := l.forAll()
	if !r.Exact {
		return out
	}
	for _, k := range l.regions {
		if k.Exact && k.Elem == r.Elem && (k.Elem == 0 || k.ArrayStart == r.ArrayStart) && shareObject(k, r) {
			fr := l.frame(fmt.Sprintf("x:%d", r.Group))
			fn := l.lock(fmt.Sprintf("x:%d+%d", r.Group, k.Offset), plainName(k.Name), fr, offsetFrom(ir.Use{Reg: fr.watch}, k.Offset), k)
			out = append(out, inObject(fn, fr, r))
		}
		if rl, ok := l.sameIndex(r, k); ok {
			out = append(out, rl)
		}
		if rl, ok := l.sameRow(r, k); ok {
			out = append(out, rl)
		}
	}
	if rl, ok := l.ownLock(r); ok {
		out = append(out, rl)
	}
	for _, fn := range l.elements[r] {
		out = append(out, inObject(fn, fn.frame, r))
	}
	for _, fn := range slices.Concat(l.refcounts[r.Group], l.gates[r.Group]) {
		out = append(out, inObject(fn, fn.frame, r))
	}
	out = append(out, l.takenOut(r)...)
	out = append(out, l.numbered[r]...)
	tokens := append(l.serialLocks(r), l.sessionLocks(r)...)
	var fns []*guard
	for _, rl := range tokens {
		fns = append(fns, rl.fn)
	}
	for _, fn := range l.takenOver(fns) {
		tokens = append(tokens, inObject(fn, fn.frame, r))
	}
	out = append(out, tokens...)
	for _, u := range l.pointers {
		if rl, ok := l.pointerLock(r, u); ok {
			out = append(out, rl)
		}
	}
	return dedupe(out)
}

// inObject is a lock function over the base of the object, or array element, that region
// r is a part of.
func inObject(fn *guard, fr *frame, r *alias.Region) regionLock {
	rl := regionLock{fn: fn, perRegion: true, watched: func(a ir.Expr) ir.Expr { return fr.isBase(offsetFrom(asPtr(a), -r.Offset)) }}
	if r.Elem == 0 {
		rl.ofBase = func(base ir.Expr) ir.Expr { return fr.isBase(asPtr(base)) }
	}
	return rl
}

// forAll lists the lock functions that may protect any region.
func (l *locks) forAll() []regionLock {
	var out []regionLock
	for _, g := range l.global {
		out = append(out, regionLock{fn: g})
	}
	return out
}

func dedupe(in []regionLock) []regionLock {
	seen := map[int]bool{}
	var out []regionLock
	for _, r := range in {
		if !seen[r.fn.id] {
			seen[r.fn.id] = true
			out = append(out, r)
		}
	}
	return out
}

// sameIndex relates data[i] to locks[i], two different global arrays.
func (l *locks) sameIndex(r, k *alias.Region) (regionLock, bool) {
	g, h := single(r), single(k)
	if g == nil || h == nil || r.Elem == 0 || k.Elem == 0 || !k.Exact || (g == h && r.ArrayStart == k.ArrayStart) {
		return regionLock{}, false
	}
	fr := l.frame(fmt.Sprintf("i:%s+%d/%d", g.Name, r.ArrayStart, r.Elem))
	fr.watch.Type = ir.I64
	element := func(g *ir.Global, off, stride int64) ir.Expr {
		return ir.IndexAddr{Base: offsetFrom(asPtr(ir.GlobalAddr{Global: g}), off), Idx: ir.Use{Reg: fr.watch}, Stride: stride, T: ir.VPtr}
	}
	addr := element(h, k.ArrayStart+k.Offset, k.Elem)
	fn := l.lock(fmt.Sprintf("%s:%s+%d+%d", fr.key, h.Name, k.ArrayStart, k.Offset), h.Name+"[same index]", fr, addr, k)
	return regionLock{fn: fn, perRegion: true, watched: func(a ir.Expr) ir.Expr {
		return ir.Binary{Op: "eq", X: asPtr(a), Y: element(g, r.ArrayStart+r.Offset, r.Elem)}
	}}, true
}

// isBase says that the frame's constant is the address base; of a frame with an extent,
// that the address is of the same object.
func (fr *frame) isBase(base ir.Expr) ir.Expr {
	if fr.extent != nil {
		return fr.extent.has(rootOf(base))
	}
	return ir.Binary{Op: "eq", X: base, Y: ir.Use{Reg: fr.watch}}
}

func asPtr(e ir.Expr) ir.Expr { return ir.Cast{X: e, T: ir.VPtr} }

func single(r *alias.Region) *ir.Global {
	if len(r.Objects) == 1 && r.Objects[0].Global != nil && !r.Objects[0].Global.ThreadLocal {
		return r.Objects[0].Global
	}
	return nil
}

func shareObject(a, b *alias.Region) bool {
	for _, x := range a.Objects {
		for _, y := range b.Objects {
			if x == y {
				return true
			}
		}
	}
	return false
}

// place names an offset of a type readably: dev.lock. Members with reserved names (the
// inside of pthread_mutex_t) say nothing to the reader and are left out.
func place(name string, t ir.Type, off int64) string {
	switch t := t.(type) {
	case *ir.Struct:
		for _, f := range t.Fields {
			if n := f.Type.Size(); off >= f.Offset && (off < f.Offset+n || (n == 0 && off == f.Offset)) {
				if strings.HasPrefix(f.Name, "__") {
					return name
				}
				if f.Name == "" {
					return place(name, f.Type, off-f.Offset)
				}
				return place(name+"."+f.Name, f.Type, off-f.Offset)
			}
		}
	case ir.Array:
		if n := t.Elem.Size(); n > 0 {
			return place(fmt.Sprintf("%s[%d]", name, off/n), t.Elem, off%n)
		}
	}
	return name
}

// plainName cuts reserved member names off a region's name.
func plainName(s string) string {
	if i := strings.Index(s, ".__"); i > 0 {
		return s[:i]
	}
	return s
}
