package diag

import "strings"

// CutPair divides "a,b", the names of two entry points. Commas within brackets belong to
// a name, as in (*Cache[K, V]).Get.
func CutPair(s string) (a, b string, ok bool) {
	depth := 0
	for i, c := range s {
		switch c {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',':
			if depth == 0 {
				return strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+1:]), true
			}
		}
	}
	return s, "", false
}
