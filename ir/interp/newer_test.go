package interp_test

import (
	"os"
	"path/filepath"
	"testing"

	"whoop/frontend/c"
	"whoop/frontend/models"
	"whoop/ir/interp"
)

// What C11 and C23 added means what it says: main returns the line of the first check
// that fails.
func TestNewerC(t *testing.T) {
	dir := t.TempDir()
	for name, src := range map[string]string{"c11.c": c11, "c23.c": c23} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "newer.h"), []byte(newerHeader), 0o666); err != nil {
			t.Fatal(err)
		}
		p := load(t, file)
		m, err := interp.Compile(p, interp.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if got := result(m, p.FuncByName("main")); got != "0" {
			t.Errorf("%s: line %s: a check fails", name, got)
		}
	}
}

// Where pointers have 32 bits, headers say so, with the system's headers and without.
func TestNarrowHeaders(t *testing.T) {
	file := filepath.Join(t.TempDir(), "narrow.c")
	if err := os.WriteFile(file, []byte(narrowHeaders), 0o666); err != nil {
		t.Fatal(err)
	}
	set, err := models.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, alone := range []bool{false, true} {
		p, err := c.Load(file, set, c.Options{DataModel: "ILP32", NoSystemHeaders: alone})
		if err != nil {
			t.Fatal(err)
		}
		m, err := interp.Compile(p, interp.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if got := result(m, p.FuncByName("main")); got != "0" {
			t.Errorf("alone: %t: line %s: a check fails", alone, got)
		}
	}
}

const narrowHeaders = `#include <stdint.h>
#include <limits.h>
#include <stddef.h>
#include <stdatomic.h>
#define CHECK(c) do { if (!(c)) return __LINE__; } while (0)
static atomic_int_least64_t least = 1LL << 40;
static atomic_uintptr_t address;
static atomic_intmax_t most = INTMAX_MAX;
static atomic_long number = LONG_MAX;
int main(void)
{
	CHECK(sizeof(int64_t) == 8 && sizeof(intptr_t) == 4 && sizeof(size_t) == 4 && sizeof(long) == 4 && sizeof(int_fast32_t) == 4);
	CHECK(sizeof(atomic_load(&address)) == 4 && sizeof(atomic_load(&most)) == 8 && atomic_load(&least) == 1LL << 40);
	CHECK(INT64_MAX > 0x7fffffffffffLL && SIZE_MAX == 0xffffffffu && INTPTR_MAX == 0x7fffffff && UINT64_C(1) << 40 > 0);
	CHECK(LONG_MAX == 0x7fffffff && ULONG_MAX == 0xffffffffu && SSIZE_MAX == LONG_MAX && atomic_fetch_add(&number, 0) == INT_MAX);
	CHECK(~atomic_load(&most) == INTMAX_MIN);
	return 0;
}
`

// newerHeader is a header of the program's own.
const newerHeader = `#define CHECK(c) do { if (!(c)) return __LINE__; } while (0)
#define NAMED(n, more...) count(n, ##more)
#define THOUSAND 1'000
[[nodiscard]] static int of_header(void) { return u'h' + THOUSAND; }
`

const c11 = `#include "newer.h"
#include <stdalign.h>
#include <limits.h>
#define COUNT(...) count(0 __VA_OPT__(+ 1 +) __VA_OPT__(0))
#define FIRST(x, ...) sum(x __VA_OPT__(,) __VA_ARGS__)
static int sum(int n, ...) { return n; }
static int count(int n, ...) { return n; }
_Static_assert(1);
_Static_assert(sizeof(int) == 4, "a text");
#if u'a' == 97 && 1'000 == 1000 && U'\n' == 10
#define OK 1
#endif
struct aligned { alignas(32) char c; int n; };
[[gnu::noinline]] static int f([[maybe_unused]] int a, int b[])
{
	int x[3] = {1, 2, 3}, i[1] = {0};
	switch (a) {
	case 1:
		b[0]++;
		[[fallthrough]];
	default:
		return x[i[0]] + b[0];
	}
}
int main(void)
{
	const char *s = "it's 5'10 [[tall]] u'x' __VA_OPT__";
	int b[1] = {5};
	CHECK(s[4] == ' ' && sizeof("it's 5'10 [[tall]] u'x'") == 24);
	CHECK('\'' == 39 && '"' == 34 && L'x' == 120);
	CHECK(COUNT() == 0 && COUNT(1) == 1 && COUNT(1, 2, 3) == 1 && FIRST(3) == 3 && FIRST(4, 5, 6) == 4);
	CHECK(OK == 1 && 0x1'00 == 256 && 1'2'3ull == 123 && NAMED(7) == 7 && NAMED(8, 1, 2) == 8);
	CHECK(u'b' == 98 && sizeof(u'b') == 2 && sizeof(U'b') == 4 && sizeof(u8'c') == 1);
	CHECK(f(1, b) == 7 && of_header() == 1104);
	CHECK(alignof(struct aligned) == 32 && sizeof(struct aligned) == 32);
	CHECK(NAME_MAX == 255 && SSIZE_MAX == LONG_MAX && MB_LEN_MAX == 16);
	return 0;
}
`

const c23 = `#include "newer.h"
static int count(int n, ...) { return n; }
static_assert(sizeof(int) == 4);
constexpr int N = 3;
static int arr[3];
thread_local int own;
static bool yes(void) { return true; }
int main(void)
{
	bool b = 7;
	int *p = nullptr;
	typeof(b) c = false;
	typeof_unqual(const int) k = 3;
	auto z = 1L << 40;
	alignas(16) char buf[16] = {0};
	k++;
	CHECK(b == 1 && !c && !p && k == 4 && z == 1L << 40 && sizeof z == 8 && alignof(int) == 4);
	CHECK(N == 3 && sizeof arr == 12 && yes() && own == 0 && buf[0] == 0 && sizeof(bool) == 1);
	CHECK(0b1010 == 10 && count(1) == 1 && of_header() > 0);
	return 0;
}
`
