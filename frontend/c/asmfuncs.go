package c

import (
	"regexp"

	"whoop/frontend/models"
)

var (
	asmWord   = regexp.MustCompile(`\b(asm|__asm__|__asm)\b`)
	calledSrc = regexp.MustCompile(`\b([A-Za-z_]\w*)\s*\(`)
)

// asmFunctions finds the functions of a source text whose bodies contain inline assembly,
// themselves or through functions of the same text: what preprocessed kernel headers make
// of atomic operations. A model says more of them than a body.
func asmFunctions(src []byte) map[string]bool {
	if !asmWord.Match(src) {
		return nil
	}
	out := map[string]bool{}
	calledBy := map[string][]string{}
	var work []string
	sc := scanner{src: src}
	depth, start, last := 0, 0, 0
	for i := 0; i < len(src); {
		n, tok := sc.next(i)
		switch tok {
		case '{':
			if depth == 0 {
				start = i
			}
			depth++
		case '}':
			depth--
			if depth == 0 {
				if name := definedName(header(src[last:start])); name != "" {
					body := src[start:n]
					if asmWord.Match(body) && !out[name] {
						out[name] = true
						work = append(work, name)
					}
					for _, c := range calledSrc.FindAllSubmatch(body, -1) {
						calledBy[string(c[1])] = append(calledBy[string(c[1])], name)
					}
				}
				last = n
			}
		}
		i = n
	}
	for len(work) > 0 {
		f := work[0]
		work = work[1:]
		for _, g := range calledBy[f] {
			if !out[g] {
				out[g] = true
				work = append(work, g)
			}
		}
	}
	return out
}

// definedName is the name before the last parameter list of a function definition's
// header, "" where there is none. Attributes may stand before and behind it, and have
// parentheses of their own.
func definedName(head []byte) string {
	end := len(head)
	for {
		open, depth := -1, 0
		for i := end - 1; i >= 0 && open < 0; i-- {
			switch head[i] {
			case ')':
				depth++
			case '(':
				if depth--; depth == 0 {
					open = i
				}
			default:
				if depth == 0 && !isSpace(head[i]) && !wordByte(head[i]) {
					return ""
				}
			}
		}
		if open < 0 {
			return ""
		}
		to := open
		for to > 0 && isSpace(head[to-1]) {
			to--
		}
		from := to
		for from > 0 && wordByte(head[from-1]) {
			from--
		}
		switch name := string(head[from:to]); name {
		case "__attribute__", "__attribute":
			end = from
		default:
			return name
		}
	}
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

// atomicModel: a model of these kinds is preferred to a body of inline assembly.
func atomicModel(m *models.Func) bool {
	switch m.Op {
	case models.OpRMW, models.OpBitOp, models.OpCmpXchg, models.OpAtomicLoad, models.OpAtomicStore, models.OpFence, models.OpIrqDisable, models.OpIrqEnable:
		return true
	}
	return false
}
