package alias

import "whoop/ir"

// Analyze computes the facts about p.
func Analyze(p *ir.Program, opt Options) *Result { return &Result{prog: p, opt: opt} }

// Accesses returns the memory accesses of an instruction.
func (r *Result) Accesses(in ir.Instr) []Access { return nil }

// Target returns the regions of the lock, condition, semaphore, barrier or once address of a synchronisation
// instruction; unknown tells that there may be others.
func (r *Result) Target(in ir.Instr) (regions []*Region, unknown bool) { return nil, true }

// Callees returns what a call may call; complete is false when there may be others.
func (r *Result) Callees(c *ir.Call) (fns []*ir.Func, complete bool) { return nil, false }

// Funcs returns the values of a function-pointer expression in function in.
func (r *Result) Funcs(e ir.Expr, in *ir.Func) []*ir.Func { return nil }

// Fresh tells whether the access is to an object that this invocation of the function allocated and has not published.
func (r *Result) Fresh(in ir.Instr) bool { return false }

// Regions returns all regions, ordered by ID.
func (r *Result) Regions() []*Region { return r.regions }

// Reachable returns the functions an entry may execute.
func (r *Result) Reachable(e *ir.Entry) []*ir.Func { return nil }

// Assumptions returns what the analysis took for granted.
func (r *Result) Assumptions() []ir.Assumption { return r.assumptions }
