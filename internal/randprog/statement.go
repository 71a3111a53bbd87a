package randprog

import (
	"fmt"
	"strings"
)

// kind is a kind of statement.
type kind struct {
	needs  Features // all of these
	weight int      // how likely it is, next to others
	cost   int      // the least number of visible operations
	write  func(*generator)
}

func kinds() []kind {
	return []kind{
		{0, 10, 1, (*generator).access},
		{Mutexes, 10, 3, func(g *generator) { g.locked(0) }},
		{Mutexes, 3, 3, func(g *generator) { g.locked(1) }},
		{Mutexes, 8, 5, (*generator).nested},
		{Mutexes | TryLocks, 3, 2, (*generator).tried},
		{Mutexes | Shared, 2, 3, (*generator).sharedLock},
		{AtomicSections, 4, 1, (*generator).atomicSection},
		{Awaits, 4, 1, (*generator).await},
		{Atomics, 5, 1, (*generator).atomicUpdate},
		{Mutexes | Conds, 2, 4, (*generator).waitFor},
		{Mutexes | Conds, 2, 4, (*generator).notify},
		{Sems, 3, 1, (*generator).semaphore},
		{Heap, 2, 2, (*generator).publish},
		{Heap, 2, 2, (*generator).consume},
		{0, 4, 1, (*generator).branch},
		{Choices, 2, 1, (*generator).choice},
		{Loops, 3, 2, (*generator).loop},
		{Calls, 4, 2, (*generator).call},
		{Asserts, 3, 1, (*generator).check},
		{Onces, 3, 2, (*generator).once},
		{Barriers, 6, 1, (*generator).wait},
		{Mutexes | Recursive, 2, 5, (*generator).twice},
		{Misuse | Mutexes, 3, 1, (*generator).wrong},
		{0, 1, 1, func(g *generator) { g.visible("%s", pick(g, "yield", "fence seq_cst")) }},
		{0, 1, 1, func(g *generator) { g.line("assume le(r, i32 %d)", 1+g.IntN(2)) }},
	}
}

// statement writes a random statement that fits into what is left.
func (g *generator) statement() {
	var fit []kind
	sum := 0
	all := kinds()
	if g.cfg.Tails {
		all = append(all, kind{Heap | Choices, 25, 2, (*generator).tail})
	}
	if g.cfg.Selects {
		all = append(all, kind{AtomicSections, 12, 1, (*generator).selects})
	}
	for _, k := range all {
		if g.has(k.needs) && k.cost <= g.left && (k.needs&Misuse == 0 || g.misuse) && (k.needs&Barriers == 0 || g.barrier) {
			fit = append(fit, k)
			sum += k.weight
		}
	}
	if len(fit) == 0 || g.depth > 2 {
		g.access()
		return
	}
	n := g.IntN(sum)
	for _, k := range fit {
		if n -= k.weight; n < 0 {
			g.depth++
			k.write(g)
			g.depth--
			return
		}
	}
}

// cell chooses a cell and makes its address ready.
func (g *generator) cell() cell {
	c := pick(g, g.cells...)
	if c.addr == "a" && !g.param {
		c = cell{addr: "&x"}
	}
	g.ready(c)
	return c
}

func (g *generator) ready(c cell) {
	if c.setup != "" {
		g.visible("%s", c.setup)
	}
}

// get loads a cell into r.
func (g *generator) get(c cell) {
	g.ready(c)
	g.visible("r := load plain %s", c.addr)
}

// access is a statement that reads or writes a cell, in the way that the discipline
// wants.
func (g *generator) access() {
	switch {
	case g.protected():
		g.plain()
	case g.discipline == byLock:
		g.locked(0)
	case g.discipline == bySection:
		g.atomicSection()
	default:
		g.atomicUpdate()
	}
}

// protected reports whether a plain access is as the discipline wants it.
func (g *generator) protected() bool {
	return g.discipline == anyhow || g.held[0] && g.discipline == byLock || g.section && g.discipline == bySection
}

// order is that of accesses that the discipline does not know.
func (g *generator) order() string {
	if g.discipline == anyhow || !g.has(Atomics) || g.one(4) {
		return "plain"
	}
	return "seq_cst"
}

// plain reads and writes a cell.
func (g *generator) plain() {
	c := g.cell()
	order := "plain"
	if g.has(Atomics) && g.one(8) {
		order = pick(g, "seq_cst", "relaxed", "marked", "volatile", "acquire")
	}
	switch g.IntN(12) {
	case 0, 1, 2:
		g.visible("r := load %s %s", order, c.addr)
	case 3, 4, 5, 6:
		g.visible("store %s %s, %s", order, c.addr, pick(g, "i32 1", "i32 2", "r", "add(r, i32 1)"))
	case 7:
		if g.has(Arrays) && g.discipline == anyhow {
			g.visible("%s", pick(g, "memset plain &arr, u8 0, u64 8", "memcopy plain index(&arr, i32 1, 4, *i32), &x, u64 4"))
			return
		}
		fallthrough
	default:
		g.visible("r := load %s %s", order, c.addr)
		if g.left > 0 {
			g.visible("store %s %s, add(r, i32 1)", order, c.addr)
		}
	}
}

// locked is a critical section of lock number i.
func (g *generator) locked(i int) {
	if g.held[i] || g.section {
		g.access()
		return
	}
	a := g.lock(i)
	g.access()
	if g.left > 2 && g.one(2) {
		g.inner()
	}
	g.unlock(i, a)
}

// lock takes lock number i and returns the address that releases it.
func (g *generator) lock(i int) string {
	a := g.address(g.locks[i])
	g.visible("lock exclusive mutex %s", a)
	g.held[i] = true
	return a
}

// address makes the address of a lock ready, in a register of its own where it may
// change.
func (g *generator) address(m cell) string {
	g.ready(m)
	if m.addr != "l" && !strings.Contains(m.addr, "r,") {
		return m.addr
	}
	g.kept++
	l := fmt.Sprintf("l%d", g.kept)
	g.line("%s := %s", l, m.addr)
	return l
}

func (g *generator) unlock(i int, a string) {
	g.held[i] = false
	if g.misuse && g.one(4) {
		return
	}
	g.visible("unlock exclusive mutex %s", a)
}

// inner is a statement inside another.
func (g *generator) inner() {
	if g.left <= 1 {
		g.access()
		return
	}
	g.statement()
}

// holds reports whether the thread is inside something where it had better not take
// another lock.
func (g *generator) holds() bool { return g.held[0] || g.held[1] || g.section }

// nested takes two locks in some order.
func (g *generator) nested() {
	if g.holds() {
		g.access()
		return
	}
	g.nestedFrom(g.IntN(2))
}

// nestedFrom takes lock number i first.
func (g *generator) nestedFrom(i int) {
	a := g.lock(i)
	b := g.lock(1 - i)
	g.access()
	g.unlock(1-i, b)
	g.unlock(i, a)
}

func (g *generator) tried() {
	if g.held[0] && !g.one(4) {
		g.access()
		return
	}
	yes, no := g.fresh(), g.fresh()
	m := g.address(g.locks[0])
	g.visible("ok := lock exclusive mutex %s try", m)
	g.line("if ok then %s else %s", yes, no)
	g.label(yes)
	held := g.held[0]
	g.held[0] = true
	g.access()
	g.held[0] = held
	g.visible("unlock exclusive mutex %s", m)
	g.line("goto %s", no)
	g.label(no)
}

func (g *generator) sharedLock() {
	if g.holds() {
		g.access()
		return
	}
	m := g.address(g.locks[0])
	g.visible("lock shared rwlock %s", m)
	if g.discipline == anyhow || g.discipline == byLock {
		c := g.cell()
		g.visible("r := load plain %s", c.addr)
	}
	g.visible("unlock %s rwlock %s", pick(g, "shared", "any"), m)
}

func (g *generator) atomicSection() {
	if g.discipline == byLock && !g.held[0] {
		g.access()
		return
	}
	left, outer := g.left, g.section
	g.line("atomic_begin")
	g.left, g.section = 3, true
	g.access()
	if g.one(3) {
		g.line("atomic_begin")
		g.access()
		g.line("atomic_end")
	}
	if g.has(Mutexes) && g.one(12) { // which may block: then there is no such execution
		g.line("lock exclusive mutex &m1")
		g.line("unlock exclusive mutex &m1")
	}
	g.section = outer
	g.line("atomic_end")
	g.left = left - 1
}

// selects looks at a cell in a section, and goes through one of two or three alternatives
// by chance, each of which holds for some values.
func (g *generator) selects() {
	if g.section || g.discipline == byLock && !g.held[0] {
		g.access()
		return
	}
	c, left := g.cell(), g.left
	g.ready(c)
	labels := []string{g.fresh(), g.fresh(), g.fresh()}[:2+g.IntN(2)]
	end := g.fresh()
	g.line("await k := %s until true", c.addr)
	g.line("goto %s", strings.Join(labels, ", "))
	for _, l := range labels {
		g.label(l)
		g.line("assume %s(k, i32 %d)", pick(g, "eq", "ne", "ge"), g.IntN(2))
		if g.one(2) {
			g.line("store plain %s, i32 %d", c.addr, g.IntN(3))
		}
		g.line("atomic_end")
		if g.one(2) {
			g.line("r := k")
		}
		g.line("goto %s", end)
	}
	g.label(end)
	g.left = left - 1
}

// await waits for one or two cells, and mostly changes what others wait for in the
// section that it begins.
func (g *generator) await() {
	if g.discipline == byLock && !g.held[0] {
		g.access()
		return
	}
	c, d := g.cell(), cell{addr: "&y"}
	g.ready(c)
	is := func(r string) string {
		return fmt.Sprintf("%s(%s, i32 %d)", pick(g, "eq", "ne", "ge", "le", "ge"), r, g.IntN(3))
	}
	left, outer := g.left, g.section
	set := true
	switch g.IntN(4) {
	case 0:
		g.line("await k := %s, w := %s until %s(%s, %s)", c.addr, d.addr, pick(g, "lor", "land"), is("k"), is("w"))
	case 1:
		set = false
		g.line("await until %s", is("r"))
	default:
		g.line("await k := %s until %s", c.addr, is("k"))
	}
	if set {
		g.line("r := k")
	}
	g.left, g.section = 2, true
	switch g.IntN(3) {
	case 0:
		g.visible("store plain %s, add(r, i32 1)", c.addr)
	case 1:
		g.access()
	}
	g.section = outer
	g.line("atomic_end")
	g.left = left - 1
}

func (g *generator) atomicUpdate() {
	c := g.cell()
	order := pick(g, "seq_cst", "seq_cst", "relaxed", "acq_rel")
	switch g.IntN(5) {
	case 0, 1:
		g.visible("r := rmw %s %s %s, i32 1", pick(g, "add", "add", "xchg", "or", "sub"), order, c.addr)
	case 2:
		g.visible("r, ok := cmpxchg %s %s, i32 %d, i32 %d%s", order, c.addr, g.IntN(2), 1+g.IntN(2), pick(g, "", "", " weak"))
	case 3:
		g.visible("r := load seq_cst %s", c.addr)
	case 4:
		g.visible("store seq_cst %s, i32 %d", c.addr, 1+g.IntN(2))
	}
}

// waitFor waits until the flag is set; with "if" in place of "while" sometimes.
func (g *generator) waitFor() {
	if g.holds() {
		g.access()
		return
	}
	test, wait, done := g.fresh(), g.fresh(), g.fresh()
	timed := pick(g, "", "", "", " timed")
	g.visible("lock exclusive mutex &m0")
	g.line("goto %s", test)
	g.label(test)
	g.visible("r := load plain &flag")
	g.line("if eq(r, i32 0) then %s else %s", wait, done)
	g.label(wait)
	g.visible("condwait &c, &m0%s", timed)
	back := done
	if timed == "" && g.one(2) {
		back = test
	}
	g.line("goto %s", back)
	g.label(done)
	g.visible("unlock exclusive mutex &m0")
}

func (g *generator) notify() {
	if g.holds() {
		g.access()
		return
	}
	g.visible("lock exclusive mutex &m0")
	g.visible("store plain &flag, i32 1")
	g.visible("condsignal &c%s", pick(g, "", " all"))
	g.visible("unlock exclusive mutex &m0")
}

func (g *generator) semaphore() {
	switch g.IntN(6) {
	case 0, 1, 2:
		g.visible("sempost &sem%s", pick(g, "", "", "", " all"))
	case 3, 4:
		g.visible("semwait &sem")
	case 5:
		g.visible("ok := semwait &sem try")
	}
}

// once lets a function run if no other thread has let one run.
func (g *generator) once() {
	if g.holds() {
		g.access()
		return
	}
	f := pick(g, "nothing", "mark", "setup")
	if f == "setup" && g.discipline != anyhow {
		f = "mark"
	}
	g.visible("once &o, fn %s", f)
	g.left--
}

// wait waits for another thread at the barrier.
func (g *generator) wait() {
	if g.holds() {
		g.access()
		return
	}
	g.visible("%sbarrierwait &bar", pick(g, "", "ok := "))
}

// twice takes a mutex that it holds.
func (g *generator) twice() {
	if g.holds() {
		g.access()
		return
	}
	g.visible("lock exclusive mutex &mr recursive")
	if g.one(4) {
		g.access()
	}
	g.visible("lock exclusive mutex &mr recursive")
	g.access()
	g.visible("unlock exclusive mutex &mr")
	if g.one(3) {
		g.access()
	}
	g.visible("unlock exclusive mutex &mr")
}

// publish makes an object and lets others know it.
func (g *generator) publish() {
	g.line("q := alloc heap struct(\"node\"), u64 1 zero%s", pick(g, "", "", "", " mayfail"))
	if g.one(2) {
		g.visible("store plain field(q, \"node\", n), i32 1")
	}
	g.visible("store %s &hp, q", g.order())
	if g.left > 0 && g.one(3) {
		g.visible("store %s field(q, \"node\", n), i32 2", g.order())
	}
}

// consume uses the object that was published, if there is one.
func (g *generator) consume() {
	yes, no := g.fresh(), g.fresh()
	g.visible("q := load %s &hp", g.order())
	g.line("if %s(q, null *struct(\"node\")) then %s else %s", pick(g, "ne", "ne", "ne", "ne", "eq"), yes, no)
	g.label(yes)
	switch n := g.IntN(8); {
	case n < 3:
		g.visible("r := load %s field(q, \"node\", n)", g.order())
	case n < 5 || n < 7 && !g.has(Mutexes):
		g.visible("store %s field(q, \"node\", n), i32 2", g.order())
	case n < 7:
		g.visible("lock exclusive mutex field(q, \"node\", lock)")
		g.visible("r := load plain field(q, \"node\", n)")
		g.visible("unlock exclusive mutex field(q, \"node\", lock)")
	default:
		g.visible("free q")
	}
	g.line("goto %s", no)
	g.label(no)
}

// branch does one of two things, as r says.
func (g *generator) branch() {
	yes, no, end := g.fresh(), g.fresh(), g.fresh()
	if g.one(2) {
		no = end
	}
	g.line("if %s(r, i32 %d) then %s else %s", pick(g, "eq", "ne", "lt", "gt"), g.IntN(3), yes, no)
	g.label(yes)
	left := g.left
	g.inner()
	g.line("goto %s", end)
	if no != end {
		g.label(no)
		used := left - g.left
		g.left = left
		g.inner()
		g.left = left - max(used, left-g.left)
		g.line("goto %s", end)
	}
	g.label(end)
}

// choice does one of two things, arbitrarily.
func (g *generator) choice() {
	yes, end := g.fresh(), g.fresh()
	if g.one(2) {
		g.line("goto %s, %s", yes, end)
	} else {
		g.line("b := havoc%s", pick(g, "", " input"))
		g.line("if b then %s else %s", yes, end)
	}
	g.label(yes)
	g.inner()
	g.line("goto %s", end)
	g.label(end)
}

// loop does something at most twice.
func (g *generator) loop() {
	i := []string{"j0", "j1", "j2"}[g.depth%3]
	head, body, end := g.fresh(), g.fresh(), g.fresh()
	bound := "i32 2"
	if g.one(2) {
		g.line("k := add(and(r, i32 1), i32 %d)", g.IntN(2))
		bound = "k"
	}
	g.line("%s := i32 0", i)
	g.line("goto %s", head)
	g.label(head)
	g.line("if lt(%s, %s) then %s else %s", i, bound, body, end)
	g.label(body)
	left := g.left
	g.access()
	g.left -= left - g.left
	g.line("%s := add(%s, i32 1)", i, i)
	g.line("goto %s", head)
	g.label(end)
}

func (g *generator) call() {
	if !g.protected() || g.has(Mutexes) && g.one(3) {
		if g.holds() || !g.has(Mutexes) {
			g.access()
			return
		}
		m, c := g.address(g.locks[0]), g.cell()
		g.line("call under(%s, %s, i32 %d)", m, c.addr, 1+g.IntN(2))
		g.left -= 3
		return
	}
	c := g.cell()
	switch g.IntN(4) {
	case 0, 1:
		g.line("call inc(%s)", c.addr)
		g.left -= 2
	case 2:
		g.line("r := call get(%s)", c.addr)
		g.left--
	case 3:
		g.line("call *select(eq(r, i32 0), fn inc, fn twice)(%s)", c.addr)
		g.left -= 2
	}
}

// check asserts something about the last value read.
func (g *generator) check() {
	g.visible("assert %s(r, i32 %d) tag thread", pick(g, "ne", "ne", "le", "ge"), pick(g, 0, 1, 2, 2, 3))
}

// wrong uses a lock wrongly.
func (g *generator) wrong() {
	m := pick(g, g.locks...)
	g.ready(m)
	switch g.IntN(4) {
	case 0, 1:
		g.visible("unlock exclusive mutex %s", m.addr)
	case 2:
		g.visible("lock exclusive mutex %s", m.addr)
	case 3:
		g.visible("lock exclusive mutex %s", m.addr)
		g.visible("lock exclusive mutex %s", m.addr)
	}
}
