package mhp

import (
	"strings"
	"testing"
)

// arrays is a program that spawns in one loop and joins in another; the parts in <> vary.
const arrays = prelude + `
func main() i32 {
  reg i, j, k: i32; reg x: u64; reg c: bool; reg t: *u64
e:
  k := havoc
  t := alloc stack u64, cast(u64, k) name t
  i := i32 <0>
  goto h1
h1:
  if lt(i, <N>) then b1 else x1
b1:
  spawn A(null *void) handle index(<t>, cast(i64, i), 8, *u64)
  i := add(i, i32 1)
  goto h1
x1:
  store plain &g, i32 1
  <between>
  j := i32 <0'>
  goto h2
h2:
  c := lt(j, <M>)
  if ne(cast(i32, c), i32 0) then b2 else x2
b2:
  x := load plain index(<t>, cast(i64, j), 8, *u64)
  <join>
b3:
  j := add(j, <step>)
  goto h2
x2:
  store plain &g, i32 2
  return i32 0
}`

func TestArrays(t *testing.T) {
	for _, tc := range []struct{ name, change, want string }{
		{"same constant range", "", "main@1|A=yes main@2|A=no A|A=yes"},
		{"same unchanged bound, local array", "N=k M=k t=t", "main@2|A=no"},
		{"more are joined", "M=i32_4", "main@2|A=no"},
		{"fewer are joined", "M=i32_2", "main@2|A=yes"},
		{"joined from one", "0'=1", "main@2|A=yes"},
		{"joined in steps of two", "step=i32_2", "main@2|A=yes"},
		{"the bound changes", "N=k M=k between=k:=havoc", "main@2|A=yes"},
		{"the bounds differ", "N=k", "main@2|A=yes"},
		{"not every iteration joins", "join=goto_b4,b3;b4:;join_x;goto_b3;b5:;goto_b3", "main@2|A=yes"},
		{"the loop is left early", "join=goto_b4,x2;b4:;join_x;goto_b3;b5:;goto_b3", "main@2|A=yes"},
		{"another handle", "between=store_plain_&hs,u64_0", "main@2|A=yes"},
		{"a third loop", "between=spawn_A(null_*void)_handle_&h", "main@2|A=yes"},
		{"one more thread elsewhere", "between=spawn_B(null_*void)_handle_&h", "main@2|A=no main@2|B=yes A|B=yes"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			vars := map[string]string{"0": "0", "0'": "0", "N": "i32 3", "M": "i32 3", "t": "&hs", "step": "i32 1",
				"between": "yield", "join": "join x; goto b3"}
			for _, c := range strings.Fields(tc.change) {
				k, v, _ := strings.Cut(c, "=")
				if k == "between" && strings.HasPrefix(v, "k:=") {
					v = "k := havoc"
				}
				vars[k] = strings.ReplaceAll(v, "_", " ")
			}
			src := arrays
			for k, v := range vars {
				src = strings.ReplaceAll(src, "<"+k+">", v)
			}
			p, r := load(t, src)
			check(t, p, r, tc.want)
		})
	}
}

func TestArraysMixed(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"unrolled", `
func main() i32 {
  reg x: u64
e:
  spawn A(null *void) handle index(&hs, i64 0, 8, *u64)
  spawn B(null *void) handle index(&hs, i64 1, 8, *u64)
  x := load plain index(&hs, i64 0, 8, *u64)
  join x
  store plain &g, i32 1
  x := load plain index(&hs, i64 1, 8, *u64)
  join x
  store plain &g, i32 2
  return i32 0
}`, "main@1|A=no main@1|B=yes main@2|B=no A|B=yes A|A=no"},
		{"unrolled spawns, a joining loop", `
func main() i32 {
  reg x: u64; reg j: i32
e:
  spawn A(null *void) handle index(&hs, i64 0, 8, *u64)
  spawn B(null *void) handle index(&hs, i64 2, 8, *u64)
  j := i32 0
  goto h
h:
  if lt(j, i32 2) then b else z
b:
  x := load plain index(&hs, cast(i64, j), 8, *u64)
  join x
  j := add(j, i32 1)
  goto h
z:
  store plain &g, i32 1
  return i32 0
}`, "main@1|A=no main@1|B=yes"},
		{"spawned and joined in one loop", `
func main() i32 {
  reg x: u64; reg j: i32
e:
  j := i32 0
  goto h
h:
  if lt(j, i32 2) then b else z
b:
  spawn A(null *void) handle index(&hs, cast(i64, j), 8, *u64)
  x := load plain index(&hs, cast(i64, j), 8, *u64)
  join x
  j := add(j, i32 1)
  goto h
z:
  store plain &g, i32 1
  return i32 0
}`, "main@1|A=no A|A=no"},
		{"two rounds, the second not joined before the next", `
func main() i32 {
  reg x: u64; reg j: i32
e:
  goto o
o:
  j := i32 0
  goto h
h:
  if lt(j, i32 2) then b else z
b:
  spawn A(null *void) handle index(&hs, cast(i64, j), 8, *u64)
  j := add(j, i32 1)
  goto h
z:
  goto o, k
k:
  j := i32 0
  goto h2
h2:
  if lt(j, i32 2) then b2 else y
b2:
  x := load plain index(&hs, cast(i64, j), 8, *u64)
  join x
  j := add(j, i32 1)
  goto h2
y:
  store plain &g, i32 1
  return i32 0
}`, "main@1|A=yes"},
		{"rounds of spawns and joins", `
func main() i32 {
  reg x: u64; reg j: i32
e:
  goto o
o:
  j := i32 0
  goto h
h:
  if lt(j, i32 2) then b else z
b:
  spawn A(null *void) handle index(&hs, cast(i64, j), 8, *u64)
  j := add(j, i32 1)
  goto h
z:
  j := i32 0
  goto h2
h2:
  if lt(j, i32 2) then b2 else y
b2:
  x := load plain index(&hs, cast(i64, j), 8, *u64)
  join x
  j := add(j, i32 1)
  goto h2
y:
  store plain &g, i32 1
  goto o, q
q:
  return i32 0
}`, "main@1|A=no A|A=yes"},
		{"counted down, in structs, in two functions", `
struct th size 16 { id: u64 @8 }
global ths: [3]struct(th)
func start() void {
  reg j: i32
e:
  j := i32 2
  goto h
h:
  if ge(j, i32 0) then b else z
b:
  spawn A(null *void) handle field(index(&ths, cast(i64, j), 16, *struct(th)), th, id)
  j := sub(j, i32 1)
  goto h
z:
  return
}
func wait_() void {
  reg j: u32; reg x: u64
e:
  j := u32 0
  goto h
h:
  if lt(j, u32 3) then b else z
b:
  x := load plain field(index(&ths, cast(u64, j), 16, *struct(th)), th, id)
  join x
  j := add(j, u32 1)
  goto h
z:
  return
}
func main() i32 {
e:
  call start()
  store plain &g, i32 1
  call wait_()
  store plain &g, i32 2
  return i32 0
}`, "main@1|A=yes main@2|A=no"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, r := load(t, prelude+tc.src)
			check(t, p, r, tc.want)
		})
	}
}
