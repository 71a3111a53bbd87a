package c

import "slices"

// emptyMembers blanks semicolons that end nothing: struct { int x; ; int y; }. cc takes
// such a member for an int without a name, and says so on standard error. As statements
// they do nothing; those of for (;;) are in parentheses.
func emptyMembers(src []byte) []byte {
	out := src
	sc := scanner{src: src}
	// depth is how many parentheses are open within the innermost braces, outer those of
	// the others; line: nothing but blanks since the line began.
	var outer []int
	depth, line := 0, true
	before := byte(0)
	for i := 0; i < len(src); {
		n, tok := sc.next(i)
		switch {
		case tok == 0:
			if src[i] == '"' || src[i] == '\'' {
				before, line = '"', false
			}
		case tok == '\n':
			line = true
		case tok == '#' && line:
			n = directiveEnd(src, i)
		case tok == ' ' || tok == '\t' || tok == '\r':
		default:
			switch tok {
			case '{':
				outer, depth = append(outer, depth), 0
			case '}':
				if k := len(outer) - 1; k >= 0 {
					outer, depth = outer[:k], outer[k]
				}
			case '(':
				depth++
			case ')':
				depth = max(depth-1, 0)
			case ';':
				if depth == 0 && (before == ';' || before == '{') {
					if &out[0] == &src[0] {
						out = slices.Clone(src)
					}
					out[i] = ' '
					tok = before
				}
			}
			before, line = tok, false
		}
		i = n
	}
	return out
}

// directiveEnd is the offset of the end of the line that a directive ends in.
func directiveEnd(src []byte, i int) int {
	for i < len(src) && src[i] != '\n' {
		if src[i] == '\\' {
			i++
		}
		i++
	}
	return min(i, len(src))
}
