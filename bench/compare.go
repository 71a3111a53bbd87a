package bench

import (
	"math"
	"slices"

	"whoop/bench/task"
)

// Comparison holds two configurations, or one and the results of another program, against
// each other, task by task.
type Comparison struct {
	First  string `json:"first"`
	Second string `json:"second"`
	Pairs  []Pair `json:"pairs"` // of the tasks both have runs of
	// Both, and the numbers up to Total, are about the pairs that both decide, and alike.
	Both      int     `json:"both"`
	FirstCPU  float64 `json:"first_cpu_seconds"`
	SecondCPU float64 `json:"second_cpu_seconds"`
	// of the pairs' ratios; 0 without pairs, as the next two
	GeoMean     float64 `json:"geometric_mean"`
	Median      float64 `json:"median"`
	Total       float64 `json:"total"`       // FirstCPU / SecondCPU
	OnlyFirst   int     `json:"only_first"`  // decided by the first alone
	OnlySecond  int     `json:"only_second"` // decided by the second alone
	Contradicts int     `json:"contradicts"` // one TRUE, one FALSE: at least one of them is wrong
	Unmatched   int     `json:"unmatched"`   // runs of the first without one of the second
}

// Pair is one task in a comparison.
type Pair struct {
	Task     string `json:"task"`
	Property string `json:"property"`
	First    Answer `json:"first"`
	Second   Answer `json:"second"`
	// Ratio is the first's CPU time through the second's, above 1 where the second is
	// faster; 0 where not both decide alike. Times count as at least a millisecond.
	Ratio float64 `json:"ratio,omitempty"`
}

// Answer is what one side of a pair has.
type Answer struct {
	Verdict     task.Verdict `json:"verdict"`
	Class       task.Class   `json:"class"`
	CPUSeconds  float64      `json:"cpu_seconds"`
	WallSeconds float64      `json:"wall_seconds"`
	MemoryBytes int64        `json:"memory_bytes"`
}

func (r *Run) answer() Answer {
	return Answer{r.Verdict, r.Class, r.CPUSeconds, r.WallSeconds, r.MemoryBytes}
}

// Contradiction reports whether one side says TRUE and the other FALSE.
func (p *Pair) Contradiction() bool {
	return p.First.Verdict.Decided() && p.Second.Verdict.Decided() && p.First.Verdict.Kind != p.Second.Verdict.Kind
}

// Compare compares runs by task and property.
func Compare(first string, a []Run, second string, b []Run) Comparison {
	c := Comparison{First: first, Second: second}
	other := map[[2]string]*Run{}
	for i := range b {
		other[[2]string{b[i].Task, b[i].Property}] = &b[i]
	}
	var ratios []float64
	for i := range a {
		r := &a[i]
		o := other[[2]string{r.Task, r.Property}]
		if o == nil {
			c.Unmatched++
			continue
		}
		p := Pair{Task: r.Task, Property: r.Property, First: r.answer(), Second: o.answer()}
		if c.count(&p) {
			ratios = append(ratios, p.Ratio)
		}
		c.Pairs = append(c.Pairs, p)
	}
	c.means(ratios)
	return c
}

// count takes a pair into the numbers, and reports whether both sides decide alike.
func (c *Comparison) count(p *Pair) bool {
	one, two := p.First.Verdict.Decided(), p.Second.Verdict.Decided()
	switch {
	case p.Contradiction():
		c.Contradicts++
	case one && two:
		c.Both++
		c.FirstCPU += p.First.CPUSeconds
		c.SecondCPU += p.Second.CPUSeconds
		p.Ratio = ratio(p.First.CPUSeconds, p.Second.CPUSeconds)
		return true
	case one:
		c.OnlyFirst++
	case two:
		c.OnlySecond++
	}
	return false
}

func (c *Comparison) means(ratios []float64) {
	if len(ratios) == 0 {
		return
	}
	slices.Sort(ratios)
	sum := 0.0
	for _, r := range ratios {
		sum += math.Log(r)
	}
	n := len(ratios)
	c.GeoMean = math.Exp(sum / float64(n))
	c.Median = (ratios[(n-1)/2] + ratios[n/2]) / 2
	c.Total = ratio(c.FirstCPU, c.SecondCPU)
}

// ratio is a/b, neither below a millisecond.
func ratio(a, b float64) float64 { return max(a, 0.001) / max(b, 0.001) }

// CompareWith compares each configuration with results read from a file: with those of
// its own name where there are any, with all of them otherwise.
func (r *Results) CompareWith(others []Baseline) []Comparison {
	var out []Comparison
	for _, c := range r.Configs {
		same := slices.IndexFunc(others, func(b Baseline) bool { return b.Config == c.Name })
		for i, b := range others {
			if same < 0 || same == i {
				out = append(out, Compare(c.Name, r.of(c.Name), b.Name, b.against(r.of(c.Name))))
			}
		}
	}
	return out
}
