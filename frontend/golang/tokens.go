package golang

import (
	"golang.org/x/tools/go/ssa"

	"whoop/ir"
)

type token_ struct{}

type tokens struct{}

func newTokens(*lowering) *tokens { return &tokens{} }

func (*tokens) of(ssa.Instruction) *token_ { return nil }
func (*tokens) add(*fn, *prepared)         {}
func (*tokens) done(*fn, *prepared)        {}
func (*tokens) wait(*fn, *prepared)        {}

func (x *fn) spawnWith(ssa.Instruction, *token_, *ssa.Function, value, ir.Expr) {}
