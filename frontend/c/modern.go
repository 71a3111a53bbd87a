package c

import (
	"bytes"
	"regexp"
	"strings"
)

// What C11 and C23 write that cc does not read is written otherwise before: attributes in
// brackets, separators between digits, characters with a prefix, and __VA_OPT__. The new
// text has the lines of the old one.

// isModern finds, quickly, texts in which there may be something of it.
func isModern(src []byte) bool {
	if bytes.Contains(src, []byte("[[")) || bytes.Contains(src, []byte("__VA_OPT__")) {
		return true
	}
	for i, c := range src { // regular expressions take longer here than all of cc for a header
		if c == '\'' && (separates(src, i) || prefixed.Match(src[max(i-3, 0):i+1])) {
			return true
		}
	}
	return false
}

// separates reports whether the quote at i is between two digits.
func separates(src []byte, i int) bool {
	return i > 0 && i+1 < len(src) && hexDigit(src[i-1]) && hexDigit(src[i+1])
}

func hexDigit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

var prefixed = regexp.MustCompile(`\b(u8|u|U)'`)

// modern writes a text so that cc reads it.
func modern(src []byte) []byte {
	if !isModern(src) {
		return src
	}
	var out []byte
	sc := scanner{src: src}
	for i := 0; i < len(src); {
		word := i > 0 && wordByte(src[i-1])
		switch c := src[i]; {
		case c >= '0' && c <= '9' && !word:
			n := numberEnd(src, i)
			out = append(out, bytes.ReplaceAll(src[i:n], []byte("'"), nil)...)
			i = n
		case (c == 'u' || c == 'U') && !word && prefixed.Match(src[i:min(i+3, len(src))]) && prefixed.FindIndex(src[i:])[0] == 0:
			k := bytes.IndexByte(src[i:], '\'') + i
			n, _ := sc.next(k)
			out = append(out, character(string(src[i:k]), src[k:n], onDirective(src, i))...)
			i = n
		case c == '[' && bytes.HasPrefix(src[i:], []byte("[[")):
			n := attributesEnd(src, i)
			if n < 0 {
				out = append(out, c)
				i++
				continue
			}
			out = append(out, attributes(src[i:n])...)
			i = n
		case c == '_' && !word && bytes.HasPrefix(src[i:], []byte("__VA_OPT__")):
			i += len("__VA_OPT__")
			out = append(out, "__whoop_paste(__whoop_opt_, __whoop_any(__VA_ARGS__))"...)
		default:
			n, _ := sc.next(i)
			out = append(out, src[i:n]...)
			i = n
		}
	}
	return out
}

// vaOpt are the macros that stand for __VA_OPT__: whether there are arguments, up to 64,
// chooses among two.
var vaOpt = `
#define __whoop_paste_(a, b) a##b
#define __whoop_paste(a, b) __whoop_paste_(a, b)
#define __whoop_last(` + strings.Join(numbered(65), ", ") + `, x, ...) x
#define __whoop_any(...) __whoop_last(0, ##__VA_ARGS__` + strings.Repeat(", 1", 64) + `, 0, 0)
#define __whoop_opt_0(...)
#define __whoop_opt_1(...) __VA_ARGS__
`

// numbered are n names of parameters.
func numbered(n int) []string {
	var out []string
	for i := range n {
		out = append(out, "a"+strings.Repeat("b", i))
	}
	return out
}

// numberEnd is the end of the number at i, with separators between digits.
func numberEnd(src []byte, i int) int {
	for i++; i < len(src); i++ {
		c := src[i]
		switch {
		case wordByte(c) || c == '.':
		case (c == '+' || c == '-') && strings.IndexByte("eEpP", src[i-1]) >= 0:
		case c == '\'' && i+1 < len(src) && wordByte(src[i-1]) && wordByte(src[i+1]):
		default:
			return i
		}
	}
	return i
}

// character is a character constant with a prefix: a wide one of the prefix's type. In a
// directive there are no types.
func character(prefix string, constant []byte, directive bool) []byte {
	t := map[string]string{"u": "__CHAR16_TYPE__", "U": "__CHAR32_TYPE__", "u8": "unsigned char"}[prefix]
	if directive {
		return append([]byte("L"), constant...)
	}
	return append(append([]byte("(("+t+")L"), constant...), ')')
}

// onDirective reports whether the place is on a line of #if or #elif.
func onDirective(src []byte, i int) bool {
	line := bytes.TrimSpace(src[bytes.LastIndexByte(src[:i], '\n')+1 : i])
	rest, ok := bytes.CutPrefix(line, []byte("#"))
	rest = bytes.TrimSpace(rest)
	return ok && (bytes.HasPrefix(rest, []byte("if")) || bytes.HasPrefix(rest, []byte("elif")))
}

// attributesEnd is the end of the attributes whose brackets open at i, -1 where they do
// not close.
func attributesEnd(src []byte, i int) int {
	depth := 0
	sc := scanner{src: src}
	for i < len(src) {
		n, tok := sc.next(i)
		switch tok {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return n
			}
		case ';', '{', '}':
			return -1
		}
		i = n
	}
	return -1
}

// attribute finds one of them: a name, and arguments.
var attribute = regexp.MustCompile(`(?:(\w+)\s*::\s*)?(\w+)\s*(\((?:[^()]|\([^()]*\))*\))?`)

// attributes writes attributes as GNU C does. The standard's that say nothing about what
// a program does are left out.
func attributes(text []byte) []byte {
	var out []byte
	for _, m := range attribute.FindAllSubmatch(text[2:len(text)-2], -1) {
		space, name := string(m[1]), strings.Trim(string(m[2]), "_")
		switch {
		case space == "gnu" || space == "__gnu__" || space == "" && strings.EqualFold(name, "noreturn"):
			out = append(out, "__attribute__(("+strings.ToLower(name)+string(m[3])+")) "...)
		}
	}
	return append(out, bytes.Repeat([]byte("\n"), bytes.Count(text, []byte("\n"))-bytes.Count(out, []byte("\n")))...)
}

// newWords finds what C23 made keywords of, and programs before it did not need.
var newWords = regexp.MustCompile(`\b(nullptr|constexpr|bool|true|false|alignas|alignof|static_assert|thread_local|typeof_unqual|nullptr_t|unreachable)\b|\bauto\s+\w+\s*=|\bstdckdint\.h`)

// inferred finds declarations whose type is that of the initialiser: C23's auto without a
// type.
var inferred = regexp.MustCompile(`\b((?:static\s+|const\s+)*)auto(\s+\w+\s*=)`)

// autos writes C23's declarations without a type as GNU C does.
func autos(src []byte) []byte { return inferred.ReplaceAll(src, []byte("${1}__auto_type$2")) }

// c23 are macros that stand for those that cc does not define in C23.
const c23 = `
#define bool _Bool
#define alignas _Alignas
#define alignof _Alignof
#define static_assert _Static_assert
#define thread_local _Thread_local
#define constexpr static const
#define typeof_unqual __typeof__
#define __typeof_unqual__ __typeof__
#define __STDC_UTF_16__ 1
typedef void *nullptr_t;
`

// oneArgument lets a static assertion have no text.
const oneArgument = "#define _Static_assert(c, ...) _Static_assert(c, \"\")\n"
