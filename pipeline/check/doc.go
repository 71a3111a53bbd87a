// Package check answers one question of a program with one verdict, as in verification
// competitions.
//
//	prop, err := check.ParseProperty("no-data-race") // or the path of a property file
//	r, err := check.Run(ctx, p, check.Options{Property: prop, Timeout: time.Minute})
//	fmt.Println(r.Verdict())                         // TRUE, FALSE(no-data-race) or UNKNOWN(reason)
//
// In go a program with a main function and a property, out comes what is known. The
// engines are asked one after the other, each for what it is good at: verify for a proof
// of race-freedom and for what bmc may leave out, bmc for bugs with few iterations first
// and more of them later. TRUE is said only of proofs without a gap, FALSE only of
// executions that were run; everything else is UNKNOWN with the reason.
package check
