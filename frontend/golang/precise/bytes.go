package precise

import (
	"go/token"
	"go/types"
	"slices"
	"sort"
	"unicode/utf8"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// Strings as bytes and runes, exactly, and strings that are made of others: where these
// are constants of the program, and what is made is one, too. What is made is otherText
// where it is none.

// otherText stands for every string that is none of the constants of the program: those
// it is not equal to, and all else is not known of it.
const otherText = unknownText + 1

// longestText is how long texts are that are found when they are made.
const longestText = 32

// CopyOfText is the address of a new array with the bytes, or the runes, of a string.
func (x *Fn) CopyOfText(s ir.Expr, runes bool) irgen.Value {
	name, elem := "bytes of a string", ir.Int{Bits: 8}
	if runes {
		name, elem = "runes of a string", ir.I32
	}
	pt := ir.Ptr{Elem: elem}
	f := x.ask(name, pt, []ir.Type{irgen.OpaqueT}, func(x *Fn, p irgen.Value) {
		x.ofText(p[0], func(s string) ir.Expr { return x.newText(s, elem) })
	})
	return irgen.Value{irgen.Typed(x.answer(f, irgen.Value{s}), pt), x.countOf(s, runes)}
}

// countOf is the number of bytes or runes of a string.
func (x *Fn) countOf(s ir.Expr, runes bool) ir.Expr {
	if !runes {
		return x.TextLen(s)
	}
	if t, ok := x.constText(s); ok {
		return ir.IntConst(irgen.IntT, int64(utf8.RuneCountInString(t)))
	}
	f := x.ask("number of runes of a string", irgen.IntT, []ir.Type{irgen.OpaqueT}, func(x *Fn, p irgen.Value) {
		x.ofText(p[0], func(s string) ir.Expr { return ir.IntConst(irgen.IntT, int64(utf8.RuneCountInString(s))) })
	})
	return x.answer(f, irgen.Value{s})
}

// newText makes an array with a text in it.
func (x *Fn) newText(s string, elem ir.Int) ir.Expr {
	var cells []int64
	if elem.Bits == 8 {
		for _, b := range []byte(s) {
			cells = append(cells, int64(b))
		}
	} else {
		for _, r := range s {
			cells = append(cells, int64(r))
		}
	}
	r := x.Temp(ir.Ptr{Elem: elem})
	x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: elem, Count: ir.IntConst(ir.U64, int64(len(cells))), Kind: "heap", Zero: true})
	for i, c := range cells {
		x.Emit(&ir.Store{Base: x.Base(), Addr: cellAt(ir.Use{Reg: r}, elem, i), Val: ir.IntConst(elem, c), Order: ir.Plain})
	}
	return ir.Use{Reg: r}
}

func cellAt(array ir.Expr, elem ir.Int, i int) ir.Expr {
	return ir.IndexAddr{Base: array, Idx: ir.IntConst(irgen.IntT, int64(i)), Stride: elem.Size(), T: ir.Ptr{Elem: elem}}
}

// textOf is the string that has the elements of a slice as bytes or runes. They are read.
func (x *Fn) textOf(v irgen.Value, runes bool) ir.Expr {
	name, elem := "string of bytes", ir.Int{Bits: 8}
	if runes {
		name, elem = "string of runes", ir.I32
	}
	f := x.ask(name, irgen.OpaqueT, []ir.Type{ir.Ptr{Elem: elem}, irgen.IntT}, func(x *Fn, p irgen.Value) {
		for n, ids := range x.textsBySize(runes) {
			is, els := x.Block("is"), x.Block("else")
			x.Branch(irgen.Bin("eq", p[1], ir.IntConst(irgen.IntT, int64(n))), is, els)
			x.Start(is)
			x.findText(p[0], elem, n, ids)
			x.Start(els)
		}
		x.GiveBack(irgen.Value{x.Hold(ir.Select{C: irgen.Bin("gt", p[1], ir.IntConst(irgen.IntT, longestText)), X: ir.IntConst(irgen.OpaqueT, unknownText), Y: ir.IntConst(irgen.OpaqueT, otherText)})})
	})
	return x.answer(f, irgen.Value{irgen.Typed(v[0], ir.Ptr{Elem: elem}), v[1]})
}

// textsBySize lists the known texts by their numbers of bytes or runes. All sizes up to
// longestText are there: their elements are read.
func (x *Fn) textsBySize(runes bool) [][]int {
	out := make([][]int, longestText+1)
	texts, _ := x.allTexts()
	for i, s := range texts {
		n := len(s)
		if runes {
			n = utf8.RuneCountInString(s)
		}
		if n <= longestText && (!runes || utf8.ValidString(s)) {
			out[n] = append(out[n], i)
		}
	}
	return out
}

// allTexts is knownTexts with the empty string.
func (l *Program) allTexts() ([]string, []int64) {
	texts, ids := l.knownTexts()
	if !slices.Contains(ids, 0) {
		texts, ids = append([]string{""}, texts...), append([]int64{0}, ids...)
	}
	return texts, ids
}

// findText returns the number of the text, of some of one size, that is in an array.
func (x *Fn) findText(array ir.Expr, elem ir.Int, n int, among []int) {
	var cells []ir.Expr
	for i := range n {
		c := x.Get(cellAt(array, elem, i), elem)
		if elem.Bits == 32 { // what is no character is U+FFFD
			surrogate := irgen.Bin("land", irgen.Bin("ge", c, ir.IntConst(elem, 0xd800)), irgen.Bin("lt", c, ir.IntConst(elem, 0xe000)))
			bad := irgen.Bin("lor", irgen.Bin("lor", irgen.Bin("lt", c, ir.IntConst(elem, 0)), irgen.Bin("gt", c, ir.IntConst(elem, utf8.MaxRune))), surrogate)
			c = x.Hold(ir.Select{C: bad, X: ir.IntConst(elem, utf8.RuneError), Y: c})
		}
		cells = append(cells, c)
	}
	texts, ids := x.allTexts()
	for _, t := range among {
		want := []rune(texts[t])
		if elem.Bits == 8 {
			want = nil
			for _, b := range []byte(texts[t]) {
				want = append(want, rune(b))
			}
		}
		same := ir.Expr(ir.BoolConst(true))
		for i, c := range cells {
			same = irgen.Bin("land", same, irgen.Bin("eq", c, ir.IntConst(elem, int64(want[i]))))
		}
		is, els := x.Block("is"), x.Block("else")
		x.Branch(same, is, els)
		x.Start(is)
		x.GiveBack(irgen.Value{ir.IntConst(irgen.OpaqueT, ids[t])})
		x.Start(els)
	}
	x.GiveBack(irgen.Value{ir.IntConst(irgen.OpaqueT, otherText)})
}

// isKnown reports whether the number of a string is that of a constant.
func (x *Fn) isKnown(s ir.Expr) ir.Expr {
	f := x.ask("is a constant", irgen.BoolT, []ir.Type{irgen.OpaqueT}, func(x *Fn, p irgen.Value) {
		_, ids := x.allTexts()
		yes := ir.Expr(ir.BoolConst(false))
		// the numbers of constants follow each other but for texts that are made
		for i := 0; i < len(ids); {
			k := i + 1
			for k < len(ids) && ids[k] == ids[k-1]+1 {
				k++
			}
			in := irgen.Bin("land", irgen.Bin("ge", p[0], ir.IntConst(irgen.OpaqueT, ids[i])), irgen.Bin("le", p[0], ir.IntConst(irgen.OpaqueT, ids[k-1])))
			yes, i = irgen.Bin("lor", yes, in), k
		}
		x.GiveBack(irgen.Value{x.Hold(irgen.Truth(yes))})
	})
	return irgen.Cond(x.answer(f, irgen.Value{s}))
}

// Joined is a string after another one.
func (x *Fn) Joined(a, b ir.Expr) ir.Expr {
	f := x.ask("string + string", irgen.OpaqueT, []ir.Type{irgen.OpaqueT, irgen.OpaqueT}, func(x *Fn, p irgen.Value) {
		texts, ids := x.allTexts()
		byText := map[string]int64{}
		for i, t := range texts {
			byText[t] = ids[i]
		}
		for i, t := range texts {
			for k := range len(t) + 1 {
				a, first := byText[t[:k]]
				b, second := byText[t[k:]]
				if first && second {
					is, els := x.Block("is"), x.Block("else")
					x.Branch(irgen.Bin("land", irgen.Bin("eq", p[0], ir.IntConst(irgen.OpaqueT, a)), irgen.Bin("eq", p[1], ir.IntConst(irgen.OpaqueT, b))), is, els)
					x.Start(is)
					x.GiveBack(irgen.Value{ir.IntConst(irgen.OpaqueT, ids[i])})
					x.Start(els)
				}
			}
		}
		x.GiveBack(irgen.Value{x.Hold(ir.Select{C: irgen.Bin("land", x.isKnown(p[0]), x.isKnown(p[1])), X: ir.IntConst(irgen.OpaqueT, otherText), Y: ir.IntConst(irgen.OpaqueT, unknownText)})})
	})
	return x.answer(f, irgen.Value{a, b})
}

// partOfText is s[low:high], which is in range.
func (x *Fn) partOfText(s, low, high ir.Expr) ir.Expr {
	f := x.ask("part of a string", irgen.OpaqueT, []ir.Type{irgen.OpaqueT, irgen.IntT, irgen.IntT}, func(x *Fn, p irgen.Value) {
		texts, ids := x.allTexts()
		for i, s := range texts {
			is, els := x.Block("is"), x.Block("else")
			x.Branch(irgen.Bin("eq", p[0], ir.IntConst(irgen.OpaqueT, ids[i])), is, els)
			x.Start(is)
			for k, t := range texts {
				for at := 0; at+len(t) <= len(s); at++ {
					if t == "" && at > 0 || s[at:at+len(t)] != t {
						continue
					}
					here := irgen.Bin("land", irgen.Bin("eq", p[1], ir.IntConst(irgen.IntT, int64(at))), irgen.Bin("eq", p[2], ir.IntConst(irgen.IntT, int64(at+len(t)))))
					if t == "" {
						here = irgen.Bin("eq", p[1], p[2])
					}
					yes, no := x.Block("is"), x.Block("else")
					x.Branch(here, yes, no)
					x.Start(yes)
					x.GiveBack(irgen.Value{ir.IntConst(irgen.OpaqueT, ids[k])})
					x.Start(no)
				}
			}
			x.GiveBack(irgen.Value{ir.IntConst(irgen.OpaqueT, otherText)})
			x.Start(els)
		}
		x.GiveBack(irgen.Value{ir.IntConst(irgen.OpaqueT, unknownText)})
	})
	return x.answer(f, irgen.Value{s, low, high})
}

// SliceText is a slice expression of a string.
func (x *Fn) SliceText(v *ssa.Slice) irgen.Value {
	s := x.One(v.X)
	length := x.Hold(x.TextLen(s))
	low, high := ir.Expr(ir.IntConst(irgen.IntT, 0)), length
	if v.Low != nil {
		low = irgen.Typed(x.One(v.Low), irgen.IntT)
	}
	if v.High != nil {
		high = irgen.Typed(x.One(v.High), irgen.IntT)
	}
	x.Ordered("slice bounds out of range", ir.IntConst(irgen.IntT, 0), low, high, length)
	return irgen.Value{x.partOfText(s, low, high)}
}

// TextOrder compares strings by <, <=, > or >=.
func (x *Fn) TextOrder(op token.Token, a, b ir.Expr) ir.Expr {
	rank := func(s ir.Expr) ir.Expr {
		f := x.ask("place of a string in their order", irgen.IntT, []ir.Type{irgen.OpaqueT}, func(x *Fn, p irgen.Value) {
			texts, _ := x.allTexts()
			sort.Strings(texts)
			x.ofText(p[0], func(s string) ir.Expr { return ir.IntConst(irgen.IntT, int64(sort.SearchStrings(texts, s))) })
		})
		return x.answer(f, irgen.Value{s})
	}
	return irgen.Bin(irgen.BinOps[op], rank(a), rank(b))
}

// RangeText begins a range loop over a string.
func (x *Fn) RangeText(v *ssa.Range) {
	r := visiting{At: x.Temp(irgen.IntT)}
	x.Visited[v] = r
	x.Assign(r.At, ir.IntConst(irgen.IntT, 0))
}

// NextText is a step of a range loop over a string.
func (x *Fn) NextText(rng *ssa.Range) irgen.Value {
	s, r := x.One(rng.X), x.Visited[rng]
	at := x.Temp(irgen.IntT)
	x.Assign(at, ir.Use{Reg: r.At})
	ok := x.Hold(irgen.Truth(irgen.Bin("lt", ir.Use{Reg: at}, x.TextLen(s))))
	char := x.Temp(ir.I32)
	x.Assign(char, ir.IntConst(ir.I32, 0))
	x.When(irgen.Cond(ok), func() {
		x.Assign(char, x.runeAt(s, ir.Use{Reg: at}, false))
		x.Assign(r.At, irgen.Bin("add", ir.Use{Reg: at}, irgen.Typed(x.runeAt(s, ir.Use{Reg: at}, true), irgen.IntT)))
	})
	return irgen.Value{ok, ir.Use{Reg: at}, ir.Use{Reg: char}}
}

// runeAt is the rune at a place in a string, or how many bytes it has.
func (x *Fn) runeAt(s, at ir.Expr, width bool) ir.Expr {
	name := "rune of a string"
	if width {
		name = "width of a rune"
	}
	f := x.ask(name, ir.I32, []ir.Type{irgen.OpaqueT, irgen.IntT}, func(x *Fn, p irgen.Value) {
		x.ofText(p[0], func(s string) ir.Expr {
			out := ir.Expr(ir.IntConst(ir.I32, 0))
			for i := range len(s) {
				r, n := utf8.DecodeRuneInString(s[i:])
				is := int64(r)
				if width {
					is = int64(n)
				}
				out = ir.Select{C: irgen.Bin("eq", p[1], ir.IntConst(irgen.IntT, int64(i))), X: ir.IntConst(ir.I32, is), Y: out}
			}
			return x.Hold(out)
		})
	})
	return x.answer(f, irgen.Value{s, at})
}

// ConvertText is a conversion between strings and slices of bytes or runes.
func (x *Fn) ConvertText(from ssa.Value, to types.Type) (irgen.Value, bool) {
	isText := func(t types.Type) bool {
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Info()&types.IsString != 0
	}
	elem := func(t types.Type) (runes, ok bool) {
		s, isSlice := t.Underlying().(*types.Slice)
		if !isSlice {
			return false, false
		}
		b, ok := s.Elem().Underlying().(*types.Basic)
		return ok && b.Kind() == types.Int32, ok && (b.Kind() == types.Int32 || b.Kind() == types.Uint8)
	}
	if runes, ok := elem(to); ok && isText(from.Type()) {
		v := x.CopyOfText(x.One(from), runes)
		return irgen.Value{irgen.Typed(v[0], x.lay.Of(to).Leaves[0].T), x.Hold(v[1]), x.Hold(v[1])}, true
	}
	if runes, ok := elem(from.Type()); ok && isText(to) {
		return irgen.Value{x.textOf(x.Val(from), runes)}, true
	}
	return nil, false
}
