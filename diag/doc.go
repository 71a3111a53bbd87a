// Package diag is the result model of the engines: verdicts of pairs, races with their
// two accesses, assumptions and work counters. Engines fill a Report; package report
// renders it.
//
//	rep := &diag.Report{Input: "driver.c"}
//	rep.Races = append(rep.Races, diag.Race{…})
//	rep.Finish() // merges, sorts, decides the overall verdict
package diag
