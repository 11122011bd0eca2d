package compare

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/internal/claims"
	"mercer/results"
)

var options = Standard

// points are the sizes n of the cells of a method of a synthetic run.
var points = []int{100, 200, 400}

// ofAll is the spec of synthetic runs.
var ofAll = sync.OnceValue(func() *configs.Spec {
	spec, err := source.Parse("spec.yaml", []byte(`
name: exp
seed: 7
repeats: 12
datasets: [{id: data, use: atoms, atoms: 10, decay: {power: 2}}]
kernels: [{id: rbf, use: gaussian, sigma: 1}]
grid: {n: [100, 200, 400]}
methods: [{id: a, use: kpca}, {id: b, use: kpca}]
measure: [recon_h]
`))
	if err != nil {
		panic(err)
	}
	return spec
})

// synthetic is a run of methods over sizes: value gives the metrics of a row.
func synthetic(methods []string, repeats int, value func(method string, n, repeat int) map[string]float64) Side {
	s := Side{Name: "run", Run: results.Run{
		Spec: ofAll(),
		Manifest: results.Manifest{
			Schema: results.SchemaVersion, Profile: "smoke", Repeats: repeats,
			Machine:  results.Machine{OS: "linux", Arch: "amd64", CPU: "cpu", Cores: 2},
			Versions: map[string]string{"blas": "blas 1"},
		},
		Catalog: results.Catalog{
			Populations: map[string]results.Population{"p": {Dataset: "data", Fingerprint: "f"}}, Absent: map[string]string{},
			Metrics: map[string]results.MetricInfo{
				"error": {Better: "less"}, "score": {Better: "more", Steps: true}, "time_total": {Better: "less", Unit: "s"},
			},
		},
	}}
	for _, method := range methods {
		for _, n := range points {
			for repeat := range repeats {
				s.Rows = append(s.Rows, rekeyed(results.Row{
					Schema: results.SchemaVersion, At: cellAt(method, n), Repeat: repeat, Population: "p", Status: results.OK,
					Metrics: value(method, n, repeat), Version: "1", BLAS: "blas 1",
				}, 7))
			}
		}
	}
	return s
}

func cellAt(method string, n int) results.Key {
	return results.NewKey([]string{"dataset", "kernel", "method", "n"},
		[]results.Value{configs.TextOf("data"), configs.TextOf("rbf"), configs.TextOf(method), configs.NumberOf(float64(n))})
}

// rekeyed gives a row the id that goes with its seed and version.
func rekeyed(r results.Row, seed uint64) results.Row {
	r.ID = fmt.Sprintf("%s-%d-%d-%s", r.At, r.Repeat, seed, r.Version)
	return r
}

// kept is a side that was written as a reference and read again.
func kept(t *testing.T, s Side) Side {
	t.Helper()
	s.Dir = t.TempDir()
	spec, err := results.WriteSpec(s.Dir, s.Spec, s.Catalog)
	s.Manifest.Describe(spec)
	for _, r := range s.Rows {
		s.Manifest.IDs = append(s.Manifest.IDs, r.ID)
	}
	folder := filepath.Join(t.TempDir(), "exp", "smoke")
	read, is, broken := Side{}, false, errors.Join(err, WriteReference(folder, s))
	if broken == nil {
		read, is, broken = ReadReference(folder, "reference")
	}
	if !is || broken != nil {
		t.Fatal(is, broken)
	}
	read.Spec.Seed = s.Spec.Seed // of the test, not of the spec's text
	return read
}

// changed is a copy of a side with its rows changed.
func changed(s Side, change func(r *results.Row)) Side {
	s.Rows = slices.Clone(s.Rows)
	for i := range s.Rows {
		change(&s.Rows[i])
	}
	return s
}

// reseeded is a side whose rows were made from another seed.
func reseeded(s Side, seed uint64) Side {
	s = changed(s, func(r *results.Row) { *r = rekeyed(*r, seed) })
	spec := *s.Spec
	spec.Seed = seed
	s.Spec = &spec
	return s
}

// upgraded is a side whose method has another version.
func upgraded(s Side, method string) Side {
	return changed(s, func(r *results.Row) {
		if r.Method() == method {
			r.Version = "2"
			*r = rekeyed(*r, s.Spec.Seed)
		}
	})
}

func verdict(claim, method string, outcome claims.Outcome) claims.Verdict {
	return claims.Verdict{Claim: claim, Group: results.Key{}.With("method", configs.TextOf(method)), Outcome: outcome, Reason: "because"}
}

// remove takes a metric from a row.
func remove(r *results.Row, metric string) {
	all := maps.Collect(r.Metrics.All())
	delete(all, metric)
	r.Metrics = all
}

// TestMatches: a cell is the same where a method's own size became another, and where
// variables stand in another order; not where the grid point did.
func TestMatches(t *testing.T) {
	none := func(string, int, int) map[string]float64 { return nil }
	with := func(name string, v float64) Side {
		return changed(synthetic([]string{"a"}, 1, none), func(r *results.Row) { r.At = r.At.With(name, configs.NumberOf(v)) })
	}
	spec := *with("m", 1).Spec
	spec.Methods = slices.Clone(spec.Methods)
	spec.Methods[0].Sizes = map[string]configs.Value{"m": {}}
	b := with("m", 7)
	b.Spec = &spec
	if m := matches(Pair{with("m", 5), b}); len(m) != 3 || !m[0].onBoth() || m[0].cell.Text("m") != "7" {
		t.Errorf("another size: %v", m)
	}
	turned := changed(with("m", 5), func(r *results.Row) { r.At = r.At.Only("dataset", "kernel", "method", "m", "n") })
	if m := matches(Pair{with("m", 5), turned}); len(m) != 3 || !m[0].onBoth() {
		t.Errorf("another order: %v", m)
	}
	if m := matches(Pair{with("m", 5), with("m", 6)}); len(m) != 6 {
		t.Errorf("another grid point: %v", m)
	}
}
