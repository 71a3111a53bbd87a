package main

import (
	"errors"
	"runtime"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"whoop/pipeline"
)

// inputFlags are the flags of every command that reads a program.
func inputFlags(cmd *cobra.Command, o *pipeline.Options) {
	f := cmd.Flags()
	f.StringArrayVarP(&o.C.IncludeDirs, "include-dir", "I", nil, "search `DIR` for headers")
	f.StringArrayVarP(&o.C.Defines, "define", "D", nil, "define a macro, `NAME[=VALUE]`")
	f.StringArrayVar(&o.C.Includes, "include", nil, "include `FILE` before the source")
	f.StringVar(&o.C.DataModel, "data-model", "LP64", "sizes of long and pointers: LP64 or ILP32")
	f.BoolVar(&o.C.NoSystemHeaders, "no-system-headers", false, "use the embedded headers alone")
	f.BoolVar(&o.C.SystemHeaders, "system-headers", false, "search the system's headers before the embedded ones")
	f.BoolVar(&o.C.KernelHeaders, "kernel-headers", false, "offer the embedded kernel headers also where no <linux/...> is included")
	f.BoolVar(&o.C.IgnoreExterns, "ignore-externs", false, "assume that unmodelled external functions do nothing")
	f.BoolVar(&o.C.Overflow, "check-overflow", false, "assert that signed operations do not overflow")
	f.BoolVar(&o.Leaks, "check-leaks", false, "assert that the program has freed its memory when main returns")
	f.StringVar(&o.Tags, "tags", "", "Go: build `TAGS`, separated by commas")
	f.StringArrayVar(&o.More, "also", nil, "a further PATH, as after the first one (saved executions have it)")
	if err := f.MarkHidden("also"); err != nil {
		panic(err) // there is no such flag
	}
	f.StringArrayVar(&o.Models, "models", nil, "add the models of `FILE` of functions of C, or of Go (repeatable)")
	f.Var(moved("--models, which takes files for C and for Go"), "go-models", "")
	if err := f.MarkHidden("go-models"); err != nil {
		panic(err) // there is no such flag
	}
	f.StringVar(&o.OpenCalls, "open-calls", pipeline.OpenConfined, "Go: what functions of users and methods of types that are not seen do: confined (they access what they are given only while they run) or any")
	f.BoolVar(&o.NoCache, "no-cache", false, "keep nothing between runs, and use nothing that earlier runs have kept (verify: reports and answers of the solver; Go: what is found in the source of other modules)")
	f.StringVar(&o.EntryPoints, "entry-points", "", "entry points and corrections, as \"whoop entry-points\" prints them, from `FILE`")
}

// rootFlag is the flag that names the function of a Go program that is run.
func rootFlag(cmd *cobra.Command, o *pipeline.Options) {
	cmd.Flags().StringVar(&o.Root, "root", "", "Go: the function that bmc runs: main, a test, or one without parameters (default main)")
}

// testsFlag is the flag that looks at the tests of Go packages.
func testsFlag(cmd *cobra.Command, o *pipeline.Options) {
	cmd.Flags().BoolVar(&o.Tests, "tests", false, "Go: the tests of the packages, in place of what their users do")
}

// checkInput reports values of the input flags that cannot be used.
func checkInput(o *pipeline.Options) error {
	if m := o.C.DataModel; m != "LP64" && m != "ILP32" {
		return usage("--data-model %q: want LP64 or ILP32", m)
	}
	if p := o.OpenCalls; p != "" && p != pipeline.OpenConfined && p != pipeline.OpenAny {
		return usage("--open-calls %q: want confined or any", p)
	}
	return nil
}

// jobsFlag adds --jobs. Its help names no number, which would be that of one machine.
func jobsFlag(f *pflag.FlagSet, jobs *int, what string) {
	f.IntVar(jobs, "jobs", runtime.NumCPU(), what+" (default: one for each processor)")
	f.Lookup("jobs").DefValue = "0"
}

// moved is the value of a flag that is gone: it says what has taken its place.
type moved string

func (m moved) String() string   { return "" }
func (m moved) Set(string) error { return errors.New("use " + string(m)) }
func (m moved) Type() string     { return "FILE" }

// verboseFlag adds --verbose.
func verboseFlag(f *pflag.FlagSet, verbose *bool) {
	f.BoolVarP(verbose, "verbose", "v", false, "say on standard error every minute what is done (on a terminal a line shows it in any case)")
}

// traceFlag adds --trace.
func traceFlag(f *pflag.FlagSet, file *string) {
	f.StringVar(file, "trace", "", "save the first execution that shows a bug in `FILE`, others beside it; a directory: all of them there; none: save nothing (default a new directory below "+traceDir+" for each run)")
}
