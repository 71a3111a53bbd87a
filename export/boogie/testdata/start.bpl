// Program driver, in Corral's dialect of Boogie: corral /main:main /cooperative FILE
// Entry point: probe (init)
// Entry point: read (file_operations.read)
// Assumptions:
//   extern-callback: code not seen does not store function pointers in heap(d.c:6) (d.c:6)
//   extern-callback: code not seen gets the address of one; its calls of it run in the thread that handed the address over (d.c:2:1)
//   extern-callback: code not seen gets the address of two; its calls of it run in the thread that handed the address over (d.c:3:1)

const $fn.one: int; axiom $fn.one == 4294967296; // function one
const $fn.two: int; axiom $fn.two == 8589934592; // function two
const $g.last: int; axiom $g.last == 30064771072; // last: *struct("file")
const $g.lock: int; axiom $g.lock == 34359738368; // lock: u32
const $held.0: int; axiom $held.0 == 38654705664; // lock exclusion of read and write
const $held.1: int; axiom $held.1 == 42949672960; // lock rtnl
var $next: int; // address of the next object
var $M.0: [int]int; // cells of *func(*struct("file"), i32) i32: heap(d.c:6).op
var $M.1: [int]int; // cells of i64: heap(d.c:6).pos, struct file.pos
var $M.2: [int]int; // cells of *struct("file"): last
var $owner: [int]int;
var $threads: int;
var $watch: int;
var $watch_from: int;
var $watch_to: int;
var $watch_write: bool;
var $watch_atomic: bool;
var $registered: bool;

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

// M with v in the cells of s bytes that lie in the n bytes at p.
procedure $fill(M: [int]int, p: int, n: int, s: int, v: int) returns (R: [int]int);
  ensures (forall a: int :: {R[a]} p <= a && a + s <= p + n ==> R[a] == v);
  ensures (forall a: int :: {R[a]} a + s <= p || p + n <= a ==> R[a] == M[a]);

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

// An access to the n bytes at a; another thread's conflicting one that waits is a race.
procedure {:inline 1} $access($tid: int, a: int, n: int, write: bool, atomic: bool)
{
  call corral_atomic_begin();
  assert {:tag "race"} $watch == 0 || $watch == $tid || a + n <= $watch_from || $watch_to <= a || !(write || $watch_write) || (atomic && $watch_atomic);
  call corral_atomic_end();
  if (*) {
    call corral_atomic_begin();
    assume $watch == 0;
    $watch := $tid;
    $watch_from := a;
    $watch_to := a + n;
    $watch_write := write;
    $watch_atomic := atomic;
    call corral_atomic_end();
    yield;
    $watch := 0;
  }
}

// The state at the start.
procedure {:inline 1} $init()
{
  $next := 47244640256;
  $M.2[$g.last] := 0;
  assume (forall a: int :: $owner[a] == 0);
  assume $threads == 1;
  assume $watch == 0;
  assume !$registered;
}

procedure {:entrypoint} main()
{
  var $tid: int;
  var $t1, $t2, $t3, $t4, $t5: int;
  $tid := 1;
  call $init();
  call $t1 := $new_thread();
  async call $entry.1($t1); // probe
  call $t2 := $alloc(); // f: *struct("file")
  $t3 := $t2;
  if (*) { $t2 := $t3; }
  if (*) { $t2 := 0; }
  havoc $t4;
  assume 0 <= $t4 && $t4 <= 18446744073709551615;
  call $t5 := $new_thread();
  async call $entry.2($t5, $t2, $t4); // read
}

// Entry point probe.
procedure $entry.1($tid: int)
{
  var $t1: int;
  yield;
  call $t1 := probe($tid);
}

// Entry point read.
procedure $entry.2($tid: int, a0: int, a1: int)
{
  var $t1: int;
  yield;
  assume $registered;
  call $lock($tid, $held.0); // exclusion of read and write
  yield;
  call $lock($tid, $held.1); // rtnl
  yield;
  call $t1 := read($tid, a0, a1);
  yield;
  call $unlock($tid, $held.1);
  yield;
  call $unlock($tid, $held.0);
}

// d.c:2:1
procedure one($tid: int, f: int, n: int) returns ($r: int)
{
entry:
  $r := 1;
  return;
}

// d.c:3:1
procedure two($tid: int, f: int, n: int) returns ($r: int)
{
  var p: int;
entry:
  assert {:sourcefile "d.c"} {:sourceline 3} true;
  yield;
  call $access($tid, f + 8, 8, false, false);
  p := $M.1[f + 8];
  assume -9223372036854775808 <= p && p <= 9223372036854775807;
  $r := (p + 2147483648) mod 4294967296 - 2147483648;
  return;
}

// extern: its result is arbitrary
procedure printk($tid: int, fmt: int) returns ($r: int);

// d.c:5:1
procedure probe($tid: int) returns ($r: int)
{
  var f: int;
entry:
  assert {:sourcefile "d.c"} {:sourceline 6} true;
  call f := $alloc();
  call $M.0 := $fill($M.0, f, 4294967296, 1, 0);
  call $M.1 := $fill($M.1, f, 4294967296, 1, 0);
  assert {:sourcefile "d.c"} {:sourceline 7} true;
  $M.0[f] := $fn.two;
  assert {:sourcefile "d.c"} {:sourceline 8} true;
  yield;
  call $access($tid, $g.last, 8, true, false);
  $M.2[$g.last] := f;
  assert {:sourcefile "d.c"} {:sourceline 9} true;
  yield;
  // misc_register: registers
  $registered := true;
  $r := 0;
  return;
}

// d.c:11:1
procedure read($tid: int, f: int, n: int) returns ($r: int)
{
  var r: int;
  var g: int;
  var op: int;
entry:
  assert {:sourcefile "d.c"} {:sourceline 12} true;
  // disables irq: other processors go on
  yield;
  call $lock($tid, $g.lock);
  assert {:sourcefile "d.c"} {:sourceline 13} true;
  yield;
  call $access($tid, $g.last, 8, false, false);
  g := $M.2[$g.last];
  assert {:sourcefile "d.c"} {:sourceline 14} true;
  yield;
  call $access($tid, g, 8, false, false);
  op := $M.0[g];
  if (op == $fn.two) {
    call r := two($tid, g, 3);
  } else if (op == $fn.one) {
    call r := one($tid, g, 3);
  } else {
    assume false; // the pointer is one of the above
  }
  assert {:sourcefile "d.c"} {:sourceline 15} true;
  yield;
  call $unlock($tid, $g.lock);
  // enables irq
  assert {:sourcefile "d.c"} {:sourceline 16} true;
  call r := printk($tid, 0);
  assume -2147483648 <= r && r <= 2147483647;
  $r := r;
  return;
}

