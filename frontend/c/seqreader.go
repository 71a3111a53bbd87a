package c

import (
	"slices"

	"modernc.org/cc/v4"

	"whoop/frontend/models"
	"whoop/ir"
)

// A reader of a sequence lock counts as holding it shared, since what it reads while a
// writer is active is thrown away. That is so only where it asks whether one was, and
// does something about it: a function that never calls read_seqretry, or does not look at
// the result, reads without a lock.

// seqReads are the calls of a function that begin such a section, and those that end it
// and whose result is looked at.
type seqReads struct{ begins, retries int }

// isSeqReader reports whether a model is of a reader of sequence locks.
func isSeqReader(m *models.Func) bool {
	return m != nil && m.Class == "seq" && m.Mode == string(ir.Shared) && (m.Op == models.OpLock || m.Op == models.OpUnlock)
}

// seqCall notes a call.
func (l *lowerer) seqCall(m *models.Func) {
	if isSeqReader(m) {
		if m.Op == models.OpLock {
			l.seq.begins++
		} else {
			l.seq.retries++
		}
	}
}

// seqIgnored takes back a call whose result is not looked at.
func (l *lowerer) seqIgnored(e cc.ExpressionNode) {
	x, ok := unparen(e).(*cc.PostfixExpression)
	if !ok || x.Case != cc.PostfixExpressionCall {
		return
	}
	name, _ := callee(x)
	if m := l.m.Func(name); isSeqReader(m) && m.Op == models.OpUnlock {
		l.seq.retries--
	}
}

// seqReaders takes out the shared holds of a function that does not keep to the rule.
func (l *lowerer) seqReaders() {
	if l.seq.begins > 0 && l.seq.retries > 0 || l.seq.begins <= 0 && l.seq.retries <= 0 {
		return
	}
	for _, b := range l.f.Blocks {
		b.Instrs = slices.DeleteFunc(b.Instrs, func(in ir.Instr) bool {
			switch in := in.(type) {
			case *ir.Lock:
				return in.Class == "seq" && in.Mode == ir.Shared
			case *ir.Unlock:
				return in.Class == "seq" && in.Mode == ir.Shared
			}
			return false
		})
	}
}
