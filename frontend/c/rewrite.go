package c

import "regexp"

// rewrites normalises constructs that cc rejects; each keeps the line structure. They work on text, so a match inside a
// string would be changed too: the patterns are ones that do not occur in strings.
var rewrites = []struct {
	re *regexp.Regexp
	to string
}{
	// GNU named variadics: #define D(f, args...) g(f, ##args)
	{regexp.MustCompile(`(?m)^(\s*#\s*define\s+\w+\([^)\n]*?)(\b\w+)\.\.\.\)(.*)$`), ""},
	// asm inline (…), asm volatile __inline (…)
	{regexp.MustCompile(`\b(asm|__asm__|__asm)(\s+(?:volatile|__volatile__|__volatile))?\s+(?:inline|__inline|__inline__)\b`), "$1$2"},
	{regexp.MustCompile(`,##__VA_ARGS__`), ", ##__VA_ARGS__"},
	// struct { int x; ; }: cc reports the empty member on standard error
	{regexp.MustCompile(`;(\s*);(\s*\})`), ";$1 $2"},
	// typeof(TYPE) as a declaration specifier, where the text shows a type
	{regexp.MustCompile(`\b(typeof|__typeof__|__typeof)\s*\(\s*((?:(?:const|volatile|unsigned|signed|void|char|int|long|short|_Bool|bool|[us](?:8|16|32|64)|__[us](?:8|16|32|64)|\w+_t|(?:struct|union|enum)\s+\w+)\b[\s*]*)+)\)`), "$1(*($2 *)0)"},
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
	return src
}
