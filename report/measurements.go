package report

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mercer/results"
)

const (
	maxRows    = 60 // of a table of measurements in Markdown
	maxNumbers = 3  // of a numbered family such as eigenvalue_1, eigenvalue_2, ...
)

// measurements writes a table a metric, data set and kernel; times come in a
// section of their own.
func (p *page) measurements(run results.Run) {
	var others, times []string
	for _, metric := range metricsOf(run.Records) {
		if results.IsTime(metric) {
			times = append(times, metric)
		} else {
			others = append(others, metric)
		}
	}
	rule := fmt.Sprintf("Mean over repeats ± half-width of its %s t interval, in the unit given; a number in brackets is that of repeats where some are missing. Statistics of every cell are in %s.",
		percent(results.DefaultLevel), code(SummaryTable))
	slices.SortStableFunc(others, func(a, b string) int { return rank(a) - rank(b) })
	shown, left := firstOfFamilies(others)
	if len(shown) > 0 {
		p.heading(2, "Measurements")
		p.para("%s Bold is the smallest error, where the interval of its difference to each other method, paired over repeats, lies below 0; a method whose values are the same in every repeat does not compete, and nothing is corrected for the number of comparisons.", rule)
		p.metricTables(run, shown)
		if len(left) > 0 {
			p.para("Not shown: %s.", codes(left))
		}
	}
	if len(times) > 0 {
		p.heading(2, "Times")
		p.para("%s Times, and memory where it was measured, depend on the machine; compare them within this run only.", rule)
		p.metricTables(run, times)
	}
}

// rank puts the errors before the rest.
func rank(metric string) int {
	if lessIsBetter(metric) {
		return 0
	}
	return 1
}

func (p *page) metricTables(run results.Run, metrics []string) {
	variables := variablesOf(run)
	for _, metric := range metrics {
		for _, g := range gridsOf(run.Records, metric) {
			title := code(metric)
			if g.unit != "" {
				title += " in " + escape(g.unit)
			}
			if g.dataset != "" {
				title += ", dataset " + code(g.dataset)
			}
			if g.kernel != "" {
				title += ", kernel " + code(g.kernel)
			}
			p.heading(3, title)
			p.grid(g.merged(), variables)
		}
	}
}

// errorFamilies begin the names of the metrics where less is better. Of all
// others (eigenvalues, ranks, floors, scores, parts of errors) no value is
// marked.
var errorFamilies = []string{"recon_", "eigenspace_", "eigenfunction_", "error_", "excess_", "loss_", "cost_",
	"embed_recon_", "principal_angle", "skp_gram_distance", "kjl_operator"}

func lessIsBetter(metric string) bool {
	for _, part := range []string{"_floor", "_projection", "_mean", "_sampling", "_sketch"} {
		if strings.HasSuffix(metric, part) {
			return false
		}
	}
	return slices.ContainsFunc(errorFamilies, func(family string) bool { return strings.HasPrefix(metric, family) })
}

// metricsOf lists the metrics of the records that are ok, by name; the members
// of a numbered family by number.
func metricsOf(records []results.Record) []string {
	names := map[string]bool{}
	for _, r := range records {
		if r.Status == results.OK {
			for name := range r.Metrics {
				names[name] = true
			}
		}
	}
	return slices.SortedFunc(maps.Keys(names), func(a, b string) int {
		familyA, numberA := familyOf(a)
		familyB, numberB := familyOf(b)
		return cmp.Or(cmp.Compare(familyA, familyB), cmp.Compare(numberA, numberB), cmp.Compare(a, b))
	})
}

var numbered = regexp.MustCompile(`^(.+)_([0-9]{1,9})$`)

// familyOf splits "eigenvalue_12"; a name without a number is its own family.
func familyOf(metric string) (family string, number int) {
	match := numbered.FindStringSubmatch(metric)
	if match == nil {
		return metric, 0
	}
	number, err := strconv.Atoi(match[2])
	if err != nil {
		panic(err) // nine digits fit
	}
	return match[1], number
}

// firstOfFamilies keeps all metrics but of numbered families the first few.
func firstOfFamilies(metrics []string) (shown, left []string) {
	seen := map[string]int{}
	for _, metric := range metrics {
		family, number := familyOf(metric)
		if number > 0 {
			seen[family]++
		}
		if number > 0 && seen[family] > maxNumbers {
			left = append(left, metric)
		} else {
			shown = append(shown, metric)
		}
	}
	return shown, left
}

// variablesOf are the grid variables: those of the manifest in its order, then
// any others that the records have, by name.
func variablesOf(run results.Run) []string {
	names := slices.Clone(run.Manifest.Variables)
	others := map[string]bool{}
	for _, r := range run.Records {
		for name := range r.Point {
			if !slices.Contains(names, name) {
				others[name] = true
			}
		}
	}
	return append(names, slices.Sorted(maps.Keys(others))...)
}
