package boogie

import "strings"

// helper is a procedure of the prelude.
type helper struct{ name, text string }

// procedures are the procedures of the prelude, in the order in which they are written.
func (t *program) procedures() []helper {
	hs := append(t.memoryHelpers(), t.lockHelpers()...)
	hs = append(append(hs, t.waitHelpers()...), raceHelpers()...)
	if t.feat.atomics {
		hs = append(hs, helper{"$nesting", `// Atomic sections within atomic sections.
procedure {:inline 1} $atomic_begin($tid: int)
{
  if ($nesting[$tid] == 0) { call corral_atomic_begin(); }
  $nesting[$tid] := $nesting[$tid] + 1;
}
procedure {:inline 1} $atomic_end($tid: int)
{
  $nesting[$tid] := $nesting[$tid] - 1;
  if ($nesting[$tid] == 0) { call corral_atomic_end(); }
}
`})
	}
	r := strings.NewReplacer("ENTER", t.enter(), "LEAVE", t.leave())
	for i := range hs {
		hs[i].text = r.Replace(hs[i].text)
	}
	return hs
}

// memoryHelpers are about objects and blocks of memory. Cells at which a block operation
// ends in the middle become arbitrary.
func (t *program) memoryHelpers() []helper {
	return []helper{
		{"$alloc", `// A new object; no two overlap, and none is used again.
procedure {:inline 1} $alloc() returns (p: int)
{
  call corral_atomic_begin();
  p := $next;
  $next := $next + 4294967296;
  call corral_atomic_end();
}
`},
		{"$fill", `// M with v in the cells of s bytes that lie in the n bytes at p.
procedure $fill(M: [int]int, p: int, n: int, s: int, v: int) returns (R: [int]int);
  ensures (forall a: int :: {R[a]} p <= a && a + s <= p + n ==> R[a] == v);
  ensures (forall a: int :: {R[a]} a + s <= p || p + n <= a ==> R[a] == M[a]);
`},
		{"$copy", `// M with the n bytes at q copied to p, in cells of s bytes.
procedure $copy(M: [int]int, p: int, q: int, n: int, s: int) returns (R: [int]int);
  ensures (forall a: int :: {R[a]} p <= a && a + s <= p + n ==> R[a] == M[a - p + q]);
  ensures (forall a: int :: {R[a]} a + s <= p || p + n <= a ==> R[a] == M[a]);
`},
		{"$scramble", `// M with arbitrary values in the n bytes at p, in cells of s bytes.
procedure $scramble(M: [int]int, p: int, n: int, s: int) returns (R: [int]int);
  ensures (forall a: int :: {R[a]} a + s <= p || p + n <= a ==> R[a] == M[a]);
`},
		{"$new_thread", `// The number of a new thread; main is 1.
procedure {:inline 1} $new_thread() returns (t: int)
{
  call corral_atomic_begin();
  $threads := $threads + 1;
  t := $threads;
  call corral_atomic_end();
}
`},
	}
}

// lockHelpers are about locks: $owner is the thread that holds one exclusively, $readers
// counts shared holds, $depth those of the owner.
func (t *program) lockHelpers() []helper {
	rec, self, take, check := "", "", "  $owner[p] := $tid;\n", ""
	if t.feat.recursive {
		rec, self = ", rec: bool", "($owner[p] == $tid && (rec || $recursive[p]))"
		take += "  $depth[p] := $depth[p] + 1;\n"
	}
	free := "$owner[p] == 0"
	if t.feat.shared {
		free += " && $readers[p] == 0"
	}
	sharedFree, sharedTake := "$owner[p] == 0", "  $readers[p] := $readers[p] + 1;\n"
	if self != "" {
		free = "(" + free + ") || " + self
		sharedFree += " || " + self
		sharedTake = "  if ($owner[p] == $tid) { $depth[p] := $depth[p] + 1; } else { $readers[p] := $readers[p] + 1; }\n"
	}
	if t.opt.CheckLocks {
		check = "  assert {:tag \"double-lock\"} $owner[p] != $tid"
		if self != "" {
			check += " || rec || $recursive[p]"
		}
		check += ";\n"
	}
	lock := func(name, cond, take string) helper {
		return helper{name, "procedure {:inline 1} " + name + "($tid: int, p: int" + rec + ")\n{\n  ENTER\n" + check +
			"  assume " + cond + ";\n" + take + "  LEAVE\n}\n"}
	}
	try := func(name, cond, take string) helper {
		return helper{name, "procedure {:inline 1} " + name + "($tid: int, p: int" + rec + ") returns (ok: bool)\n{\n  ENTER\n" +
			"  ok := " + cond + ";\n  if (ok) {\n" + strings.ReplaceAll("  "+strings.TrimSuffix(take, "\n"), "\n", "\n  ") + "\n  }\n  LEAVE\n}\n"}
	}
	return append([]helper{
		lock("$lock", free, take), lock("$lock_shared", sharedFree, sharedTake),
		try("$trylock", free, take), try("$trylock_shared", sharedFree, sharedTake),
	}, t.unlockHelpers()...)
}

// unlockHelpers release locks; a thread that does not hold the lock changes nothing.
func (t *program) unlockHelpers() []helper {
	drop := "$owner[p] := 0;"
	if t.feat.recursive {
		drop = "$depth[p] := $depth[p] - 1; if ($depth[p] == 0) { $owner[p] := 0; }"
	}
	check := func(cond string) string {
		if !t.opt.CheckLocks {
			return ""
		}
		return "  assert {:tag \"unlock\"} " + cond + ";\n"
	}
	const reader = "if ($readers[p] > 0) { $readers[p] := $readers[p] - 1; }"
	shared, any := "  "+reader+"\n", "  if ($owner[p] == $tid) { "+drop+" } else "+reader+"\n"
	sharedCond := "$readers[p] > 0"
	if t.feat.recursive {
		shared = "  if ($owner[p] == $tid && $depth[p] > 1) { " + drop + " } else " + reader + "\n"
		sharedCond = "($owner[p] == $tid && $depth[p] > 1) || " + sharedCond
	}
	if !t.feat.shared {
		any = "  if ($owner[p] == $tid) { " + drop + " }\n"
	}
	anyCond := "$owner[p] == $tid"
	if t.feat.shared {
		anyCond += " || $readers[p] > 0"
	}
	unlock := func(name, check, body string) helper {
		return helper{name, "procedure {:inline 1} " + name + "($tid: int, p: int)\n{\n  ENTER\n" + check + body + "  LEAVE\n}\n"}
	}
	return []helper{
		unlock("$unlock", check("$owner[p] == $tid"), "  if ($owner[p] == $tid) { "+drop+" }\n"),
		unlock("$unlock_shared", check(sharedCond), shared),
		unlock("$unlock_any", check(anyCond), any),
	}
}

// waitHelpers are about waiting for other threads' doings: $waiting is the condition that
// a thread waits for, $waiters counts those that wait for a condition, $count is a
// semaphore's value and a barrier's number of threads, of which $arrived wait in its
// $phase; $once is 1 while the function runs and 2 afterwards.
func (t *program) waitHelpers() []helper {
	again, save := "$owner[m] := $tid;", ""
	release := "$owner[m] := 0;"
	free := "$owner[m] == 0"
	if t.feat.shared {
		free += " && $readers[m] == 0"
	}
	if t.feat.recursive {
		save = "  var depth: int;\n"
		release, again = "depth := $depth[m]; $depth[m] := 0; "+release, again+" $depth[m] := depth;"
	}
	check := ""
	if t.opt.CheckLocks {
		check = "  assert {:tag \"unlock\"} $owner[m] == $tid;\n"
	}
	return []helper{
		{"$cond_wait", `// Releases the mutex m and waits for the condition c; ok: it was signalled, and the time is not over.
procedure {:inline 1} $cond_wait($tid: int, c: int, m: int, timed: bool) returns (ok: bool)
{
` + save + `  ENTER
` + check + `  ` + release + `
  $waiting[$tid] := c;
  $waiters[c] := $waiters[c] + 1;
  LEAVE
  yield;
  ENTER
  ok := $waiting[$tid] == 0;
  assume ok || timed;
  if (!ok) { $waiting[$tid] := 0; $waiters[c] := $waiters[c] - 1; }
  LEAVE
  yield;
  ENTER
  assume ` + free + `;
  ` + again + `
  LEAVE
}
`},
		{"$cond_signal", `procedure {:inline 1} $cond_signal($tid: int, c: int)
{
  var t: int;
  ENTER
  if ($waiters[c] > 0) {
    havoc t;
    assume $waiting[t] == c;
    $waiting[t] := 0;
    $waiters[c] := $waiters[c] - 1;
  }
  LEAVE
}
`},
		{"$cond_broadcast", `procedure {:inline 1} $cond_broadcast($tid: int, c: int)
{
  ENTER
  call $waiting := $wake($waiting, c);
  $waiters[c] := 0;
  LEAVE
}
procedure $wake(M: [int]int, c: int) returns (R: [int]int);
  ensures (forall t: int :: {R[t]} R[t] == (if M[t] == c then 0 else M[t]));
`},
		{"$sem_wait", `procedure {:inline 1} $sem_wait($tid: int, p: int)
{
  ENTER
  assume $count[p] > 0;
  if ($count[p] < 1099511627776) { $count[p] := $count[p] - 1; }
  LEAVE
}
`},
		{"$sem_trywait", `procedure {:inline 1} $sem_trywait($tid: int, p: int) returns (ok: bool)
{
  ENTER
  ok := $count[p] > 0;
  if (ok && $count[p] < 1099511627776) { $count[p] := $count[p] - 1; }
  LEAVE
}
`},
		{"$sem_post", `procedure {:inline 1} $sem_post($tid: int, p: int)
{
  ENTER
  if ($count[p] < 1099511627776) { $count[p] := $count[p] + 1; }
  LEAVE
}
`},
		{"$sem_post_all", `procedure {:inline 1} $sem_post_all($tid: int, p: int)
{
  $count[p] := 1099511627776; // nobody waits any more
}
`},
		{"$barrier_wait", `procedure {:inline 1} $barrier_wait($tid: int, p: int) returns (last: bool)
{
  var phase: int;
  ENTER
  phase := $phase[p];
  $arrived[p] := $arrived[p] + 1;
  last := $arrived[p] >= $count[p];
  if (last) {
    $arrived[p] := 0;
    $phase[p] := phase + 1;
  }
  LEAVE
  if (!last) {
    yield;
    assume $phase[p] != phase;
  }
}
`},
		{"$once_begin", `procedure {:inline 1} $once_begin($tid: int, p: int) returns (run: bool)
{
  ENTER
  assume $once[p] != 1;
  run := $once[p] == 0;
  if (run) { $once[p] := 1; }
  LEAVE
}
`},
		{"$once_end", `procedure {:inline 1} $once_end($tid: int, p: int)
{
  $once[p] := 2;
}
`},
	}
}
