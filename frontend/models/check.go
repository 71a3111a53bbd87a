package models

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// opRoles gives, for every Op, the roles it must have, before the bar, and those it may
// have. A role counts as given by Arg, Const or, for lock, Global.
func opRoles(op Op) (must, may []string, ok bool) {
	table := map[Op]string{
		OpLock: "lock|mask", OpUnlock: "lock|mask", OpDowngrade: "lock|", OpLockInit: "lock|attr kind", OpLockAttr: "attr kind|", OpLockDestroy: "lock|",
		OpCondWait: "cond mutex|", OpCondSignal: "cond|", OpCondBcast: "cond|",
		OpSemInit: "sem|val", OpSemWait: "sem|", OpSemPost: "sem|", OpSemPostAll: "sem|",
		OpBarrierInit: "barrier|count", OpBarrierWait: "barrier|",
		OpOnce: "ctl fn|", OpSpawn: "fn|handle data", OpJoin: "handle|result", OpDetach: "handle|",
		OpThreadExit: "|val sem", OpCancel: "handle|", OpSelf: "|", OpCancelState: "val|old", OpAbort: "|val", OpExit: "|val", OpAtExit: "fn|data", OpAlloc: "|size count handle src", OpFree: "addr|", OpRealloc: "addr|size count",
		OpMemCopy: "dst src|size", OpMemSet: "dst|val size", OpStrCopy: "dst src|", OpAssume: "val|", OpAssert: "val|", OpError: "|",
		OpNondet: "|", OpPure: "|", OpKeySet: "key val|", OpKeyGet: "key|", OpFutex: "addr op val|timeout", OpKeyDelete: "key|", OpEffects: "|size count", OpIdentity: "val|", OpAtomicBegin: "|", OpAtomicEnd: "|",
		OpIrqDisable: "|", OpIrqEnable: "|", OpAtomicLoad: "addr|", OpAtomicStore: "addr|val", OpRMW: "addr|val",
		OpBitOp: "addr mask|", OpCmpXchg: "addr expected new|", OpFence: "|", OpRegister: "|obj",
		OpUnregister: "|obj", OpCallback: "fn|data obj key thread",
	}
	s, ok := table[op]
	a, b, _ := strings.Cut(s, "|")
	return strings.Fields(a), strings.Fields(b), ok
}

// allowed values of the fields that are words; "" is always allowed.
func words(field string) []string {
	switch field {
	case "mode":
		return []string{"exclusive", "shared"}
	case "class": // of locks
		return []string{"mutex", "spin", "bitspin", "rwlock", "rwsem", "semaphore", "seq", "rcu"}
	case "success":
		return []string{"zero", "nonzero", "nonneg", "positive"}
	case "processes":
		return []string{"makes", "shares"}
	case "rmw":
		return []string{"add", "sub", "and", "or", "xor", "nand", "xchg"}
	case "bit":
		return []string{"set", "clear", "change", "test"}
	case "order":
		return []string{"plain", "volatile", "marked", "relaxed", "acquire", "release", "acq_rel", "seq_cst"}
	case "irq":
		return []string{"irq", "bh", "preempt"}
	case "ret":
		return []string{"zero", "old", "new", "test-zero", "bool", "any", "success", "nonnull", "maybe-null", "handle", "input", "input-nonneg", "input-char", "length", "compare-text", "compare-bytes", "static", "static-nonnull", "own", "in-through"}
	}
	return nil
}

// check validates what decoding cannot: names of operations, roles and words, argument
// numbers.
func check(file string, f *File, root *yaml.Node) error {
	lines := itemLines(root, "funcs")
	for i := range f.Funcs {
		if err := CheckFunc(&f.Funcs[i]); err != nil {
			return fmt.Errorf("%s:%d: %w", file, lineOf(lines, i), err)
		}
	}
	lines = itemLines(root, "tables")
	for i, t := range f.Tables {
		if t.Struct == "" {
			return fmt.Errorf("%s:%d: a table without \"struct\", the C tag of its type", file, lineOf(lines, i))
		}
		for _, m := range append(slices.Clone(t.Init), t.Exit...) {
			if len(t.Entry) > 0 && !slices.Contains(t.Entry, m) || slices.Contains(t.Ignore, m) {
				return fmt.Errorf("%s:%d: table %s: %s is an init or exit member but not an entry", file,
					lineOf(lines, i), t.Struct, m)
			}
		}
	}
	lines = itemLines(root, "rules")
	for i, r := range f.Rules {
		if r.A == "" || r.B == "" || r.Reason == "" {
			return fmt.Errorf("%s:%d: a rule needs a, b (kinds of entries) and a reason", file, lineOf(lines, i))
		}
	}
	for t, members := range f.Changes {
		for m, bits := range members {
			if bits == 0 {
				return fmt.Errorf("%s:%d: changes: %s.%s: no bit is named", file, keyLine(root, "changes"), t, m)
			}
		}
	}
	for prefix, what := range f.Initcalls {
		if what != "init" && what != "exit" {
			return fmt.Errorf("%s:%d: initcalls: %s is %q; it must be init or exit", file,
				keyLine(root, "initcalls"), prefix, what)
		}
	}
	return nil
}

// CheckFunc reports what is wrong with one model.
func CheckFunc(f *Func) error {
	if len(f.Names) == 0 {
		return fmt.Errorf("a function model without names")
	}
	name := f.Names[0]
	must, may, ok := opRoles(f.Op)
	if !ok {
		return fmt.Errorf("%s: there is no op %q", name, f.Op)
	}
	for _, r := range must {
		_, isArg := f.Arg[r]
		_, isConst := f.Const[r]
		if !isArg && !isConst && !(r == "lock" && f.Global != "") {
			return fmt.Errorf("%s: op %s needs the role %s (arg: {%s: N})", name, f.Op, r, r)
		}
	}
	for _, m := range []map[string]bool{keys(f.Arg), keys(f.Const), keys(f.Field)} {
		for r := range m {
			if !slices.Contains(must, r) && !slices.Contains(may, r) {
				return fmt.Errorf("%s: op %s has no role %q", name, f.Op, r)
			}
		}
	}
	for r, n := range f.Arg {
		if n < 0 {
			return fmt.Errorf("%s: role %s: argument %d does not exist; the first is 0", name, r, n)
		}
	}
	for _, r := range f.Deref {
		if _, ok := f.Arg[r]; !ok {
			return fmt.Errorf("%s: deref names the role %q, which is not in arg", name, r)
		}
	}
	for _, c := range f.Calls {
		for _, q := range c.Params {
			kind, n, _ := strings.Cut(q, ":")
			if _, err := strconv.Atoi(n); q != "" && q != PassedResult && (err != nil || kind != "arg" && kind != "element") {
				return fmt.Errorf("%s: calls: a parameter is %q; it must be arg:N, element:N, result or empty", name, q)
			}
		}
	}
	return checkWords(name, f)
}

func keys[V any](m map[string]V) map[string]bool {
	out := map[string]bool{}
	for k := range m {
		out[k] = true
	}
	return out
}

func checkWords(name string, f *Func) error {
	rmw := "rmw"
	if f.Op == OpBitOp {
		rmw = "bit"
	}
	for _, w := range [][2]string{{"mode", f.Mode}, {"success", f.Success}, {rmw, f.RMWOp}, {"processes", f.Processes}, {"order", f.Order}} {
		if w[1] != "" && !slices.Contains(words(w[0]), w[1]) {
			return fmt.Errorf("%s: %s is %q; it must be one of %s", name, w[0], w[1], strings.Join(words(w[0]), ", "))
		}
	}
	if (f.Op == OpLock || f.Op == OpUnlock) && f.Class != "" &&
		!slices.Contains(words("class"), f.Class) {
		return fmt.Errorf("%s: class of a lock is %q; it must be one of %s", name, f.Class,
			strings.Join(words("class"), ", "))
	}
	for _, k := range f.Irq {
		if !slices.Contains(words("irq"), k) {
			return fmt.Errorf("%s: irq: %q is not one of irq, bh, preempt", name, k)
		}
	}
	for _, p := range []string{"arg:", "in-arg:"} {
		if n, ok := strings.CutPrefix(f.Ret, p); ok {
			if _, err := strconv.ParseUint(n, 10, 8); err != nil {
				return fmt.Errorf("%s: ret: %q: not an argument number", name, f.Ret)
			}
			return nil
		}
	}
	if f.Ret != "" && !slices.Contains(words("ret"), f.Ret) {
		return fmt.Errorf("%s: ret is %q; it must be arg:N, in-arg:N or one of %s", name, f.Ret,
			strings.Join(words("ret"), ", "))
	}
	switch {
	case f.Ret == "success" && f.Success == "":
		return fmt.Errorf("%s: ret is success, but success does not say how the result shows it", name)
	case f.Worked != 0 && (f.Success == "" || !f.shows(f.Worked)):
		return fmt.Errorf("%s: worked is %d, which is no result of a call that worked", name, f.Worked)
	case f.Failure != 0 && (f.Success == "" || f.shows(f.Failure)):
		return fmt.Errorf("%s: failure is %d, which is no result of a call that failed", name, f.Failure)
	case f.Interrupted != 0 && (f.Op != OpSemWait || f.Ret != "zero"):
		return fmt.Errorf("%s: interrupted is of semaphores that are waited for without end", name)
	case f.Ret == "in-through" && len(f.Through) == 0:
		return fmt.Errorf("%s: ret is in-through, but through names no argument", name)
	case f.ForGood && f.Op != OpUnregister:
		return fmt.Errorf("%s: for_good is of unregister", name)
	case f.Op == OpCallback && f.EntryKind == "":
		return fmt.Errorf("%s: op callback needs entry_kind", name)
	case f.Op == OpCallback && keys(f.Arg)["thread"] != (f.ThreadKind != ""):
		return fmt.Errorf("%s: the role thread and thread_kind go together", name)
	case (f.Op == OpRMW || f.Op == OpBitOp) && f.RMWOp == "":
		return fmt.Errorf("%s: op %s needs rmw, the operator", name, f.Op)
	case (f.Op == OpIrqDisable || f.Op == OpIrqEnable) && len(f.Irq) == 0:
		return fmt.Errorf("%s: op %s needs irq: what it disables or enables", name, f.Op)
	}
	return nil
}

// shows reports whether the result says that the call worked.
func (f *Func) shows(result int64) bool {
	switch f.Success {
	case "zero":
		return result == 0
	case "nonneg":
		return result >= 0
	case "positive":
		return result > 0
	}
	return result != 0
}

// itemLines returns the lines of the elements of the top-level list key.
func itemLines(root *yaml.Node, key string) []int {
	var out []int
	if v := topLevel(root, key); v != nil {
		for _, n := range v.Content {
			out = append(out, n.Line)
		}
	}
	return out
}

func keyLine(root *yaml.Node, key string) int {
	if v := topLevel(root, key); v != nil {
		return v.Line
	}
	return 1
}

func topLevel(root *yaml.Node, key string) *yaml.Node {
	if len(root.Content) == 0 {
		return nil
	}
	m := root.Content[0]
	if m.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return m.Content[i+1]
		}
	}
	return nil
}

func lineOf(lines []int, i int) int {
	if i < len(lines) {
		return lines[i]
	}
	return 1
}
