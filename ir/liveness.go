package ir

// Liveness returns the registers that may be read after the start of each block before
// they are written.
func Liveness(f *Func) map[*Block]map[*Reg]bool {
	live := map[*Block]map[*Reg]bool{}
	rpo := RPO(f)
	for _, b := range rpo {
		live[b] = map[*Reg]bool{}
	}
	for changed := true; changed; {
		changed = false
		for i := len(rpo) - 1; i >= 0; i-- {
			b := rpo[i]
			now := LiveAt(live, b, 0)
			if len(now) != len(live[b]) {
				live[b], changed = now, true
			}
		}
	}
	return live
}

// LiveAt returns the registers that may be read from an instruction of a block on before
// they are written, where live is what Liveness says of the function.
func LiveAt(live map[*Block]map[*Reg]bool, b *Block, index int) map[*Reg]bool {
	now := map[*Reg]bool{}
	for _, s := range b.Succs() {
		for r := range live[s] {
			now[r] = true
		}
	}
	Reads(now, TermOperands(b.Term))
	for i := len(b.Instrs) - 1; i >= index; i-- {
		for _, d := range Defs(b.Instrs[i]) {
			delete(now, d)
		}
		Reads(now, Operands(b.Instrs[i]))
	}
	return now
}

// Reads adds the registers that the expressions read.
func Reads(set map[*Reg]bool, es []Expr) {
	for _, e := range es {
		WalkExpr(e, func(e Expr) bool {
			if u, ok := e.(Use); ok {
				set[u.Reg] = true
			}
			return true
		})
	}
}
