package views

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// Count is how often an outcome or a status occurs.
type Count struct {
	What  string
	Times int
}

// Outcomes count the claims by their worst verdict; the checks and the controls by themselves.
func (r *Report) Outcomes() []Count { return outcomesOf(theory(r.Claims)) }

func (r *Report) Checks() []Count {
	return outcomesOf(lists.Where(r.all, func(c Claim) bool { return c.Check && !c.Control }))
}

func (r *Report) Controls() []Count {
	return outcomesOf(lists.Where(r.all, func(c Claim) bool { return c.Control }))
}

func outcomesOf(all []Claim) []Count {
	counts := lists.Map(lists.By(all, func(c Claim) string { return c.Outcome }), func(same []Claim) Count { return Count{same[0].Outcome, len(same)} })
	slices.SortStableFunc(counts, func(a, b Count) int { return cmp.Compare(severity(a.What), severity(b.What)) })
	return counts
}

// Total is the number of claims, without checks and controls, and of their verdicts.
func (r *Report) Total() (t struct{ Claims, Verdicts int }) {
	for _, c := range theory(r.Claims) {
		t.Claims, t.Verdicts = t.Claims+1, t.Verdicts+len(c.Verdicts)
	}
	return t
}

// Family is how the violated verdicts stand over all claims, in words; "" where none is violated.
func (r *Report) Family() string { return claims.FamilyOf(r.Judged).String() }

// Settings are what all numbers rest on.
type Settings struct {
	Profile     string
	Least, Most int // repeats of a cell
	Sizes       []string
	Lost        []Count // rows that are not ok
	Rows, OK    int
	Planned     int // rows, with those that are missing
}

func (r *Report) Settings() Settings {
	run := r.Run
	s := Settings{Profile: run.Manifest.Profile, Rows: len(run.Rows), Planned: len(run.Rows) + run.Missing(), Most: run.Repeats(), Least: run.Repeats()}
	by := map[results.Status]int{}
	for i := range run.Rows {
		by[run.Rows[i].Status]++
	}
	s.OK = by[results.OK]
	for _, status := range format.Statuses[1:] {
		if by[status] > 0 {
			s.Lost = append(s.Lost, Count{format.StatusWords[status], by[status]})
		}
	}
	for _, cell := range r.cells() {
		s.Least = min(s.Least, len(cell.Rows))
	}
	for _, name := range []string{"n", "m"} {
		least, most := math.Inf(1), math.Inf(-1)
		for i := range run.Rows {
			if v, ok := run.Rows[i].At.Number(name); ok {
				least, most = min(least, v), max(most, v)
			}
		}
		if least <= most {
			s.Sizes = append(s.Sizes, name+" = "+format.Ends(format.Number(least), format.Number(most)))
		}
	}
	return s
}

// numeral is a number in a text.
var numeral = regexp.MustCompile(`\b[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?\b`)

// Kernels are the kernels of the run as they were resolved, each once, with numbers of at most six
// digits: "gaussian exp(-0.111111*d^2)".
func (r *Report) Kernels() []string {
	var texts []string
	for _, population := range r.Run.Catalog.Populations {
		texts = append(texts, numeral.ReplaceAllStringFunc(population.Kernel, func(number string) string {
			if v, err := strconv.ParseFloat(number, 64); err == nil && strings.Contains(number, ".") {
				return plain.Six(v)
			}
			return number
		}))
	}
	slices.Sort(texts)
	return lists.Where(slices.Compact(texts), func(text string) bool { return text != "" })
}

// Fewer are the claims with fewer repeats than the run, of the last look at each, with their number.
func (r *Report) Fewer() (list []string) {
	for _, v := range r.open {
		if v.Lost == 0 && v.Answers == 0 && v.Repeats > 0 && v.Repeats < r.Run.Repeats() {
			list = append(list, fmt.Sprintf("%s (%d)", format.ClaimName(v), v.Repeats))
		}
	}
	return lists.Once(list)
}
