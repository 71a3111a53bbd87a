package randprog

// tail makes an object with a tail of a size that is not known, and accesses it near its
// end.
func (g *generator) tail() {
	g.line("b := havoc")
	g.line("ok := havoc")
	g.line("z := add(select(b, u64 2, u64 0), select(ok, u64 1, u64 0))")
	g.line("q := alloc heap struct(\"node\"), u64 1 bytes %s zero",
		pick(g, "add(u64 16, mul(z, u64 4))", "add(u64 16, z)", "add(mul(z, u64 12), u64 4)", "mul(u64 16, add(z, u64 1))"))
	for range 1 + g.IntN(3) {
		g.tailAccess()
	}
	if g.one(3) {
		g.visible("store %s &hp, q", g.order())
	}
}

// tailAccess accesses the object of q, whose size depends on z.
func (g *generator) tailAccess() {
	at := pick(g, "u64 0", "u64 4", "u64 16", "add(u64 12, mul(z, u64 4))", "add(u64 15, z)", "z", "mul(z, u64 4)")
	n := pick(g, "z", "mul(z, u64 3)", "mul(z, u64 4)", "add(z, u64 5)", "sub(u64 8, z)")
	word := "index(q, " + at + ", 1, *i32)"
	kind := g.IntN(7)
	if kind > 4 && g.discipline != anyhow { // these access what others may
		kind = 0
	}
	switch kind {
	case 0:
		g.visible("store plain %s, %s", word, pick(g, "i32 1", "r", "i32 258"))
	case 1:
		g.visible("store plain index(q, %s, 1, *u8), u8 3", at)
	case 2:
		g.visible("r := load plain %s", word)
	case 3:
		g.visible("memset plain index(q, %s, 1, *u8), u8 1, %s", at, n)
	case 4:
		g.visible("memcopy plain index(q, %s, 1, *u8), index(q, u64 4, 1, *u8), %s", at, n)
	case 5:
		g.visible("memcopy plain %s, %s, %s", word, pick(g, "&arr", "index(&arr, z, 1, *u8)"), n)
	default:
		g.visible("%s", pick(g, "memset plain &arr, u8 1, "+n, "memcopy plain index(&arr, z, 1, *i32), "+word+", "+n))
	}
	if g.has(Asserts) && g.one(2) {
		g.line("r := load plain %s", pick(g, `field(q, "node", n)`, word))
		g.line("assert %s(r, i32 %d) tag tail", pick(g, "ne", "le", "ge"), pick(g, 0, 1, 257, 16843009, 65793))
	}
}
