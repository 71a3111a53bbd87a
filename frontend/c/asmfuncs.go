package c

import (
	"regexp"

	"whoop/frontend/models"
)

var (
	asmWord   = regexp.MustCompile(`\b(asm|__asm__|__asm)\b`)
	calledSrc = regexp.MustCompile(`\b([A-Za-z_]\w*)\s*\(`)
)

// asmFunctions finds the functions of a source text whose bodies contain inline assembly, themselves or through functions
// of the same text: what preprocessed kernel headers make of atomic operations. A model says more of them than a body.
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
				if m := funcName.FindSubmatch(header(src[last:start])); m != nil {
					name, body := string(m[1]), src[start:n]
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

// atomicModel: a model of these kinds is preferred to a body of inline assembly.
func atomicModel(m *models.Func) bool {
	switch m.Op {
	case models.OpRMW, models.OpBitOp, models.OpCmpXchg, models.OpAtomicLoad, models.OpAtomicStore, models.OpFence, models.OpIrqDisable, models.OpIrqEnable:
		return true
	}
	return false
}
