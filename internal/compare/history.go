package compare

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"mercer/results"
)

// Series is how a metric of a method on a data set went over runs of one
// experiment: a number for each run, pooled over the records that ended well in all of them.
type Series struct {
	Experiment string `json:"experiment"`
	Profile    string `json:"profile"`
	Group
	Metric string `json:"metric"`
	Unit   string `json:"unit,omitempty"`
	// On is where the runs of a cost were made; runs made elsewhere have a series of
	// their own.
	On     string    `json:"on,omitempty"`
	Better Direction `json:"better"`
	Runs   []int     `json:"runs"` // places in the list of runs, in order of time
	Values []float64 `json:"values"`
	// Records is how many records of each run are pooled: those that ended well in all.
	Records int `json:"records"`
	// Exact series have the same seed in all runs, so that any difference between two
	// is one of code, versions or machine: no test is needed. Of others Steps are the
	// changes that a test finds.
	Exact bool   `json:"exact"`
	Steps []Step `json:"steps,omitempty"`
}

// Step is a place at which a series changes.
type Step struct {
	At     int     `json:"at"` // index into Runs of the first run of the new level
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	P      float64 `json:"p,omitempty"` // of the test; 0 for an exact series
	Why    string  `json:"why,omitempty"`
	Worse  bool    `json:"worse"`
}

// Change is the relative change of a step.
func (s Step) Change() float64 { return (s.After - s.Before) / math.Abs(s.Before) }

// HistoryOptions say how to look for changes.
type HistoryOptions struct {
	// Level is the probability, at most, that any of the tested series without a
	// change is said to have one. It is shared out among them.
	Level float64
	// Drift is the relative difference from which a number of an exact series has
	// changed, Elsewhere that between runs of different machines or BLAS.
	Drift, Elsewhere float64
	Metrics          func(name string) Metric
}

// History makes the series of runs, which are in order of time, and finds their
// changes. Metrics of which no value is better, phases of times and series of one
// run are left out. Tests are those of changePoints at Level over the number of
// series that are tested, on logarithms where all values are positive.
func History(runs []Side, o HistoryOptions, rng *rand.Rand) []Series {
	experiments := map[experimentID][]int{} // places of their runs
	for i, r := range runs {
		experiments[experimentOf(r)] = append(experiments[experimentOf(r)], i)
	}
	var all []Series
	for _, own := range experiments {
		all = append(all, seriesOf(runs, own, o)...)
	}
	slices.SortFunc(all, func(a, b Series) int {
		return cmp.Or(cmp.Compare(a.Experiment, b.Experiment), cmp.Compare(a.Profile, b.Profile),
			cmp.Compare(a.Dataset, b.Dataset), cmp.Compare(a.Kernel, b.Kernel), cmp.Compare(a.Method, b.Method),
			cmp.Compare(a.Metric, b.Metric), cmp.Compare(a.On, b.On))
	})
	tested := 0
	for _, s := range all {
		if !s.Exact {
			tested++
		}
	}
	for i := range all {
		s := &all[i]
		if s.Exact {
			s.exact(runs, o)
		} else {
			s.test(o.Level/float64(tested), rng)
		}
	}
	return all
}

type experimentID struct{ experiment, profile string }

func experimentOf(s Side) experimentID {
	return experimentID{s.Manifest.Experiment, s.Manifest.Profile}
}

// seriesKey tells the series of one experiment apart.
type seriesKey struct {
	Group
	metric, on string
}

// seriesOf are the series of one experiment's runs.
func seriesOf(runs []Side, own []int, o HistoryOptions) []Series {
	// values[key][run] are values by cell and repeat.
	values := map[seriesKey]map[int]map[string]float64{}
	units := map[string]string{}
	for _, i := range own {
		for key, cells := range cellValues(runs[i], o, units) {
			if values[key] == nil {
				values[key] = map[int]map[string]float64{}
			}
			values[key][i] = cells
		}
	}
	var all []Series
	for key, byRun := range values {
		if len(byRun) < 2 {
			continue
		}
		s := Series{Experiment: runs[own[0]].Manifest.Experiment, Profile: runs[own[0]].Manifest.Profile,
			Group: key.Group, Metric: key.metric, Unit: units[key.metric], On: key.on, Better: o.Metrics(key.metric).Better,
			Runs: slices.Sorted(maps.Keys(byRun)), Exact: key.on == ""}
		cells := slices.Sorted(maps.Keys(byRun[s.Runs[0]]))
		for _, run := range s.Runs {
			cells = slices.DeleteFunc(cells, func(cell string) bool { _, ok := byRun[run][cell]; return !ok })
			s.Exact = s.Exact && runs[run].Manifest.Seed == runs[s.Runs[0]].Manifest.Seed
		}
		if s.Records = len(cells); s.Records == 0 {
			continue
		}
		pooled, mean := make([][]float64, len(s.Runs)), stat.GeometricMean
		for i, run := range s.Runs {
			for _, cell := range cells {
				pooled[i] = append(pooled[i], byRun[run][cell])
			}
			if slices.Min(pooled[i]) <= 0 {
				mean = stat.Mean
			}
		}
		for _, values := range pooled {
			s.Values = append(s.Values, mean(values, nil))
		}
		all = append(all, s)
	}
	return all
}

// cellValues are a run's values by series, and by cell and repeat: only what ended
// well in all runs is pooled, so that a repeat that fails is no change.
func cellValues(s Side, o HistoryOptions, units map[string]string) map[seriesKey]map[string]float64 {
	all := map[seriesKey]map[string]float64{}
	for _, r := range s.Records {
		if r.Status != results.OK {
			continue
		}
		id := fmt.Sprint(unsized(&r), " repeat ", r.Repeat)
		for name, m := range r.Metrics.All() {
			key := seriesKey{Group: cellOf(r).group(), metric: name}
			switch {
			case isTested(name):
				key.on = place(s)
			case results.IsCost(name) || o.Metrics(name).Better == Neither:
				continue
			}
			units[name] = m.Unit
			if all[key] == nil {
				all[key] = map[string]float64{}
			}
			all[key][id] = m.Value
		}
	}
	return all
}

// place is where a run's costs were measured.
func place(s Side) string {
	m := s.Manifest
	return fmt.Sprintf("%s, %s/%s, %d cores, %s, threads: %d", m.Machine.CPU, m.Machine.OS, m.Machine.Arch, m.Machine.Cores, m.Versions["blas"], max(1, m.Threads))
}

// exact finds the steps of a series whose runs have the same seed.
func (s *Series) exact(runs []Side, o HistoryOptions) {
	for i := 1; i < len(s.Values); i++ {
		before, after := s.Values[i-1], s.Values[i]
		a, b := runs[s.Runs[i-1]].Manifest, runs[s.Runs[i]].Manifest
		drift := o.Drift
		if !sameMachine(a.Machine, b.Machine) || a.Versions["blas"] != b.Versions["blas"] {
			drift = o.Elsewhere * math.Max(1, o.Metrics(s.Metric).Tolerance)
		}
		if math.Abs(after-before) <= drift*math.Max(math.Abs(before), math.Abs(after)) {
			continue
		}
		s.Steps = append(s.Steps, s.step(i, before, after, 0, why(runs[s.Runs[i-1]], runs[s.Runs[i]], s.Group)))
	}
}

// why is what else changed between two runs.
func why(a, b Side, g Group) string {
	var parts []string
	keys := func(s Side) map[string]bool {
		all := map[string]bool{}
		for _, r := range s.Records {
			if cellOf(r).group() == g {
				all[r.Key] = true
			}
		}
		return all
	}
	if maps.Equal(keys(a), keys(b)) {
		parts = append(parts, "the same records have other numbers")
	} else {
		parts = append(parts, "the spec, the data or a version changed, so that random draws may be others")
	}
	if x, y := a.Manifest.Versions["blas"], b.Manifest.Versions["blas"]; x != y {
		parts = append(parts, fmt.Sprintf("BLAS: %s, before %s", y, x))
	}
	if !sameMachine(a.Manifest.Machine, b.Manifest.Machine) {
		parts = append(parts, "another machine")
	}
	return strings.Join(parts, "; ")
}

// test finds the steps of a series by a permutation test.
func (s *Series) test(level float64, rng *rand.Rand) {
	values, back := slices.Clone(s.Values), func(x float64) float64 { return x }
	if slices.Min(values) > 0 {
		for i, v := range values {
			values[i] = math.Log(v)
		}
		back = math.Exp
	}
	for _, c := range changePoints(values, level, rng) {
		s.Steps = append(s.Steps, s.step(c.at, back(c.before), back(c.after), c.p, ""))
	}
}

func (s *Series) step(at int, before, after, p float64, why string) Step {
	worse := s.On != "" && after > before || s.Better == Less && after > before || s.Better == More && after < before
	return Step{At: at, Before: before, After: after, P: p, Why: why, Worse: worse}
}
