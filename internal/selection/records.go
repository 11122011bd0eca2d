package selection

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/internal/sizes"
	"mercer/results"
)

// Records is a run made ready to be read.
type Records struct {
	Run       results.Run
	All       []*results.Record // in canonical order, without those of absent data sets
	Metrics   []string          // that some record has
	Variables []string          // of the grid points, in the manifest's order and then by name
	Order     Order             // of the spec
	constants map[string]map[string]float64
}

// New makes a run ready to be read. Constants are those of the datasets by id,
// beside or in place of what the run's manifest knows; nil for none.
func New(run results.Run, constants map[string]map[string]float64) *Records {
	r := &Records{Run: run, Order: OrderOf(run.Manifest), constants: map[string]map[string]float64{}}
	sorted := results.Sorted(run.Records, run.Manifest.Variables)
	if slices.ContainsFunc(slices.Collect(maps.Values(run.Manifest.Datasets)), func(d results.DatasetInfo) bool { return d.Absent != "" }) {
		sorted = slices.DeleteFunc(slices.Clone(sorted), func(r results.Record) bool { return run.Manifest.Datasets[r.Dataset].Absent != "" })
	}
	r.Metrics, r.Variables = results.MetricNames(sorted), r.inOrder(results.PointNames(sorted))
	r.All = make([]*results.Record, len(sorted))
	for i := range sorted {
		r.All[i] = &sorted[i]
	}
	for id, info := range run.Manifest.Datasets {
		r.constants[id] = maps.Clone(info.Constants)
	}
	for id, given := range constants {
		if r.constants[id] == nil {
			r.constants[id] = map[string]float64{}
		}
		maps.Copy(r.constants[id], given)
	}
	return r
}

// VariablesOf lists the names in the points of records, in the manifest's order
// and then by name.
func (r *Records) VariablesOf(records []*results.Record) []string {
	names := map[string]bool{}
	for i, one := range records {
		if i > 0 && one.SamePoint(records[i-1]) {
			continue
		}
		for name := range one.Point {
			names[name] = true
		}
	}
	return r.inOrder(slices.Sorted(maps.Keys(names)))
}

// inOrder are sorted names in the manifest's order and then by name.
func (r *Records) inOrder(rest []string) []string {
	known := lists.Where(r.Run.Manifest.Variables, func(name string) bool { return slices.Contains(rest, name) })
	return lists.Once(slices.Concat(known, rest))
}

// Name names a record for a reader.
func (r *Records) Name(record *results.Record) string {
	parts := []string{record.Dataset}
	for _, p := range []string{record.Kernel, record.Method} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	for _, name := range r.VariablesOf([]*results.Record{record}) {
		if v, ok := Axis(record, name); ok {
			parts = append(parts, name+"="+plain.Number(v))
		}
	}
	return fmt.Sprintf("%s repeat %d", strings.Join(parts, " "), record.Repeat)
}

// Only is a run with the records that conditions pick, all of them where there are none. It
// is an error where they name a column that the run lacks, or pick nothing.
func Only(run results.Run, where configs.Conditions) (results.Run, error) {
	if len(where) == 0 {
		return run, nil
	}
	if err := New(run, nil).checkColumns(configs.Selection{Where: where}); err != nil {
		return run, err
	}
	run.Records = slices.DeleteFunc(slices.Clone(run.Records), func(r results.Record) bool { return !Matches(&r, where) })
	if len(run.Records) == 0 {
		return run, errors.New("it picks no record")
	}
	return run, nil
}

// Absent are the data sets that conditions pick and whose data are missing.
func (r *Records) Absent(where configs.Conditions) []string {
	picked := where["dataset"].Value
	return slices.DeleteFunc(slices.Sorted(maps.Keys(r.Run.Manifest.Datasets)), func(id string) bool {
		return r.Run.Manifest.Datasets[id].Absent == "" || picked != nil && !slices.Contains(picked, id)
	})
}

// checkColumns refuses columns that the run has not, which would pick nothing.
func (r *Records) checkColumns(s configs.Selection) error {
	known := append([]string{"dataset", "kernel", "method"}, sizes.Names...)
	known = append(known, r.Run.Manifest.Variables...)
	known = append(known, r.Variables...)
	for _, name := range slices.Concat(slices.Sorted(maps.Keys(s.Where)), s.By.Texts()) {
		if !slices.Contains(known, name) {
			return fmt.Errorf("%s", configs.Unknown("column", name, "its selection", known))
		}
	}
	return nil
}
