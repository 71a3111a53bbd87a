// Package plot draws the plots of a benchmark as SVG: a scatter of the times of two
// configurations, and a quantile ("cactus") plot of several. In go numbers and
// names, out comes one SVG element without scripts, styles, identifiers or references,
// which may stand alone in a file or in an HTML page; equal data gives equal bytes. Text
// and axes have the colour of the surrounding text (currentColor, in a file a grey that
// reads on black and on white). Classes and series differ in colour (the Okabe-Ito
// palette, which colour-blind people can tell apart) and in shape.
//
//	err := plot.Scatter(w, plot.ScatterData{XLabel: "bmc:all", YLabel: "bmc:mr", Limit: 60, Points: []plot.Point{
//		{X: 12.5, Y: 0.8, Class: "no bug", Title: "drivers/nvram.c"},
//		{XOut: "timeout", Y: 3, Class: "bug", Title: "drivers/sensor.c"}}})
package plot
