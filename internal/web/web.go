// Package web has the style and the script that all pages share, those of reports and
// that of benchmark results: colours, tables that can be sorted, and a form that filters
// the rows of one. Each page puts them into itself, before its own.
package web

import _ "embed"

// Style and Script are what all pages share.
var (
	//go:embed base.css
	Style string
	//go:embed tables.js
	Script string
)
