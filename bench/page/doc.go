// Package page writes the results of a benchmark as one HTML page for people: the
// summaries, the plots, and a table of all runs that can be sorted and filtered and shows
// a run's log when its row is clicked. In go bench.Results and the directory with the
// logs, out comes index.html, which needs nothing but itself: no network, no other file
// (only its links lead to logs and witnesses), no server. Equal results and logs give
// equal bytes.
//
//	err := page.Write("out/svcomp", res, page.Options{})
//
// What the results say is text, never markup: html/template escapes it, and a content
// security policy in the page allows its own script and style alone, by their hashes.
// Without scripts the page is still readable, only not sorted.
package page
