// Package report renders a diag.Report for people (Text) and for programs (JSON, SARIF).
// It only renders.
//
//	err := report.Text(os.Stdout, rep, report.Options{})
package report
