package c

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"
	"modernc.org/token"

	"whoop/ir"
)

//go:embed predefined.h
var predefined string

// predefined32 is what is different where pointers have 32 bits.
//
//go:embed predefined32.h
var predefined32 string

// Unit is one parsed translation unit.
type Unit struct {
	Path string
	AST  *cc.AST
	// Degraded lists the functions that were cut out because cc rejects them.
	Degraded    []Degraded
	Assumptions []ir.Assumption
	text        []byte          // as it is parsed
	asm         map[string]bool // functions made of inline assembly
	kernel      bool            // it includes headers of the kernel
	core        bool            // the same, or it was preprocessed with them
}

// Degraded is a function without a usable body, and why.
type Degraded struct {
	Name   string
	Pos    ir.Pos // the line of its opening brace
	Reason string
	header int // the line on which its header begins
}

func pos(p token.Position) ir.Pos { return ir.Pos{File: p.Filename, Line: p.Line, Col: p.Column} }

// maxExpansion bounds the work of expanding macros, in tokens: what real files need is a
// hundredth of it.
const maxExpansion = 100_000_000

func config(path string, opt Options) (*cc.Config, error) {
	arch := "amd64"
	if opt.DataModel == "ILP32" {
		arch = "386"
	} else if opt.DataModel != "" && opt.DataModel != "LP64" {
		return nil, fmt.Errorf("data model %q: want LP64 or ILP32", opt.DataModel)
	}
	abi, err := cc.NewABI("linux", arch)
	if err != nil {
		return nil, err
	}
	std := []string{embeddedRoot + "/std"}
	sys := []string{"/usr/include", "/usr/include/x86_64-linux-gnu", embeddedRoot + "/libc"}
	if opt.NoSystemHeaders {
		sys = sys[2:]
	}
	kernel := []string{embeddedRoot + "/kernel"}
	search := append(append([]string{}, std...), sys...)
	if opt.KernelHeaders {
		search = append(append(append([]string{}, kernel...), std...), sys...)
	}
	if opt.SystemHeaders {
		search = append(append([]string{}, sys...), search...)
	}
	own := append([]string{filepath.Dir(path)}, opt.IncludeDirs...)
	search = append(search, "/", nowhere) // absolute names are looked for in the root
	return &cc.Config{ABI: abi, FS: fileSystem{}, FSOnly: true, ExpansionLimit: maxExpansion, UnsignedEnums: true, IgnoreNegativeShiftAmounts: true, IgnoreStaticAssert: true,
		IncludePaths: append(append([]string{""}, own...), search...), SysIncludePaths: append(append([]string{}, opt.IncludeDirs...), search...)}, nil
}

// defines is the text before a file that stands for what options say of macros and
// headers.
func defines(opt Options) string {
	var b strings.Builder
	for _, u := range opt.Undefines {
		fmt.Fprintf(&b, "#undef %s\n", u)
	}
	oneLine := strings.NewReplacer("\r", " ", "\n", " ")
	for _, d := range opt.Defines {
		name, val, ok := strings.Cut(oneLine.Replace(d), "=")
		if !ok {
			val = "1"
		}
		// a backslash at its end does not continue the line
		fmt.Fprintf(&b, "#define %s %s \n", name, val)
	}
	for _, f := range opt.Includes {
		fmt.Fprintf(&b, "#include \"%s\"\n", f)
	}
	return b.String()
}

// notFollowed finds, in the text of a file, what the parser does not show and the rest
// does not follow.
var notFollowed = []struct {
	re   *regexp.Regexp
	text string
}{
	{packs, "#pragma pack: members are placed as without it"},
	{packedMember, "a packed member is placed as without the attribute"},
	{takesErrno, "the address of errno: library functions write it in the thread that calls them"},
	{regexp.MustCompile(`(?m)^[ \t]*#[ \t]*pragma[ \t]+(omp|acc)\b|_Pragma[ \t]*\([ \t]*"(omp|acc)\b`), "threads that a pragma starts"},
	{regexp.MustCompile(`__attribute__[^;]*\(\s*"\.(pre)?(init|fini)_array|__attribute__[^;]*\(\s*"\.[cd]tors`), "functions in a section of the linker run before main, or after it"},
}

// unseen notes what is not followed.
func (u *Unit) unseen(src []byte) {
	for _, x := range notFollowed {
		if at := x.re.FindIndex(src); at != nil {
			line := 1 + bytes.Count(src[:at[0]], []byte("\n"))
			u.Assumptions = append(u.Assumptions, ir.Assumption{Kind: "unmodelled", Pos: ir.Pos{File: u.Path, Line: line}, Text: x.text})
		}
	}
}

// packs finds where the layout of structs is changed for what follows; push alone keeps
// it.
var packs = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*pragma[ \t]+pack[ \t]*\([^)]*[0-9]|_Pragma[ \t]*\([ \t]*"pack`)

// packedMember finds packed attributes of members, which cc keeps to itself.
var packedMember = regexp.MustCompile(`\w[\s*]+\w+(?:\s*\[[^\]]*\])?(?:\s*:\s*\w+)?\s*` + packedAttr + `\s*[;,]|[;{]\s*` + packedAttr + `\s*\w`)

// takesErrno finds where the address of errno is taken, which others may then look at.
var takesErrno = regexp.MustCompile(`[^&]&\s*\(?\s*(errno\b|\*\s*__errno_location\b)`)

const packedAttr = `__attribute__\s*\(\(\s*(?:__)?packed(?:__)?\s*\)\)`

// Parse preprocesses, parses and type-checks one file; src nil means to read it.
// Functions with errors become Degraded; an error outside functions is returned.
func Parse(path string, src []byte, opt Options) (*Unit, error) {
	if src == nil {
		var err error
		if src, err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	if bytes.IndexByte(src, 0) >= 0 {
		return nil, fmt.Errorf("%s: it is not text, so it is no C source", path)
	}
	if usesKernel.Match(src) && (!usesLibrary.Match(src) || insideKernel.Match(src)) {
		opt.KernelHeaders = true
	}
	u := &Unit{Path: path, kernel: opt.KernelHeaders, core: opt.KernelHeaders || preprocessedKernel.Match(src)}
	u.unseen(src)
	src = append(ended(multichars(unnamed(rewrite(modern(src))))), '\n')
	u.asm, u.text = asmFunctions(src), src
	opt.Undefines = append(slices.Clone(opt.Undefines), ownAtomics(src)...)
	for tries := 0; ; tries++ {
		ast, err := translate(path, src, opt)
		if err != nil && !opt.C23 && tries == 0 && newWords.Match(src) {
			again := opt
			again.C23 = true
			if a, e := translate(path, autos(src), again); e == nil || placeOf(e) > placeOf(err) {
				ast, err, opt, src = a, e, again, autos(src)
			}
		}
		if err == nil {
			u.AST = ast
			if err := u.nameCut(); err != nil {
				return nil, err
			}
			return u, unknownMacros(ast, path)
		}
		parse := func(src []byte) error { _, err := translate(path, src, opt); return err }
		cut, d, ok := cutOut(path, src, err)
		if !ok && tries <= maxCut {
			cut, d, ok = blame(path, src, err, parse)
		}
		if !ok || tries > maxCut {
			return nil, clearError(path, src, located(src, err, parse))
		}
		src = cut
		u.Degraded = append(u.Degraded, d)
	}
}

// maxCut bounds the functions of a file that are cut out.
const maxCut = 60

// preprocessedKernel finds the line markers of the kernel's headers.
var preprocessedKernel = regexp.MustCompile(`(?m)^#\s*(line\s*)?\d+\s+".*/include/linux/(module|device|kernel|types)\.h"`)

var usesKernel = regexp.MustCompile(`(?m)^\s*#\s*include\s*<linux/`)

// usesLibrary finds headers that programs of the C library include, and the kernel has
// not: such a program means the kernel's headers for programs, which the system has,
// where it includes <linux/futex.h>.
var usesLibrary = regexp.MustCompile(`(?m)^\s*#\s*include\s*<(stdio|stdlib|pthread|unistd|threads|sys/[a-z]+)\.h>`)

// insideKernel finds headers that the kernel keeps for itself.
var insideKernel = regexp.MustCompile(`(?m)^\s*#\s*include\s*<linux/(atomic|completion|device|init|interrupt|kthread|list|module|mutex|rwlock|rwsem|semaphore|seqlock|slab|spinlock|timer|wait|workqueue)\.h>`)

var usesInclude = regexp.MustCompile(`(?m)^\s*#\s*(include|import|error|if|el|end)`)

// translate runs cc, and once more on tokens where it does not take the labels as they
// are. Its panics become errors.
func translate(path string, src []byte, opt Options) (*cc.AST, error) {
	cfg, err := config(path, opt)
	if err != nil {
		return nil, err
	}
	sources := sourcesOf(path, src, opt)
	ast, err := translateText(cfg, path, src, opt, sources)
	if err != nil && strings.Contains(err.Error(), twoLabels) {
		if cfg, err = config(path, opt); err == nil { // cc writes into the first one
			ast, err = guarded(path, func() (*cc.AST, error) { return flattened(cfg, sources) })
		}
	}
	return ast, err
}

// translateText runs cc. It takes the place of a header that it does not find for the end
// of its input, before the tail (see there), and may then run without end. So a
// translation stops there, and the preprocessor runs alone, for its message.
func translateText(cfg *cc.Config, path string, src []byte, opt Options, sources []cc.Source) (*cc.AST, error) {
	if !usesInclude.Match(src) && len(opt.Includes) == 0 {
		return guarded(path, func() (*cc.AST, error) { return cc.Translate(cfg, sources) })
	}
	if !includesComputed(src) {
		stopped, again := false, *cfg
		again.FS = fileSystem{stopped: &stopped}
		ast, err := guarded(path, func() (*cc.AST, error) { return cc.Translate(&again, sources) })
		if !stopped {
			return ast, err
		}
	}
	return guarded(path, func() (*cc.AST, error) {
		if err := cc.Preprocess(cfg, sources, io.Discard); err != nil {
			return nil, err
		}
		return cc.Translate(cfg, sources)
	})
}

// sourcesOf is what cc reads for a file.
func sourcesOf(path string, src []byte, opt Options) []cc.Source {
	pre := predefined
	if opt.DataModel == "ILP32" {
		pre = narrowed(pre)
	}
	if opt.C23 {
		pre = strings.Replace(pre, "#define __STDC_VERSION__ 201112L", "#define __STDC_VERSION__ 202311L", 1)
	}
	return []cc.Source{
		{Name: "<predefined>", Value: pre}, {Name: "<builtin>", Value: builtins},
		{Name: "<whoop>", Value: builtinDecls + vaOpt + oneArgument + newer(opt) + defines(opt)}, {Name: path, Value: string(src)}, {Name: endName, Value: tail},
	}
}

// of64 are macros that say that pointers have 64 bits.
var of64 = regexp.MustCompile(`(?m)^#define (_LP64|__LP64__|__SIZEOF_INT128__|__amd64|__amd64__|__code_model_small__|__k8|__k8__|__x86_64|__x86_64__) .*\n`)

// narrowed are the macros that the compiler defines where pointers have 32 bits.
func narrowed(pre string) string {
	pre = of64.ReplaceAllString(pre, "")
	for _, line := range strings.Split(strings.TrimSpace(predefined32), "\n") {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "#define "), " ")
		if at := strings.Index(pre, "#define "+name+" "); at >= 0 {
			pre = pre[:at] + pre[at+strings.Index(pre[at:], "\n")+1:]
		}
	}
	return pre + predefined32
}

// newer is what stands for C23's keywords, where they are ones.
func newer(opt Options) string {
	if opt.C23 {
		return c23
	}
	return ""
}

// builtinDecls declares what cc does not know of.
const builtinDecls = `
void __whoop_atomic_init();
`

// builtins is what cc declares by itself, with va_arg as ours, that knows the size of the
// argument.
var builtins = strings.ReplaceAll(cc.Builtin, "(*(type*)__builtin_va_arg_impl(va))", "(*(__typeof__(type)*)__whoop_va_arg(va, sizeof(type)))") + "\nvoid *__whoop_va_arg();\n" + atomicDecls

// tail follows every file: a declaration without effect whose tokens end loops of cc's
// parser that skip to a closing token and do not stop at the end of the input (seen for
// "int *;").
const tail = "\n;typedef int __whoop_end[1], (*__whoop_end2)(int), __whoop_end3[1];\n"

// endName is the name of the tail in cc's messages.
const endName = "<end>"

// Rejected begins Func.Unknown of a function that does not parse or has type errors; the
// error with its place follows.
const Rejected = "the C parser rejects it: "

// ownPlace is where cc's messages say which line of cc wrote them.
var ownPlace = regexp.MustCompile(`\s*\(\w+\.go:\d+:\w*:?\)`)

// ownSetting is where cc's messages say which of its settings they are about.
var ownSetting = regexp.MustCompile(`\s*\(Config\.\w+ \d+\)`)

// failedNode finds the node of the syntax tree that cc could not check.
var failedNode = regexp.MustCompile(`\*cc\.(\w+)`)

// plain is a message of cc for a user.
func plain(message string) string {
	message = ownSetting.ReplaceAllString(ownPlace.ReplaceAllString(message, ""), "")
	at := strings.Index(message, "TODO")
	if at < 0 {
		return message
	}
	what := "this"
	if m := failedNode.FindStringSubmatch(message[at:]); m != nil {
		what = "this " + strings.ToLower(capital.ReplaceAllString(m[1], "$1 $2"))
	}
	return message[:at] + what + " is not understood"
}

// capital finds the places between the words of a name.
var capital = regexp.MustCompile(`([a-z])([A-Z])`)

// placeOf is the line that an error is about, 0 where it has none.
func placeOf(err error) int {
	m := errorPlace.FindStringSubmatch(err.Error())
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[2])
	return n
}

var errorPlace = regexp.MustCompile(`(?m)^(.*?):(\d+):(\d+):\s*(.*)$`)

// clearError keeps the first line of cc's list. What cc finds in the tail is what the
// file leaves open.
func clearError(path string, src []byte, err error) error {
	line, _, _ := strings.Cut(err.Error(), "\n")
	line = plain(line)
	if strings.HasPrefix(line, endName+":") {
		return fmt.Errorf("%s:%d: the file ends inside a declaration: a closing brace, a parenthesis or a semicolon is missing", path, strings.Count(string(src), "\n"))
	}
	if strings.Contains(line, "include file not found: <") && usesKernel.Match(src) {
		line += ": the embedded headers of the kernel are small; give the file as the kernel's own headers make it, by make path/to/driver.i in its tree"
	}
	return errors.New(line)
}
