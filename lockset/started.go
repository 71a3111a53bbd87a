package lockset

import (
	"fmt"

	"whoop/analysis/mhp"
	"whoop/ir"
	"whoop/lockset/permission"
)

// Threads that are started and joined on some ways only: `if (flag) pthread_create(…);
// … if (flag) pthread_join(…);`. Main has all of a resource until it starts the thread (it
// owes that), the thread has it while it runs, and a join behind which no such thread is
// alive (mhp.Sometimes) gives it back: an ended thread has no use for it.
//
// Nobody but main starts such threads, at one place. Main has all of the resource when it
// does, so the thread that it started there before has ended, or never was. If no thread
// could be made, main keeps the resource.

// started is the theory of one such thread.
type started struct{ mhp.Sometimes }

func (*started) traits() traits { return traits{whole: true, everywhere: true, hidden: true} }

// initial: main has it until there is a thread, which has it as long as it runs.
func (s *started) initial(x *instrumenter, _ *guard) (full, some ir.Expr) {
	if x.isMain() || s.Entry == x.entry {
		return ir.BoolConst(true), ir.BoolConst(true)
	}
	return nil, nil
}

func (s *started) transfers(x *instrumenter, in ir.Instr, _ *guard) []permission.Transfer {
	switch in := in.(type) {
	case *ir.Spawn:
		if x.seq.Origin[in].Instr != ir.Instr(s.Spawn) {
			return nil
		}
		out := []permission.Transfer{{Kind: permission.Owe, Share: permission.Full, Owed: true}, {Kind: permission.Exhale}}
		if in.OK != nil {
			out[1].If = ir.Use{Reg: in.OK}
		}
		return out
	case *ir.Join:
		if j, ok := x.seq.Origin[in].Instr.(*ir.Join); ok && s.Joins[j] && x.isMain() {
			return []permission.Transfer{permission.Gets(permission.Full, nil)}
		}
	}
	return nil
}

// maxStarted bounds these threads. Precision only.
const maxStarted = 8

// startedLocks adds the resources of the threads that main joins on some ways only.
func (l *locks) startedLocks() {
	for _, e := range l.f.p.Entries {
		if !isMain(e) {
			continue
		}
		for i, s := range l.f.mh.Sometimes(e) {
			if i == maxStarted {
				break
			}
			name := "before " + s.Entry.Name + " starts, or behind its end"
			l.global = append(l.global, l.token(fmt.Sprintf("started:%d", i), name, nil, &started{s}))
		}
	}
}
