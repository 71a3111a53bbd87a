package c_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"modernc.org/cc/v4"

	"whoop/frontend/c"
)

// commonHeaders are the headers of C11, C23 and POSIX that programs use most.
var commonHeaders = []string{"assert.h", "ctype.h", "errno.h", "float.h", "inttypes.h", "iso646.h", "limits.h", "math.h", "pthread.h", "sched.h", "semaphore.h",
	"signal.h", "stdalign.h", "stdarg.h", "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "stdnoreturn.h", "string.h", "threads.h",
	"time.h", "unistd.h", "sys/types.h"}

// standard makes glibc's headers declare what C23 and POSIX.1-2008 have, and no more.
const standard = "-D_POSIX_C_SOURCE=200809L"

// symbols are the names that a header makes known: functions and variables with their
// types, types with their sizes, macros.
type symbols struct {
	functions, types map[string]string
	macros           map[string]bool
}

// public reports whether a name is one for programs.
func public(name string) bool {
	return !strings.HasPrefix(name, "_") || strings.HasPrefix(name, "_POSIX") || strings.HasPrefix(name, "_SC_") || strings.HasPrefix(name, "_PC_")
}

// declared lists what a header makes known to programs here.
func declared(t *testing.T, header string, opt c.Options) (symbols, bool) {
	t.Helper()
	opt.Defines = append(opt.Defines, strings.TrimPrefix(standard, "-D"))
	u, err := c.Parse(filepath.Join(t.TempDir(), "a.c"), []byte("#include <"+header+">\nint whoop_main;\n"), opt)
	if err != nil {
		t.Errorf("%s: %v", header, err)
		return symbols{}, false
	}
	s := symbols{map[string]string{}, map[string]string{}, map[string]bool{}}
	for name := range u.AST.Macros {
		if public(name) {
			s.macros[name] = true
		}
	}
	for tu := u.AST.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		x := tu.ExternalDeclaration
		if x.Case == cc.ExternalDeclarationFuncDef {
			d := x.FunctionDefinition.Declarator
			s.functions[d.Name()] = shape(d.Type(), 0)
		}
		if x.Case != cc.ExternalDeclarationDecl {
			continue
		}
		for l := x.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
			switch d := l.InitDeclarator.Declarator; {
			case d.Position().Filename == "<builtin>" || strings.HasPrefix(d.Name(), "whoop") || !public(d.Name()):
			case d.IsTypename():
				s.types[d.Name()] = shape(d.Type(), 0)
			default:
				s.functions[d.Name()] = shape(d.Type(), 0)
			}
		}
	}
	return s, true
}

// shape is what matters of a type: kinds and sizes.
func shape(t cc.Type, depth int) string {
	switch x := t.(type) {
	case *cc.FunctionType:
		var ps []string
		for _, p := range x.Parameters() {
			ps = append(ps, shape(p.Type().Decay(), depth+1))
		}
		if x.IsVariadic() {
			ps = append(ps, "...")
		}
		return shape(x.Result(), depth+1) + "(" + strings.Join(ps, ",") + ")"
	case *cc.PointerType:
		if depth > 3 {
			return "*"
		}
		return "*" + shape(x.Elem(), depth+1)
	case *cc.StructType, *cc.UnionType:
		return "struct"
	}
	switch t.Kind() {
	case cc.Long, cc.LongLong:
		return "i64"
	case cc.ULong, cc.ULongLong:
		return "u64"
	case cc.Enum:
		return "u32"
	case cc.UInt:
		return "u32"
	}
	return t.Kind().String()
}

// macrosOf lists the macros that gcc's headers define.
func macrosOf(t *testing.T, gcc, header string) map[string]bool {
	t.Helper()
	run := func(text string) map[string]bool {
		cmd := exec.Command(gcc, "-std=c2x", standard, "-E", "-dM", "-x", "c", "-")
		cmd.Stdin = strings.NewReader(text)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for _, m := range regexp.MustCompile(`(?m)^#define (\w+)`).FindAllSubmatch(out, -1) {
			if name := string(m[1]); public(name) {
				names[name] = true
			}
		}
		return names
	}
	all, before := run("#include <"+header+">\n"), run("")
	maps.DeleteFunc(all, func(name string, _ bool) bool { return before[name] })
	return all
}

// leftOut are the symbols that headers here do not have, by pattern, with the reason.
// Those of machines without the system's headers are in the second list.
var leftOut = []struct{ pattern, reason string }{
	{`^(DEC(32|64|128)?_|(FLT|DBL|LDBL)_SNAN)`, "decimal floating point and signalling NaNs: the parser has no such constants"},
	{`^register_t$`, "the parser does not follow glibc's attribute for a machine word; ours has the right size"},
}

var leftOutEmbedded = []struct{ pattern, reason string }{
	{`_l$|^locale_t$`, "locales as objects"},
	{`^(FP_INT_|FP_LLOGB|iscanonical|iseqsig|issignaling|issubnormal|iszero)|^(canonicalize|[df](add|sub|mul|div|fma|sqrt)l?$|exp10|f(max|min)(imum|mag)|u?fromfp|` +
		`llogb|next(up|down)|roundeven|[sg]etpayload|totalorder|strfrom)`, "floating point of C23 about which nothing is computed here"},
	{`^pthread_cleanup_(push|pop)$`, "they are followed where they are read, not by this header"},
	{`^(sched_priority|cpu_set_t)$`, "a member is no macro here; sets of processors are GNU's"},
	{`^(BUS|CLD|FPE|ILL|POLL|SEGV)_|^SI_(ASYNCNL|DETHREAD|SIGIO|TKILL)$|^si_|^SIGEV_THREAD_ID$`, "why a signal was sent: nothing asks for more than its number"},
	{`^(fpregset_t|greg_t|gregset_t|mcontext_t|ucontext_t)$`, "registers of a stopped thread"},
	{`^(once_flag|call_once)$`, "a flag is a number here and a struct in glibc"},
	{`^(_SC|_PC|_CS)_|^_POSIX`, "options of POSIX: an enumeration, and what can be asked for at run time only"},
}

// missing lists what a header should make known and does not, or with another type.
func missing(want, got symbols, macros map[string]bool) []string {
	var out []string
	for m := range macros {
		if !got.macros[m] && got.functions[m] == "" && got.types[m] == "" {
			out = append(out, m)
		}
	}
	for f, t := range want.functions {
		if u := got.functions[f]; u == "" && !got.macros[f] || u != "" && u != t {
			out = append(out, f)
		}
	}
	for n, t := range want.types {
		if u := got.types[n]; u != t {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// The headers that are embedded hold what glibc's and gcc's do: before the system's, and
// alone. Deliberate differences are listed.
func TestHeadersAgainstGlibc(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	if _, err := os.Stat("/usr/include/features.h"); err != nil {
		t.Skip("no glibc")
	}
	used := map[string]bool{}
	for _, h := range commonHeaders {
		want, ok := declared(t, h, c.Options{SystemHeaders: true, C23: true})
		if !ok {
			continue
		}
		macros := macrosOf(t, gcc, h)
		for _, alone := range []bool{false, true} {
			got, ok := declared(t, h, c.Options{NoSystemHeaders: alone, C23: true})
			if !ok {
				continue
			}
			allowed := leftOut
			if alone {
				allowed = append(slices.Clip(leftOut), leftOutEmbedded...)
			}
		names:
			for _, name := range missing(want, got, macros) {
				for _, a := range allowed {
					if regexp.MustCompile(a.pattern).MatchString(name) {
						used[a.pattern] = true
						continue names
					}
				}
				t.Errorf("%s (alone: %t): %s is missing, or of another type: %q, %q in glibc", h, alone, name,
					got.functions[name]+got.types[name], want.functions[name]+want.types[name])
			}
		}
	}
	for _, a := range append(slices.Clip(leftOut), leftOutEmbedded...) {
		if !used[a.pattern] {
			t.Errorf("%s is left out by the list, and by no header", a.pattern)
		}
	}
}
