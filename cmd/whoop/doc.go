// Command whoop tells whether the entry points of a driver or a pthread program can race.
//
//	whoop verify driver.c                    # a table of pairs, the races, the assumptions
//	whoop verify --format json -o r.json prog.c
//	whoop entry-points driver.c > ep.yaml    # edit, then: whoop verify --entry-points ep.yaml driver.c
//	whoop emit --to ir prog.c > prog.wir
//	whoop bench benchmarks/svcomp --timeout 60s --jobs 2 --compare bmc:all,bmc:mr -o out
//
// Exit status: 0 nothing found and everything decided, 1 something found, 3 nothing found
// but something undecided, 2 the command line or the input cannot be used.
package main
