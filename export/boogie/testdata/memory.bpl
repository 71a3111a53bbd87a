// Program memory, in Corral's dialect of Boogie: corral /main:main /cooperative FILE
// Assumptions:
//   values of opaque types (floating point) are arbitrary when converted to integers and back

const $g.origin: int; axiom $g.origin == 12884901888; // origin: struct("point")
const $g.raw: int; axiom $g.raw == 17179869184; // raw: [8]u8
var $next: int; // address of the next object
var $M.0: [int]int; // bytes: heap(m.c:11).x, heap(m.c:11).y, main.q.x, main.q.y, main.q.next, origin.x, origin.y, origin.next
var $M.1: [int]int; // bytes: raw[]
var $M.2: [int]int; // cells of i32: tls
var $ghost.seen: [int]bool; // by thread

procedure corral_atomic_begin();
procedure corral_atomic_end();

function {:bvbuiltin "(_ int2bv 32)"} $to_bv.32(x: int) returns (bv32);
function {:bvbuiltin "bv2int"} $from_bv.32(x: bv32) returns (int);
function {:bvbuiltin "bvor"} $bvor.32(x: bv32, y: bv32) returns (bv32);
function {:inline} $or.32(x: int, y: int) returns (int) { $from_bv.32($bvor.32($to_bv.32(x), $to_bv.32(y))) }
function {:bvbuiltin "bvshl"} $bvshl.32(x: bv32, y: bv32) returns (bv32);
function {:inline} $shl.32(x: int, y: int) returns (int) { $from_bv.32($bvshl.32($to_bv.32(x), $to_bv.32(y))) }
function {:bvbuiltin "bvxor"} $bvxor.32(x: bv32, y: bv32) returns (bv32);
function {:inline} $xor.32(x: int, y: int) returns (int) { $from_bv.32($bvxor.32($to_bv.32(x), $to_bv.32(y))) }
// Division that truncates towards zero.
function {:inline} $div(x: int, y: int) returns (int) { if x >= 0 then (if y > 0 then x div y else 0 - (x div (0 - y))) else (if y > 0 then 0 - ((0 - x) div y) else (0 - x) div (0 - y)) }
function {:inline} $rem(x: int, y: int) returns (int) { x - y * $div(x, y) }

function {:inline} $bytes4(M: [int]int, a: int) returns (bool) { 0 <= M[a] && M[a] <= 255 && 0 <= M[a + 1] && M[a + 1] <= 255 && 0 <= M[a + 2] && M[a + 2] <= 255 && 0 <= M[a + 3] && M[a + 3] <= 255 }
function {:inline} $bytes8(M: [int]int, a: int) returns (bool) { 0 <= M[a] && M[a] <= 255 && 0 <= M[a + 1] && M[a + 1] <= 255 && 0 <= M[a + 2] && M[a + 2] <= 255 && 0 <= M[a + 3] && M[a + 3] <= 255 && 0 <= M[a + 4] && M[a + 4] <= 255 && 0 <= M[a + 5] && M[a + 5] <= 255 && 0 <= M[a + 6] && M[a + 6] <= 255 && 0 <= M[a + 7] && M[a + 7] <= 255 }
function {:inline} $load4(M: [int]int, a: int) returns (int) { M[a] + (M[a + 1] * 256) + (M[a + 2] * 65536) + (M[a + 3] * 16777216) }
function {:inline} $load8(M: [int]int, a: int) returns (int) { M[a] + (M[a + 1] * 256) + (M[a + 2] * 65536) + (M[a + 3] * 16777216) + (M[a + 4] * 4294967296) + (M[a + 5] * 1099511627776) + (M[a + 6] * 281474976710656) + (M[a + 7] * 72057594037927936) }
function {:inline} $store1(M: [int]int, a: int, v: int) returns ([int]int) { M[a := v mod 256] }
function {:inline} $store4(M: [int]int, a: int, v: int) returns ([int]int) { M[a := v mod 256][a + 1 := (v div 256) mod 256][a + 2 := (v div 65536) mod 256][a + 3 := (v div 16777216) mod 256] }
function {:inline} $store8(M: [int]int, a: int, v: int) returns ([int]int) { M[a := v mod 256][a + 1 := (v div 256) mod 256][a + 2 := (v div 65536) mod 256][a + 3 := (v div 16777216) mod 256][a + 4 := (v div 4294967296) mod 256][a + 5 := (v div 1099511627776) mod 256][a + 6 := (v div 281474976710656) mod 256][a + 7 := (v div 72057594037927936) mod 256] }
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

// M with the n bytes at q copied to p, in cells of s bytes.
procedure $copy(M: [int]int, p: int, q: int, n: int, s: int) returns (R: [int]int);
  ensures (forall a: int :: {R[a]} p <= a && a + s <= p + n ==> R[a] == M[a - p + q]);
  ensures (forall a: int :: {R[a]} a + s <= p || p + n <= a ==> R[a] == M[a]);

// M with arbitrary values in the n bytes at p, in cells of s bytes.
procedure $scramble(M: [int]int, p: int, n: int, s: int) returns (R: [int]int);
  ensures (forall a: int :: {R[a]} a + s <= p || p + n <= a ==> R[a] == M[a]);

// The state at the start.
procedure {:inline 1} $init()
{
  $next := 21474836480;
  call $M.0 := $fill($M.0, $g.origin, 4294967296, 1, 0);
  $M.0 := $store4($M.0, $g.origin, 7);
  $M.0 := $store8($M.0, ($g.origin + 8), $g.origin);
  call $M.1 := $fill($M.1, $g.raw, 4294967296, 1, 0);
}

// A thread's copies of the thread-local variables.
procedure {:inline 1} $init_thread($tid: int)
{
  $M.2[(($tid * 4294967296) + 4611686018427387904)] := 3;
}

procedure {:entrypoint} main()
{
  var $tid: int;
  var $t1: int;
  $tid := 1;
  call $init();
  call $init_thread($tid);
  call $t1 := main.body($tid);
  yield;
  assume false; // the program ends
}

// m.c:3:1
procedure {:inline 2} div_($tid: int, a: int, b: int) returns ($r: int)
{
  var a.2: int;
  var q: int;
  a.2 := a;
entry:
  a.2 := ($div(a.2, b) + 2147483648) mod 4294967296 - 2147483648;
  q := ($rem(a.2, 8) + 2147483648) mod 4294967296 - 2147483648;
  q := ($or.32((((q div 4) mod 4) * 4), (($shl.32(1, b) + 2147483648) mod 4294967296 - 2147483648)) + 2147483648) mod 4294967296 - 2147483648;
  q := ($xor.32(q, (a.2 div 4)) + 2147483648) mod 4294967296 - 2147483648;
  $r := ((0 - q) + 2147483648) mod 4294967296 - 2147483648;
  return;
}

// m.c:10:1
procedure {:inline 2} main.body($tid: int) returns ($r: int)
{
  var p: int;
  var q: int;
  var x: int;
  var y: int;
  var w: int;
  var f: int;
  var $t1, $t2, $t3: int;
entry:
  assert {:sourcefile "m.c"} {:sourceline 11} true;
  if (*) {
    p := 0;
  } else {
    call p := $alloc();
    call $M.0 := $fill($M.0, p, 4294967296, 1, 0);
  }
  assert {:sourcefile "m.c"} {:sourceline 12} true;
  if (p == 0) { goto out; }
  goto on;
on:
  assert {:sourcefile "m.c"} {:sourceline 13} true;
  call q := $alloc();
  assert {:sourcefile "m.c"} {:sourceline 14} true;
  yield;
  call $M.0 := $copy($M.0, q, p, 16, 1);
  assert {:sourcefile "m.c"} {:sourceline 15} true;
  $M.0 := $store1($M.0, (q + 4), 255);
  assert {:sourcefile "m.c"} {:sourceline 16} true;
  yield;
  assume $bytes4($M.0, p);
  x := ($load4($M.0, p) + 2147483648) mod 4294967296 - 2147483648;
  assert {:sourcefile "m.c"} {:sourceline 17} true;
  yield;
  assume $bytes8($M.0, ($g.origin + 8));
  p := ($load8($M.0, ($g.origin + 8)) + 9223372036854775808) mod 18446744073709551616 - 9223372036854775808;
  assert {:sourcefile "m.c"} {:sourceline 18} true;
  yield;
  assume $bytes4($M.0, p);
  x := ($load4($M.0, p) + 2147483648) mod 4294967296 - 2147483648;
  assert {:sourcefile "m.c"} {:sourceline 19} true;
  yield;
  call $M.1 := $fill($M.1, $g.raw, 8, 1, 1);
  assert {:sourcefile "m.c"} {:sourceline 20} true;
  yield;
  assume $bytes8($M.1, $g.raw);
  w := $load8($M.1, $g.raw);
  assert {:sourcefile "m.c"} {:sourceline 21} true;
  yield;
  $M.1 := $store1($M.1, ($g.raw + 2), 9);
  assert {:sourcefile "m.c"} {:sourceline 22} true;
  call corral_atomic_begin();
  $t1 := $M.2[($tid * 4294967296) + 4611686018427387904];
  assume -2147483648 <= $t1 && $t1 <= 2147483647;
  $M.2[($tid * 4294967296) + 4611686018427387904] := (($t1 + 1) + 2147483648) mod 4294967296 - 2147483648;
  x := $t1;
  call corral_atomic_end();
  assert {:sourcefile "m.c"} {:sourceline 23} true;
  call y := div_($tid, x, -2);
  assert {:sourcefile "m.c"} {:sourceline 24} true;
  // i32 to opaque("double", 8): an arbitrary value
  havoc $t2;
  f := $t2;
  // opaque("double", 8) to i32: an arbitrary value
  havoc $t3;
  assume -2147483648 <= $t3 && $t3 <= 2147483647;
  y := $t3;
  assert {:sourcefile "m.c"} {:sourceline 25} true;
  $ghost.seen[$tid] := y != 0;
  assert {:sourcefile "m.c"} {:sourceline 26} true;
  yield;
  // unseen code: read
  call $M.1 := $scramble($M.1, $g.raw, 4, 1);
  assert {:sourcefile "m.c"} {:sourceline 27} true;
  // free q
  goto out, on;
out:
  assert {:sourcefile "m.c"} {:sourceline 28} true;
  $r := 0;
  return;
}

