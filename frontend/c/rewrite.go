package c

import (
	"regexp"
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
	return emptyMembers(src)
}

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
