// Program driver, in Corral's dialect of Boogie: corral /main:main /cooperative FILE
// Entry point: read (file_operations.read)
// Entry point: write (file_operations.write)
// Assumptions:
//   extern-callback: code not seen does not store function pointers in heap(d.c:6) (d.c:6)
//   extern-callback: code not seen gets the address of one; its calls of it run in the thread that handed the address over (d.c:2:1)
//   extern-callback: code not seen gets the address of two; its calls of it run in the thread that handed the address over (d.c:3:1)
//   unregistering does not end or wait for entry points: executions that it rules out are kept

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

// The state at the start.
procedure {:inline 1} $init()
{
  $next := 47244640256;
  $M.2[$g.last] := 0;
  assume (forall a: int :: $owner[a] == 0);
  assume $threads == 1;
}

procedure {:entrypoint} main()
{
  var $tid: int;
  var $t1, $t2, $t3, $t4, $t5, $t6, $t7: int;
  $tid := 1;
  call $init();
  // init entry probe
  call $t1 := probe($tid);
  call $t2 := $alloc(); // f: *struct("file")
  $t3 := $t2;
  if (*) { $t2 := $t3; }
  if (*) { $t2 := 0; }
  havoc $t4;
  assume 0 <= $t4 && $t4 <= 18446744073709551615;
  call $t5 := $new_thread();
  async call $entry.1($t5, $t2, $t4); // read
  call $t6 := $alloc(); // f: *struct("file")
  if (*) { $t6 := 0; }
  call $t7 := $new_thread();
  async call $entry.2($t7, $t6); // write
}

// Entry point read.
procedure $entry.1($tid: int, a0: int, a1: int)
{
  var $t1: int;
  yield;
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

// Entry point write.
procedure $entry.2($tid: int, a0: int)
{
  yield;
  call $lock($tid, $held.0); // exclusion of read and write
  yield;
  call write($tid, a0);
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
  $M.2[$g.last] := f;
  assert {:sourcefile "d.c"} {:sourceline 9} true;
  yield;
  // misc_register: registers
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
  g := $M.2[$g.last];
  assert {:sourcefile "d.c"} {:sourceline 14} true;
  yield;
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

// d.c:20:1
procedure write($tid: int, f: int)
{
  var g: int;
entry:
  assert {:sourcefile "d.c"} {:sourceline 21} true;
  yield;
  g := $M.2[$g.last];
  assert {:sourcefile "d.c"} {:sourceline 22} true;
  yield;
  $M.1[g + 8] := 5;
  assert {:sourcefile "d.c"} {:sourceline 23} true;
  yield;
  $M.0[g] := $fn.one;
  yield;
  yield;
  // misc_deregister: unregisters
  return;
}

