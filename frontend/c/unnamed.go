package c

import (
	"bytes"
	"regexp"
	"slices"
)

// unnamed blanks the names of parameters in the lists of abstract function types, (*)(int
// x), wherever they nest: cc declares them in the scope around the type, where they hide
// other names or are declared twice.
func unnamed(src []byte) []byte {
	out := src
	sc := scanner{src: src}
	for i := 0; i < len(src); {
		n, tok := sc.next(i)
		if tok == '(' {
			if list := abstractFunction(src, i); list >= 0 {
				if &out[0] == &src[0] {
					out = slices.Clone(src)
				}
				blankNames(out, list)
			}
		}
		i = n
	}
	return out
}

// abstractFunction returns the offset behind the second parenthesis of "(*)(", or -1
// where the text at i is something else.
func abstractFunction(src []byte, i int) int {
	i = skipSpace(src, i+1)
	if i >= len(src) || src[i] != '*' {
		return -1
	}
	for i < len(src) {
		switch c := src[i]; {
		case c == '*':
			i++
		case c == ')':
			i = skipSpace(src, i+1)
			if i < len(src) && src[i] == '(' {
				return i + 1
			}
			return -1
		case wordByte(c):
			w := word(src, i)
			if !qualifiers[string(w)] {
				return -1
			}
			i += len(w)
		default:
			return -1
		}
		i = skipSpace(src, i)
	}
	return -1
}

// qualifiers are the words beside which a name in a list of parameters is still a type's.
var qualifiers = map[string]bool{"const": true, "volatile": true, "restrict": true, "register": true, "__const": true, "__const__": true, "__volatile": true,
	"__volatile__": true, "__restrict": true, "__restrict__": true, "_Atomic": true, "__extension__": true}

// typeWords are the words of the language that stand where a name might, and are none.
var typeWords = map[string]bool{"void": true, "char": true, "short": true, "int": true, "long": true, "float": true, "double": true, "signed": true, "unsigned": true,
	"_Bool": true, "bool": true, "_Complex": true, "__signed__": true, "__signed": true, "__int128": true, "_Float128": true, "__float128": true}

// lengths finds a name between brackets: the length is another parameter's value.
var lengths = regexp.MustCompile(`\[[^\]]*[A-Za-z_]`)

// blankNames blanks the names of the parameters of a list that begins at i. A parameter
// that has more to it than words, stars and brackets keeps its name, but for pointers to
// functions, whose own lists are blanked too.
func blankNames(src []byte, i int) {
	if lengths.Match(src[i:closingAt(src, i-1, '(', ')')]) {
		return
	}
	var words [][2]int
	star, plain := -1, true // where the first star is
	end := func() {
		defer func() { words, star, plain = nil, -1, true }()
		if !plain || len(words) == 0 {
			return
		}
		last := words[len(words)-1]
		text := func(w [2]int) string { return string(src[w[0]:w[1]]) }
		if t := text(last); qualifiers[t] || typeWords[t] || t[0] >= '0' && t[0] <= '9' {
			return
		}
		typed, tag := star >= 0 && star < last[0], false
		for _, w := range words[:len(words)-1] {
			switch t := text(w); {
			case qualifiers[t]:
			case t == "struct" || t == "union" || t == "enum":
				tag = true
			default:
				typed, tag = true, false
			}
		}
		if typed && !tag {
			blank(src, last)
		}
	}
	sc := scanner{src: src}
	for i < len(src) {
		n, tok := sc.next(i)
		switch {
		case tok == 0 || tok == ' ' || tok == '\t' || tok == '\n' || tok == '\r' || tok == '\\':
		case tok == '*':
			if star < 0 {
				star = i
			}
		case tok == ',':
			end()
		case tok == ')':
			end()
			return
		case tok == '[':
			n = closingAt(src, i, '[', ']')
		case tok == '(':
			plain = false
			if name, list, ok := functionParameter(src, i); ok {
				blank(src, name)
				blankNames(src, list)
			}
			n = closingAt(src, i, '(', ')')
		case wordByte(tok):
			w := word(src, i)
			n = i + len(w)
			words = append(words, [2]int{i, n})
		default: // an ellipsis, an operator: nothing that has a name
			plain = false
		}
		i = n
	}
}

// functionParameter finds the name in (*name)( and where the list begins; an empty name
// where there is none.
func functionParameter(src []byte, i int) (name [2]int, list int, ok bool) {
	i = skipSpace(src, i+1)
	if i >= len(src) || src[i] != '*' {
		return name, 0, false
	}
	for i < len(src) {
		switch c := src[i]; {
		case c == '*':
			i++
		case wordByte(c):
			w := word(src, i)
			if !qualifiers[string(w)] {
				name = [2]int{i, i + len(w)}
			}
			i += len(w)
		case c == ')':
			if i = skipSpace(src, i+1); i < len(src) && src[i] == '(' {
				return name, i + 1, true
			}
			return name, 0, false
		default:
			return name, 0, false
		}
		i = skipSpace(src, i)
	}
	return name, 0, false
}

// closingAt returns the offset behind what closes the bracket at i.
func closingAt(src []byte, i int, open, shut byte) int {
	depth := 0
	for sc := (scanner{src: src}); i < len(src); {
		n, tok := sc.next(i)
		if tok == open {
			depth++
		}
		if tok == shut {
			if depth--; depth == 0 {
				return n
			}
		}
		i = n
	}
	return i
}

func blank(src []byte, w [2]int) { copy(src[w[0]:w[1]], bytes.Repeat([]byte{' '}, w[1]-w[0])) }

func word(src []byte, i int) []byte {
	j := i
	for j < len(src) && wordByte(src[j]) {
		j++
	}
	return src[i:j]
}

func skipSpace(src []byte, i int) int {
	for i < len(src) && (src[i] == ' ' || src[i] == '\t' || src[i] == '\n' || src[i] == '\r') {
		i++
	}
	return i
}
