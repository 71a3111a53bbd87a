package boogie

import (
	"fmt"

	"whoop/analysis/alias"
	"whoop/ir"
)

// sharedAccess reports whether an instruction accesses memory that two threads may reach.
func (t *program) sharedAccess(in ir.Instr) bool {
	if t.res.Fresh(in) {
		return false
	}
	for _, a := range t.res.Accesses(in) {
		if reachable(a) {
			return true
		}
	}
	return false
}

func reachable(a alias.Access) bool {
	for _, r := range a.Regions {
		if r.Shared {
			return true
		}
	}
	return a.Unknown
}

// checkRaces announces the accesses of an instruction to $access, which asserts that no
// other thread is about to make a conflicting one.
func (p *proc) checkRaces(in ir.Instr) {
	if !p.opt.CheckRaces || !p.sharedAccess(in) {
		return
	}
	for _, a := range p.res.Accesses(in) {
		if !reachable(a) {
			continue
		}
		addr, n := p.value(a.Addr), fmt.Sprint(a.Size)
		switch i := in.(type) {
		case *ir.MemCopy:
			n = p.value(i.Size)
		case *ir.MemSet:
			n = p.value(i.Size)
		case *ir.Call:
			p.note("races of functions that are not seen are not looked for")
			continue
		case *ir.Free:
			if i.Scope {
				p.note("uses of a variable of a block after its end are not looked for")
				continue
			}
			addr, n = objectOf(addr), fmt.Sprint(window)
		case *ir.Touch:
			if i.Size != nil {
				n = p.value(i.Size)
			} else {
				addr, n = objectOf(addr), fmt.Sprint(window)
			}
		}
		p.line("call %s($tid, %s, %s, %t, %t);", p.use("$access"), bare(addr), bare(n), a.Write, a.Order.Atomic())
	}
}

// raceHelpers are about races: a thread may stop before an access and watch it; $watch is
// the thread that does. A conflicting access by another thread is a race then.
func raceHelpers() []helper {
	return []helper{{"$access", `// An access to the n bytes at a; another thread's conflicting one that waits is a race.
procedure {:inline 1} $access($tid: int, a: int, n: int, write: bool, atomic: bool)
{
  ENTER
  assert {:tag "race"} $watch == 0 || $watch == $tid || a + n <= $watch_from || $watch_to <= a || !(write || $watch_write) || (atomic && $watch_atomic);
  LEAVE
  if (*) {
    ENTER
    assume $watch == 0;
    $watch := $tid;
    $watch_from := a;
    $watch_to := a + n;
    $watch_write := write;
    $watch_atomic := atomic;
    LEAVE
    yield;
    $watch := 0;
  }
}
`}}
}
