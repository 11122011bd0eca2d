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
	for _, cell := range allCells(run) {
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
			s.Sizes = append(s.Sizes, name+" = "+format.Ends(large(least), large(most)))
		}
	}
	return s
}

// allCells are the cells of a run with their rows, also of data sets that are absent.
func allCells(run results.Run) []results.Group {
	rows := make([]*results.Row, len(run.Rows))
	for i := range rows {
		rows[i] = &run.Rows[i]
	}
	return results.Cells(rows)
}

// large is a number of two digits as people say it, if it is a large one.
func large(v float64) string {
	switch {
	case v >= 1e9:
		digits, power, _ := strings.Cut(strconv.FormatFloat(v, 'e', 1, 64), "e+")
		return strings.TrimPrefix(strings.TrimSuffix(digits, ".0")+"·10^", "1·") + strings.TrimLeft(power, "0")
	case v >= 1e6:
		return plain.Number(format.RoundedTo(v/1e6, 2)) + " million"
	}
	return plain.Six(v)
}

// numeral is a number in a text.
var numeral = regexp.MustCompile(`\b[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?\b`)

// Kernels are the kernels of the run as they were resolved, each once, with numbers of at most six
// digits: "gaussian exp(-0.111111*d^2)".
func (r *Report) Kernels() []string {
	var texts []string
	for _, population := range r.populations() {
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

// populations are those of the rows, each once.
func (r *Report) populations() (all []results.Population) {
	seen := map[string]bool{"": true}
	for _, row := range r.Run.Present() {
		if !seen[row.Population] {
			all = append(all, r.Run.Catalog.Populations[row.Population])
		}
		seen[row.Population] = true
	}
	return all
}

// Fewer are the claims with fewer repeats than the run, of the last look at each, and Ignoring
// the claims that ignore failures, each with its number.
func (r *Report) Fewer() (list []string) {
	for _, v := range r.open {
		if !v.Ignored && v.Lost == 0 && v.Answers == 0 && v.Repeats > 0 && v.Repeats < r.Run.Repeats() {
			list = append(list, fmt.Sprintf("%s (%d)", format.ClaimName(v), v.Repeats))
		}
	}
	return lists.Once(list)
}

func (r *Report) Ignoring() (list []string) {
	for _, v := range r.open {
		if v.Ignored {
			list = append(list, fmt.Sprintf("%s (%d)", format.ClaimName(v), v.Lost))
		}
	}
	return lists.Once(list)
}

// Rate is in what share of runs an outcome is wrong, for claims with one of these relations.
type Rate struct {
	Outcome   claims.Outcome
	Relations []string
	Share     string
}

// Rates are those of the verdicts.
func (r *Report) Rates() []Rate {
	calls := lists.Where(r.open, func(v claims.Verdict) bool { return Wrong(v) != "" })
	rates := lists.Map(lists.By(calls, func(v claims.Verdict) string { return string(v.Outcome) + Wrong(v) }), func(same []claims.Verdict) Rate {
		return Rate{same[0].Outcome, lists.Once(lists.Map(same, func(v claims.Verdict) string { return v.Relation })), Wrong(same[0])}
	})
	slices.SortStableFunc(rates, func(a, b Rate) int { return strings.Compare(string(a.Outcome), string(b.Outcome)) })
	return rates
}

// Miss is what repeats can all miss: events of up to this probability.
type Miss struct {
	Repeats int
	Share   float64
}

// Missed is what the fewest repeats of some verdicts can all miss; nil where nothing can be.
func Missed(verdicts ...claims.Verdict) *Miss {
	var most *Miss
	for _, v := range verdicts {
		if share, may := v.Unseen(); may && (most == nil || share > most.Share) {
			most = &Miss{v.Repeats, share}
		}
	}
	return most
}

// Missed is that of all verdicts but those that are folded.
func (r *Report) Missed() *Miss { return Missed(r.open...) }

// Detectable is a claim with the ends of true values that it rejects, one a group.
type Detectable struct {
	Claim string
	Ends  []string
}

// Detectable are the claims with the true values that they would have rejected.
func (r *Report) Detectable() (list []Detectable) {
	for _, c := range r.Claims {
		shared := format.SharedBy(c.Verdicts).Join(r.setting)
		var ends []string
		for _, v := range c.Verdicts {
			if text := format.Rejects(v); text != "" {
				ends = append(ends, strings.TrimSpace(r.Names.Brief(format.Without(v.Group, shared))+" "+text))
			}
		}
		if len(ends) > 0 {
			list = append(list, Detectable{format.ClaimName(c.Verdict), ends})
		}
	}
	return list
}
