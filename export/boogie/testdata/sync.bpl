// Program sync, in Corral's dialect of Boogie: corral /main:main /cooperative FILE

const $g.m: int; axiom $g.m == 17179869184; // m: u64
const $g.rw: int; axiom $g.rw == 21474836480; // rw: u64
const $g.c: int; axiom $g.c == 25769803776; // c: u64
const $g.s: int; axiom $g.s == 30064771072; // s: u64
const $g.b: int; axiom $g.b == 34359738368; // b: u64
const $g.o: int; axiom $g.o == 38654705664; // o: u64
const $g.n: int; axiom $g.n == 42949672960; // n: i32
var $next: int; // address of the next object
var $M.0: [int]int; // cells of i32: n
var $owner: [int]int;
var $readers: [int]int;
var $depth: [int]int;
var $recursive: [int]bool;
var $waiting: [int]int;
var $waiters: [int]int;
var $count: [int]int;
var $arrived: [int]int;
var $phase: [int]int;
var $once: [int]int;
var $threads: int;
var $done: [int]bool;
var $thread_of: [int]int;
var $nesting: [int]int;

procedure corral_atomic_begin();
procedure corral_atomic_end();


// A new object; no two overlap, and none is used again.
procedure {:inline 1} $alloc() returns (p: int)
{
  call corral_atomic_begin();
  p := $next;
  $next := $next + 4294967296;
  call corral_atomic_end();
}

// The number of a new thread; main is 1.
procedure {:inline 1} $new_thread() returns (t: int)
{
  call corral_atomic_begin();
  $threads := $threads + 1;
  t := $threads;
  call corral_atomic_end();
}

procedure {:inline 1} $lock_shared($tid: int, p: int, rec: bool)
{
  call $atomic_begin($tid);
  assert {:tag "double-lock"} $owner[p] != $tid || rec || $recursive[p];
  assume $owner[p] == 0 || ($owner[p] == $tid && (rec || $recursive[p]));
  if ($owner[p] == $tid) { $depth[p] := $depth[p] + 1; } else { $readers[p] := $readers[p] + 1; }
  call $atomic_end($tid);
}

procedure {:inline 1} $trylock($tid: int, p: int, rec: bool) returns (ok: bool)
{
  call $atomic_begin($tid);
  ok := ($owner[p] == 0 && $readers[p] == 0) || ($owner[p] == $tid && (rec || $recursive[p]));
  if (ok) {
    $owner[p] := $tid;
    $depth[p] := $depth[p] + 1;
  }
  call $atomic_end($tid);
}

procedure {:inline 1} $unlock($tid: int, p: int)
{
  call $atomic_begin($tid);
  assert {:tag "unlock"} $owner[p] == $tid;
  if ($owner[p] == $tid) { $depth[p] := $depth[p] - 1; if ($depth[p] == 0) { $owner[p] := 0; } }
  call $atomic_end($tid);
}

procedure {:inline 1} $unlock_any($tid: int, p: int)
{
  call $atomic_begin($tid);
  assert {:tag "unlock"} $owner[p] == $tid || $readers[p] > 0;
  if ($owner[p] == $tid) { $depth[p] := $depth[p] - 1; if ($depth[p] == 0) { $owner[p] := 0; } } else if ($readers[p] > 0) { $readers[p] := $readers[p] - 1; }
  call $atomic_end($tid);
}

// Releases the mutex m and waits for the condition c; ok: it was signalled, and the time is not over.
procedure {:inline 1} $cond_wait($tid: int, c: int, m: int, timed: bool) returns (ok: bool)
{
  var depth: int;
  call $atomic_begin($tid);
  assert {:tag "unlock"} $owner[m] == $tid;
  depth := $depth[m]; $depth[m] := 0; $owner[m] := 0;
  $waiting[$tid] := c;
  $waiters[c] := $waiters[c] + 1;
  call $atomic_end($tid);
  yield;
  call $atomic_begin($tid);
  ok := $waiting[$tid] == 0;
  assume ok || timed;
  if (!ok) { $waiting[$tid] := 0; $waiters[c] := $waiters[c] - 1; }
  call $atomic_end($tid);
  yield;
  call $atomic_begin($tid);
  assume $owner[m] == 0 && $readers[m] == 0;
  $owner[m] := $tid; $depth[m] := depth;
  call $atomic_end($tid);
}

procedure {:inline 1} $cond_signal($tid: int, c: int)
{
  var t: int;
  call $atomic_begin($tid);
  if ($waiters[c] > 0) {
    havoc t;
    assume $waiting[t] == c;
    $waiting[t] := 0;
    $waiters[c] := $waiters[c] - 1;
  }
  call $atomic_end($tid);
}

procedure {:inline 1} $cond_broadcast($tid: int, c: int)
{
  call $atomic_begin($tid);
  call $waiting := $wake($waiting, c);
  $waiters[c] := 0;
  call $atomic_end($tid);
}
procedure $wake(M: [int]int, c: int) returns (R: [int]int);
  ensures (forall t: int :: {R[t]} R[t] == (if M[t] == c then 0 else M[t]));

procedure {:inline 1} $sem_wait($tid: int, p: int)
{
  call $atomic_begin($tid);
  assume $count[p] > 0;
  if ($count[p] < 1099511627776) { $count[p] := $count[p] - 1; }
  call $atomic_end($tid);
}

procedure {:inline 1} $sem_trywait($tid: int, p: int) returns (ok: bool)
{
  call $atomic_begin($tid);
  ok := $count[p] > 0;
  if (ok && $count[p] < 1099511627776) { $count[p] := $count[p] - 1; }
  call $atomic_end($tid);
}

procedure {:inline 1} $sem_post($tid: int, p: int)
{
  call $atomic_begin($tid);
  if ($count[p] < 1099511627776) { $count[p] := $count[p] + 1; }
  call $atomic_end($tid);
}

procedure {:inline 1} $sem_post_all($tid: int, p: int)
{
  $count[p] := 1099511627776; // nobody waits any more
}

procedure {:inline 1} $barrier_wait($tid: int, p: int) returns (last: bool)
{
  var phase: int;
  call $atomic_begin($tid);
  phase := $phase[p];
  $arrived[p] := $arrived[p] + 1;
  last := $arrived[p] >= $count[p];
  if (last) {
    $arrived[p] := 0;
    $phase[p] := phase + 1;
  }
  call $atomic_end($tid);
  if (!last) {
    yield;
    assume $phase[p] != phase;
  }
}

procedure {:inline 1} $once_begin($tid: int, p: int) returns (run: bool)
{
  call $atomic_begin($tid);
  assume $once[p] != 1;
  run := $once[p] == 0;
  if (run) { $once[p] := 1; }
  call $atomic_end($tid);
}

procedure {:inline 1} $once_end($tid: int, p: int)
{
  $once[p] := 2;
}

// Atomic sections within atomic sections.
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

// The state at the start.
procedure {:inline 1} $init()
{
  $next := 47244640256;
  $M.0[$g.n] := 0;
  assume (forall a: int :: $owner[a] == 0);
  assume (forall a: int :: $readers[a] == 0);
  assume (forall a: int :: $depth[a] == 0);
  assume (forall a: int :: !$recursive[a]);
  assume (forall t: int :: $waiting[t] == 0);
  assume (forall a: int :: $waiters[a] == 0);
  assume (forall a: int :: $count[a] == 0);
  assume (forall a: int :: $arrived[a] == 0);
  assume (forall a: int :: $phase[a] == 0);
  assume (forall a: int :: $once[a] == 0);
  assume $threads == 1;
  assume (forall t: int :: !$done[t]);
  assume (forall a: int :: $thread_of[a] == 0);
  assume (forall t: int :: $nesting[t] == 0);
}

procedure {:entrypoint} main()
{
  var $tid: int;
  var $t1: int;
  $tid := 1;
  call $init();
  call $t1 := main.body($tid);
  yield;
  assume false; // the program ends
}

// A thread that runs worker.
procedure $thread.worker($tid: int, a0: int)
{
  var $t2: bool;
  var $t1: int;
  yield;
  call $t1, $t2 := worker($tid, a0);
  yield;
  $done[$tid] := true;
}

// s.c:1:1
procedure first($tid: int) returns ($exit: bool)
{
  $exit := false;
entry:
  yield;
  $M.0[$g.n] := 1;
  $exit := true;
  return;
}

// s.c:3:1
procedure worker($tid: int, arg: int) returns ($r: int, $exit: bool)
{
  var ok: bool;
  var x: int;
  var $t1, $t3: bool;
  var $t2: int;
  $exit := false;
entry:
  assert {:sourcefile "s.c"} {:sourceline 4} true;
  yield;
  call ok := $trylock($tid, $g.m, false);
  if (ok) { goto held; }
  goto out;
held:
  assert {:sourcefile "s.c"} {:sourceline 5} true;
  yield;
  call ok := $cond_wait($tid, $g.c, $g.m, true);
  assert {:sourcefile "s.c"} {:sourceline 6} true;
  yield;
  call $cond_signal($tid, $g.c);
  assert {:sourcefile "s.c"} {:sourceline 7} true;
  yield;
  call $cond_broadcast($tid, $g.c);
  assert {:sourcefile "s.c"} {:sourceline 8} true;
  yield;
  call $unlock($tid, $g.m);
  assert {:sourcefile "s.c"} {:sourceline 9} true;
  yield;
  call $lock_shared($tid, $g.rw, false);
  assert {:sourcefile "s.c"} {:sourceline 10} true;
  yield;
  call $unlock_any($tid, $g.rw);
  assert {:sourcefile "s.c"} {:sourceline 11} true;
  yield;
  call $sem_wait($tid, $g.s);
  assert {:sourcefile "s.c"} {:sourceline 12} true;
  yield;
  call ok := $sem_trywait($tid, $g.s);
  assert {:sourcefile "s.c"} {:sourceline 13} true;
  yield;
  call ok := $barrier_wait($tid, $g.b);
  assert {:sourcefile "s.c"} {:sourceline 14} true;
  yield;
  call $t1 := $once_begin($tid, $g.o);
  if ($t1) {
    call $exit := first($tid);
    if ($exit) { return; }
    call $once_end($tid, $g.o);
  }
  goto out;
out:
  yield;
  call $atomic_begin($tid);
  assert {:sourcefile "s.c"} {:sourceline 15} true;
  yield;
  x := $M.0[$g.n];
  assume -2147483648 <= x && x <= 2147483647;
  assert {:sourcefile "s.c"} {:sourceline 16} true;
  yield;
  call $atomic_begin($tid);
  $t2 := $M.0[$g.n];
  assume -2147483648 <= $t2 && $t2 <= 2147483647;
  $t3 := $t2 == x;
  if ($t3) {
    $M.0[$g.n] := 2;
  }
  x := $t2;
  ok := $t3;
  call $atomic_end($tid);
  call $atomic_end($tid);
  if (ok) { goto fail; }
  goto done;
fail:
  assert {:sourcefile "s.c"} {:sourceline 17} true;
  yield;
  assume false; // the program ends
  return;
done:
  $r := 0;
  return;
}

// s.c:20:1
procedure main.body($tid: int) returns ($r: int)
{
  var h: int;
  var ok: bool;
  var $t1, $t2, $t3: int;
entry:
  assert {:sourcefile "s.c"} {:sourceline 21} true;
  yield;
  $owner[$g.m] := 0;
  $readers[$g.m] := 0;
  $depth[$g.m] := 0;
  $recursive[$g.m] := true;
  assert {:sourcefile "s.c"} {:sourceline 22} true;
  yield;
  $count[$g.s] := 1;
  assert {:sourcefile "s.c"} {:sourceline 23} true;
  yield;
  $count[$g.b] := 2;
  $arrived[$g.b] := 0;
  assert {:sourcefile "s.c"} {:sourceline 24} true;
  yield;
  havoc ok;
  if (ok) {
    call $t1 := $new_thread();
    call $t2 := $alloc();
    $thread_of[$t2] := $t1;
    h := $t2;
    async call $thread.worker($t1, 0);
  }
  assert {:sourcefile "s.c"} {:sourceline 25} true;
  yield;
  call $sem_post($tid, $g.s);
  assert {:sourcefile "s.c"} {:sourceline 26} true;
  yield;
  call $sem_post_all($tid, $g.s);
  assert {:sourcefile "s.c"} {:sourceline 27} true;
  yield;
  $t3 := h;
  if ($thread_of[$t3] != 0) { $t3 := $thread_of[$t3]; }
  assume $done[$t3];
  assert {:sourcefile "s.c"} {:sourceline 28} true;
  yield;
  // the lock at $g.m ends
  $r := 0;
  return;
}

