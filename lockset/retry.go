package lockset

import "whoop/ir"

// findRetries marks the lock functions of sequence locks: see lock.retry.
func (l *locks) findRetries() {
	for _, f := range l.f.p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				lk, ok := in.(*ir.Lock)
				if !ok || lk.Class != "seq" || lk.Mode != ir.Shared {
					continue
				}
				for _, fn := range l.list {
					if k, ok := theoryOf[*lock](fn); ok && l.f.affects(lk, lk.Lock, fn) {
						k.retry = true
					}
				}
			}
		}
	}
}
