// Package entry finds the entry points of a program in its IR: main and the functions
// given to spawns, the functions in operation tables, callbacks that are registered,
// module load and unload functions. It also says what the environment guarantees about
// them: which may overlap themselves, which locks are held around them, which pairs never
// overlap. The rules about kernel structs are data (frontend/models); a user adds or
// corrects with an ep.yaml.
//
//	err := entry.Infer(prog, set, entry.Options{}) // fills prog.Entries and prog.Exclusions
//	cfg, err := entry.ReadConfig("ep.yaml")        // before lowering: set.AddFuncs(cfg.Models()...)
//	err = cfg.Apply(prog, set)                     // infers, then changes what the file says
//	err = entry.Write(os.Stdout, prog)             // prints an ep.yaml that says what prog says
//
// The format is described in docs/reference/entry-points.md.
package entry
