package results

import (
	"iter"
	"maps"
	"slices"
	"strings"
)

// Metrics are the numbers that a row has, by name. Those of a row are not changed in place:
// rows may share them.
type Metrics map[string]float64

// All are the metrics in the order of their names.
func (m Metrics) All() iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if !yield(name, m[name]) {
				return
			}
		}
	}
}

// Set adds a metric, or replaces that of its name. Copies of m stay as they are.
func (m *Metrics) Set(name string, value float64) {
	all := Metrics{name: value}
	for other, v := range *m {
		if other != name {
			all[other] = v
		}
	}
	*m = all
}

// MetricNames are the names of the metrics that rows have, sorted.
func MetricNames(rows []Row) []string {
	seen := map[string]bool{}
	for i := range rows {
		for name := range rows[i].Metrics {
			seen[name] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// TimePrefix begins the name of every metric that is a time.
const TimePrefix = "time_"

// IsCost says whether a metric is a time: no two runs agree on it.
func IsCost(metric string) bool { return strings.HasPrefix(metric, TimePrefix) }
