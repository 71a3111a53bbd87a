package c

import (
	"bytes"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
)

// rewrites normalises constructs that cc rejects; each keeps the line structure. They
// work on text, so a match inside a string would be changed too: the patterns are ones
// that do not occur in strings.
var rewrites = []struct {
	re *regexp.Regexp
	to string
}{
	// GNU named variadics: #define D(f, args...) g(f, ##args)
	{regexp.MustCompile(`(?m)^(\s*#\s*define\s+\w+\([^)\n]*?)(\b\w+)\.\.\.\)(.*)$`), ""},
	// asm inline (…), asm volatile __inline (…)
	{regexp.MustCompile(`\b(asm|__asm__|__asm)(\s+(?:volatile|__volatile__|__volatile))?\s+(?:inline|__inline|__inline__)\b`), "$1$2"},
	{regexp.MustCompile(`,##__VA_ARGS__`), ", ##__VA_ARGS__"},
	// typeof(TYPE) as a declaration specifier, where the text shows a type
	{regexp.MustCompile(`\b(typeof|__typeof__|__typeof|typeof_unqual)\s*\(\s*((?:(?:const|volatile|unsigned|signed|void|char|int|long|short|_Bool|bool|[us](?:8|16|32|64)|__[us](?:8|16|32|64)|\w+_t|(?:struct|union|enum)\s+\w+)\b[\s*]*)+)\)`), "$1(*($2 *)0)"},
}

// rewrite applies the rewrites.
func rewrite(src []byte) []byte {
	for i, r := range rewrites {
		if i == 0 {
			src = r.re.ReplaceAllFunc(src, func(m []byte) []byte {
				s := r.re.FindSubmatch(m)
				name := regexp.MustCompile(`\b` + string(s[2]) + `\b`)
				return []byte(string(s[1]) + "...)" + name.ReplaceAllString(string(s[3]), "__VA_ARGS__"))
			})
			continue
		}
		src = r.re.ReplaceAll(src, []byte(r.to))
	}
	return emptyMembers(swapped(src))
}

// swap finds the builtin functions that reverse the bytes of a constant, with casts to
// unsigned types around it.
var swap = regexp.MustCompile(`\b__builtin_bswap(16|32|64)\s*\(((?:[\s()]|\(\s*(?:__u|u|uint)(?:16|32|64)(?:_t)?\s*\))*)(0[xX][0-9a-fA-F]+|0|[1-9]\d*)[uUlL]*((?:\s*\))+)`)

// swapped writes constants with their bytes reversed as numbers: cc has no value for the
// builtin functions, and rejects labels of cases made with them. The casts that are within
// are to the type of the function or a wider one, or the text stays as it is.
func swapped(src []byte) []byte {
	return swap.ReplaceAllFunc(src, func(m []byte) []byte {
		s := swap.FindSubmatch(m)
		size, _ := strconv.Atoi(string(s[1]))
		v, err := strconv.ParseUint(string(s[3]), 0, size)
		left := bytes.Count(s[2], []byte("(")) + 1 - bytes.Count(s[2], []byte(")"))
		closing, n := s[4], 0
		for n < len(closing) && left > 0 {
			if closing[n] == ')' {
				left--
			}
			n++
		}
		for _, cast := range castTo.FindAllSubmatch(s[2], -1) {
			if to, _ := strconv.Atoi(string(cast[1])); to < size {
				return m
			}
		}
		if err != nil || left != 0 {
			return m
		}
		text := map[int]string{
			16: "((unsigned short)" + strconv.Itoa(int(bits.ReverseBytes16(uint16(v)))) + ")",
			32: strconv.FormatUint(uint64(bits.ReverseBytes32(uint32(v))), 10) + "u",
			64: strconv.FormatUint(bits.ReverseBytes64(v), 10) + "ul",
		}[size]
		lines := bytes.Count(m, []byte("\n")) - bytes.Count(closing[n:], []byte("\n"))
		return slices.Concat([]byte(text), bytes.Repeat([]byte("\n"), lines), closing[n:])
	})
}

// castTo finds the width of a type that is cast to.
var castTo = regexp.MustCompile(`(16|32|64)(?:_t)?\s*\)`)

// multichars makes constants of several characters the numbers that gcc has for them: cc
// rejects them.
func multichars(src []byte) []byte {
	var out []byte
	done := 0
	sc := scanner{src: src}
	for i := 0; i < len(src); {
		n, tok := sc.next(i)
		if text := src[i:n]; tok == 0 && text[0] == '\'' && len(text) >= 4 && len(text) <= 6 && text[len(text)-1] == '\'' && (i == 0 || !wordByte(src[i-1])) && plainText(text) {
			v := int32(0)
			for _, c := range text[1 : len(text)-1] {
				v = v<<8 | int32(c)
			}
			out = append(append(out, src[done:i]...), " ("+strconv.Itoa(int(v))+") "...)
			done = n
		}
		i = n
	}
	return append(out, src[done:]...)
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// plainText reports whether there is no escape and nothing but ASCII.
func plainText(s []byte) bool {
	for _, c := range s {
		if c == '\\' || c < ' ' || c > '~' {
			return false
		}
	}
	return true
}
