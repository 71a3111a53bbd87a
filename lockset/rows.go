package lockset

import (
	"fmt"

	"whoop/analysis/alias"
	"whoop/ir"
)

// Rows of a matrix with a lock each: locks[r] for cell[r][c]. The frame is the number of a
// row, the resource the lock with that index, and the accesses that it protects are those
// to the row: every byte of a matrix lies in one row. An access that names row and column,
// cell[r][c], is to row r, since the column stays within the row (assumption
// memory-safety). Of another address it counts between which addresses of rows it lies.

// sameRow relates the rows of a global matrix to the elements of another global array.
func (l *locks) sameRow(r, k *alias.Region) (regionLock, bool) {
	g, h := single(r), single(k)
	if g == nil || h == nil || g == h || r.Elem == 0 || r.ArrayStart != 0 || k.Elem == 0 || !k.Exact {
		return regionLock{}, false
	}
	rows, ok := g.Type.(ir.Array)
	if !ok {
		return regionLock{}, false
	}
	row, ok := rows.Elem.(ir.Array)
	if !ok || row.Size() <= 0 {
		return regionLock{}, false
	}
	fr := l.frame(fmt.Sprintf("row:%s/%d", g.Name, row.Size()))
	fr.watch.Type = ir.I64
	at := func(base ir.Expr, i ir.Expr, stride int64) ir.Expr {
		return ir.IndexAddr{Base: base, Idx: i, Stride: stride, T: ir.VPtr}
	}
	number := ir.Use{Reg: fr.watch}
	locks := offsetFrom(asPtr(ir.GlobalAddr{Global: h}), k.ArrayStart+k.Offset)
	fn := l.lock(fmt.Sprintf("%s:%s+%d+%d", fr.key, h.Name, k.ArrayStart, k.Offset), h.Name+"[same row]", fr, at(locks, number, k.Elem), k)
	matrix := asPtr(ir.GlobalAddr{Global: g})
	return regionLock{fn: fn, perRegion: true, watched: func(a ir.Expr) ir.Expr {
		if i := rowOf(a, g, row.Size()); i != nil {
			return ir.Binary{Op: "eq", X: i, Y: number}
		}
		next := ir.Binary{Op: "add", X: number, Y: ir.IntConst(ir.I64, 1)}
		return ir.Binary{Op: "land", X: ir.Binary{Op: "le", X: at(matrix, number, row.Size()), Y: asPtr(a)},
			Y: ir.Binary{Op: "lt", X: asPtr(a), Y: at(matrix, next, row.Size())}}
	}}, true
}

// rowOf is the index of the row that an address names: the sum of those by which it goes
// from row to row, in front of what is within the row. It is nil where there is none.
func rowOf(a ir.Expr, g *ir.Global, size int64) ir.Expr {
	var sum ir.Expr
	for {
		switch x := a.(type) {
		case ir.Cast:
			if !ir.IsPtr(x.X.Type()) {
				return nil
			}
			a = x.X
		case ir.FieldAddr:
			if sum != nil {
				return nil
			}
			a = x.Base
		case ir.IndexAddr:
			i := ir.Expr(ir.Cast{X: x.Idx, T: ir.I64})
			switch {
			case x.Stride == size && sum == nil:
				sum = i
			case x.Stride == size:
				sum = ir.Binary{Op: "add", X: i, Y: sum}
			case sum != nil || x.Stride > size:
				return nil
			}
			a = x.Base
		case ir.GlobalAddr:
			if x.Global != g {
				return nil
			}
			return sum
		default:
			return nil
		}
	}
}
