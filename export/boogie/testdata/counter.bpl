// Program counter, in Corral's dialect of Boogie: corral /main:main /cooperative FILE

const $g.n: int; axiom $g.n == 12884901888; // n: i32
const $g.m: int; axiom $g.m == 17179869184; // m: opaque("pthread_mutex_t", 40)
var $next: int; // address of the next object
var $M.0: [int]int; // cells of i32: n
var $owner: [int]int;
var $threads: int;
var $done: [int]bool;

procedure corral_atomic_begin();
procedure corral_atomic_end();


// The number of a new thread; main is 1.
procedure {:inline 1} $new_thread() returns (t: int)
{
  call corral_atomic_begin();
  $threads := $threads + 1;
  t := $threads;
  call corral_atomic_end();
}

procedure {:inline 1} $lock($tid: int, p: int)
{
  call corral_atomic_begin();
  assume $owner[p] == 0;
  $owner[p] := $tid;
  call corral_atomic_end();
}

procedure {:inline 1} $unlock($tid: int, p: int)
{
  call corral_atomic_begin();
  if ($owner[p] == $tid) { $owner[p] := 0; }
  call corral_atomic_end();
}

// The state at the start.
procedure {:inline 1} $init()
{
  $next := 21474836480;
  $M.0[$g.n] := 0;
  assume (forall a: int :: $owner[a] == 0);
  assume $threads == 1;
  assume (forall t: int :: !$done[t]);
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
  var $t1: int;
  yield;
  call $t1 := worker($tid, a0);
  yield;
  $done[$tid] := true;
}

// a.c:4:1
procedure worker($tid: int, arg: int) returns ($r: int)
{
  var x: int;
entry:
  assert {:sourcefile "a.c"} {:sourceline 6} true;
  yield;
  call $lock($tid, $g.m);
  assert {:sourcefile "a.c"} {:sourceline 7} true;
  yield;
  x := $M.0[$g.n];
  assume -2147483648 <= x && x <= 2147483647;
  yield;
  $M.0[$g.n] := ((x + 1) + 2147483648) mod 4294967296 - 2147483648;
  assert {:sourcefile "a.c"} {:sourceline 8} true;
  yield;
  call $unlock($tid, $g.m);
  assert {:sourcefile "a.c"} {:sourceline 9} true;
  $r := 0;
  return;
}

// a.c:12:1
procedure main.body($tid: int) returns ($r: int)
{
  var h: int;
  var x: int;
  var $t1, $t2: int;
entry:
  assert {:sourcefile "a.c"} {:sourceline 14} true;
  yield;
  call $t1 := $new_thread();
  h := ($t1 mod 18446744073709551616);
  async call $thread.worker($t1, 0);
  assert {:sourcefile "a.c"} {:sourceline 15} true;
  yield;
  x := $M.0[$g.n];
  assume -2147483648 <= x && x <= 2147483647;
  assert {:sourcefile "a.c"} {:sourceline 16} true;
  yield;
  $t2 := h;
  assume $done[$t2];
  assert {:sourcefile "a.c"} {:sourceline 17} true;
  yield;
  x := $M.0[$g.n];
  assume -2147483648 <= x && x <= 2147483647;
  assert {:sourcefile "a.c"} {:sourceline 18} true;
  assert {:sourcefile "a.c"} {:sourceline 18} {:tag "assert"} {:msg "n is '1'"} x == 1;
  assert {:sourcefile "a.c"} {:sourceline 19} true;
  $r := 0;
  return;
}

