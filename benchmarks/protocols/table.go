package main

import (
	"fmt"
	"slices"
)

// table has the rows that were measured.
type table struct {
	names []string
	rows  [][]int64
}

// add prints a row.
func (t *table) add(name string, row []int64) {
	t.names, t.rows = append(t.names, name), append(t.rows, row)
	fmt.Printf("| %s |", name)
	for _, n := range row {
		if n == 0 {
			fmt.Printf(" - |")
			continue
		}
		fmt.Printf(" %d |", n)
	}
	fmt.Println()
}

// summary tells how many bugs each strategy finds, how many any search by delays does,
// and by how much that needs fewer states than one with a bound on preemptions.
func (t *table) summary() {
	fmt.Printf("| found |")
	for i := range columns {
		n := 0
		for _, row := range t.rows {
			if row[i] > 0 {
				n++
			}
		}
		fmt.Printf(" %d |", n)
	}
	any, bounded := 0, 0
	var ratios []float64
	for _, row := range t.rows {
		best := t.best(row, func(c *column) bool { return c.strata && c.states })
		pb := t.best(row, func(c *column) bool { return c.name == "context-bound" })
		if best > 0 || t.best(row, func(c *column) bool { return c.strata }) > 0 {
			any++
		}
		if pb > 0 {
			bounded++
		}
		if pb > 0 && best > 0 {
			ratios = append(ratios, float64(pb)/float64(best))
		}
	}
	fmt.Printf("\n\n%d bugs: strata find %d, a bound on preemptions %d.", len(t.rows), any, bounded)
	if slices.Sort(ratios); len(ratios) > 0 {
		fmt.Printf(" Where both do, the bound takes %.1f times as many states in the median.", ratios[len(ratios)/2])
	}
	fmt.Println()
}

// best is the least number of some columns; 0: none finds it.
func (t *table) best(row []int64, of func(*column) bool) int64 {
	least := int64(0)
	for i, n := range row {
		if of(&columns[i]) && n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	return least
}
