package verify

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"

	"mercer/configs/source"
	"mercer/internal/compare"
	"mercer/results"
	"mercer/runner"
)

// holdNumbers computes a sample of the records again and compares them.
func (v *verifier) holdNumbers(ctx context.Context) error {
	can := repeatable(v.Run.Records)
	if limited := len(v.Run.Records) - len(can); limited > 0 {
		v.note("%d records ran into limits of time or memory, and cannot be computed again", limited)
	}
	drawn := draw(can, v.Options.Sample, v.Seed)
	if len(drawn) == 0 {
		v.note("no record was computed again: numbers that were changed together with all that follows from them are not found")
		return nil
	}
	due := map[string]results.Record{}
	for _, r := range drawn {
		due[r.Key] = r
	}
	v.plan.Keep(func(key string) bool { _, ok := due[key]; return ok })
	var again results.Run
	err := inTemporary(func(dir string) (err error) {
		again, err = v.compute(ctx, dir)
		return err
	})
	if err != nil {
		return err
	}
	v.result.Sample = &Sample{Seed: v.Seed, Records: len(drawn), Of: len(can), MostWrong: MostWrong(len(can), len(drawn)), Exact: v.exact}
	for _, r := range again.Records {
		v.holdOutcome(due[r.Key], r)
	}
	return v.compareNumbers(drawn, again)
}

// compute carries out the plan in a folder.
func (v *verifier) compute(ctx context.Context, dir string) (results.Run, error) {
	o, m := v.Runner, v.Run.Manifest
	o.Dir = dir
	manifest := runner.NewManifest(v.plan, m.Profile, m.Spec, "", v.Version, runner.ThisMachine())
	summary, err := runner.Run(ctx, v.plan, manifest, o)
	if err == nil && summary.Interrupted {
		err = ctx.Err()
	}
	if err == nil && summary.Resumed+summary.Written < summary.Total {
		err = fmt.Errorf("only %d of %d records could be computed again", summary.Written, summary.Total)
	}
	if err != nil {
		return results.Run{}, err
	}
	return results.Load(dir)
}

// holdOutcome compares all of a record but its numbers, times and memory.
func (v *verifier) holdOutcome(said, is results.Record) {
	at := fmt.Sprintf("record %s (%s %s, repeat %d)", said.Key, said.Dataset, said.Method, said.Repeat)
	if said.Status != is.Status {
		v.Found("numbers", "%s has status %s; computed again, %s %s", at, said.Status, is.Status, is.Reason)
	} else if was, now := units(said), units(is); !reflect.DeepEqual(was, now) {
		v.Found("numbers", "%s has the metrics %v; computed again, %v", at, slices.Sorted(maps.Keys(was)), slices.Sorted(maps.Keys(now)))
	}
}

// units are those of a record's metrics that are no costs, by name.
func units(r results.Record) map[string]string {
	all := map[string]string{}
	for name, m := range r.Metrics.All() {
		if !results.IsCost(name) {
			all[name] = m.Unit
		}
	}
	return all
}

// compareNumbers compares the numbers of the sample: on the same back end they must be
// identical.
func (v *verifier) compareNumbers(drawn []results.Record, again results.Run) error {
	profile, err := source.Profile(v.Run.Manifest.Profile)
	if err != nil {
		return err
	}
	base := compare.Side{Name: "crate", Manifest: again.Manifest, Records: drawn}
	if !v.exact { // of another back end, whatever its name
		base.Manifest.Versions = nil
	}
	numbers := compare.NumbersOf(compare.Pair{Base: base, New: compare.Side{Name: "here", Manifest: again.Manifest, Records: again.Records}},
		compare.Options{Thresholds: compare.Thresholds{Elsewhere: profile.Compare.Elsewhere}, Metrics: compare.MetricOf})
	v.result.Sample.Numbers = numbers
	tipped := map[string]int{}
	for _, d := range numbers.Drifts {
		text := fmt.Sprintf("%s repeat %d: %d of %d numbers of %s differ by more than %.0e; the largest difference is %v, computed again %v",
			d.Cell, d.Repeat, d.Count, d.Of, d.Metric, d.Tolerance, d.Base, d.New)
		if d.Tipped {
			tipped[d.Metric] += d.Count
			v.note("%s: another back end may tip a clustering or a rank", text)
		} else {
			v.Found("numbers", "%s", text)
		}
	}
	for _, metric := range slices.Sorted(maps.Keys(tipped)) {
		if most := mostTipped(len(drawn)); tipped[metric] > most {
			v.Found("numbers", "%d numbers of %s are others in a sample of %d records: rounding tips at most %d", tipped[metric], metric, len(drawn), most)
		}
	}
	return nil
}

// mostTipped is how many numbers of a metric rounding may tip, one a record: more with a
// probability of 1e-3 at most, where each is tipped with probability 1/60. That is the
// largest share seen between OpenBLAS and the program's own kernels, see package compare.
func mostTipped(records int) int {
	tipped := distuv.Binomial{N: float64(records), P: 1. / 60}
	return sort.Search(records, func(most int) bool { return tipped.Survival(float64(most)) <= 1e-3 })
}
