// Package benchexec holds whoop.py, the tool-info module by which BenchExec runs this
// tool, and its test. It has no Go code.
package benchexec
