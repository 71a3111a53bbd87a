package ir

import (
	"strings"
	"testing"
)

// TestValidate breaks the demo or small programs in one way each.
func TestValidate(t *testing.T) {
	for _, tc := range []struct {
		name, want string
		change     func(p *Program, f *Func, b *Block)
	}{
		{"terminator", "no terminator", func(p *Program, f *Func, b *Block) { b.Term = nil }},
		{"foreign block", "not of this function", func(p *Program, f *Func, b *Block) { b.Term = &Goto{Targets: []*Block{{Name: "z"}}} }},
		{"no target", "goto without targets", func(p *Program, f *Func, b *Block) { b.Term = &Goto{} }},
		{"int condition", "is no bool", func(p *Program, f *Func, b *Block) { b.Term = &Branch{Cond: IntConst(I32, 1), Then: b, Else: b} }},
		{"no result", "return without a value", func(p *Program, f *Func, b *Block) { b.Term = &Return{} }},
		{"wrong result", "return of i32", func(p *Program, f *Func, b *Block) { b.Term = &Return{Val: IntConst(I32, 1)} }},
		{"stop", "kind of stop", func(p *Program, f *Func, b *Block) { b.Term = &Stop{Kind: "maybe"} }},
		{"foreign register", "not of this function", func(p *Program, f *Func, b *Block) { b.Instrs[0] = &Havoc{Dst: &Reg{Name: "z", Type: I32}} }},
		{"shared instruction", "occurs twice", func(p *Program, f *Func, b *Block) { b.Instrs[1] = b.Instrs[0] }},
		{"nil instruction", "missing", func(p *Program, f *Func, b *Block) { b.Instrs[0] = nil }},
		{"nil operand", "operand is missing", func(p *Program, f *Func, b *Block) { b.Instrs[0] = &Free{} }},
		{"assign type", "gets", func(p *Program, f *Func, b *Block) { b.Instrs[0] = &Assign{Dst: f.Regs[0], X: BoolConst(true)} }},
		{"range", "outside its type", func(p *Program, f *Func, b *Block) {
			b.Instrs[0] = &Assign{Dst: f.Regs[0], X: Const{I32, Wrap(Int{40, false}, IntConst(I64, 1<<39).Val)}}
		}},
		{"mixed widths", "add of i32 and u8", func(p *Program, f *Func, b *Block) {
			b.Instrs[0] = &Assume{Cond: Binary{"eq", Binary{"add", IntConst(I32, 1), IntConst(U8, 1)}, IntConst(I32, 1)}}
		}},
		{"operator", `unknown operator "pow"`, func(p *Program, f *Func, b *Block) { b.Instrs[0] = &Assume{Cond: Unary{"pow", BoolConst(true)}} }},
		{"bool cell", "cannot have type bool", func(p *Program, f *Func, b *Block) {
			b.Instrs[0] = &Store{Addr: GlobalAddr{p.Globals[0]}, Val: BoolConst(true), Order: Plain}
		}},
		{"order", "order", func(p *Program, f *Func, b *Block) {
			b.Instrs[0] = &Store{Addr: GlobalAddr{p.Globals[0]}, Val: IntConst(I32, 1)}
		}},
		{"address", "is no pointer", func(p *Program, f *Func, b *Block) { b.Instrs[0] = &Free{Addr: IntConst(I32, 1)} }},
		{"arity", "0 arguments", func(p *Program, f *Func, b *Block) { b.Instrs[0] = &Call{Callee: FuncAddr{f}} }},
		{"member", "member 9", func(p *Program, f *Func, b *Block) { b.Instrs[0] = &Free{Addr: FieldAddr{Null{VPtr}, p.Structs[0], 9}} }},
		{"lock mode", "mode", func(p *Program, f *Func, b *Block) { b.Instrs[0] = &Lock{Lock: Null{VPtr}, Class: "mutex"} }},
		{"two blocks", "two blocks", func(p *Program, f *Func, b *Block) { f.Blocks[1].Name = b.Name }},
		{"two registers", "two registers", func(p *Program, f *Func, b *Block) { f.Regs[0].Name = f.Params[0].Name }},
		{"two functions", "two functions", func(p *Program, f *Func, b *Block) { p.Funcs[0].Name = f.Name }},
		{"two entries", "two entries", func(p *Program, f *Func, b *Block) { p.Entries[0].Name = p.Entries[1].Name }},
		{"entry function", "its function", func(p *Program, f *Func, b *Block) { p.Entries[0].Func = &Func{} }},
		{"private", "private parameter 7", func(p *Program, f *Func, b *Block) { p.Entries[0].Private = []int{7} }},
		{"exclusion", "no entry", func(p *Program, f *Func, b *Block) { p.Exclusions[0].A = "z" }},
		{"foreign struct", "not the program's", func(p *Program, f *Func, b *Block) { p.Globals[0].Type = &Struct{Name: "dev"} }},
		{"foreign global", "not the program's", func(p *Program, f *Func, b *Block) { b.Instrs[0] = &Free{Addr: GlobalAddr{&Global{Type: I32}}} }},
		{"extern body", "with a body", func(p *Program, f *Func, b *Block) { f.Extern = true }},
		{"no body", "no body", func(p *Program, f *Func, b *Block) { f.Blocks = nil }},
		{"ghost", "not marked", func(p *Program, f *Func, b *Block) { p.Ghosts[0].Ghost = false }},
	} {
		p := demo(t)
		f := p.FuncByName("worker")
		tc.change(p, f, f.Blocks[0])
		if err := Validate(p); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %q", tc.name, err, tc.want)
		}
	}
}
