package alias

import "whoop/ir"

// Points returns the objects, functions among them, of which an expression in function in
// may be an address, or a number made of one; others tells that there may be more. Null
// and numbers that were never an address are not among them.
func (r *Result) Points(e ir.Expr, in *ir.Func) (objects []*Object, others bool) {
	seen := map[*object]bool{}
	for ctx := range r.s.ctxs {
		if ctx != 0 && r.s.ctxs[ctx].fn != in {
			continue
		}
		n := r.s.eval(e, int32(ctx))
		r.s.solve()
		r.s.pts(n).each(func(c int32) {
			switch {
			case anything(c):
				others = true
			case c >= numSpecial && !seen[r.s.cells[c].obj]:
				o := r.s.cells[c].obj
				seen[o] = true
				objects = append(objects, &o.Object)
			}
		})
	}
	return objects, others
}
