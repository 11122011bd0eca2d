package facts

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mercer/configs/source"
	"mercer/internal/theory"
	"mercer/results"
)

// toy answers what is asked of Σ = diag(1/3, 1/9, …), and counts the questions.
type toy struct {
	theory.Population
	asked *int
}

func (p toy) String() string { return "toy" }
func (p toy) Kappa() float64 { return 1. / 7 }
func (p toy) Eigenvalues(count int) ([]float64, error) {
	*p.asked++
	values := make([]float64, count)
	for i := range values {
		values[i] = math.Pow(3, float64(-i-1))
	}
	return values, nil
}
func (p toy) EffectiveDimension(t float64) (float64, error) {
	*p.asked++
	if t <= 0 {
		return 0, errors.New("t must be positive")
	}
	return 1 / (1 + 3*t), nil
}
func (p toy) Tail(int, int) (float64, error) { return math.Inf(1), nil }

const spec = `name: facts
seed: 1
repeats: 2
datasets: [{id: a, use: series, decay: {power: 2}}, {id: b, use: csv, path: x.csv}]
kernels: [{id: rbf, use: gaussian, sigma: 1, form: two-sigma-squared}]
grid: {n: 4, ell: 1}
methods: [{id: ekpca, use: ekpca, center: u}]
measure: [recon_h]
`

func tableOf(t *testing.T, text, fingerprint string) *Table {
	t.Helper()
	parsed, err := source.Parse("facts.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return New(parsed, results.Manifest{Datasets: map[string]results.DatasetInfo{"b": {Fingerprint: fingerprint}}})
}

// questions are what the test asks; their answers, and what is unanswered.
func questions(p *Population) (values []float64, unanswered error) {
	lambda, _ := p.Eigenvalues(3)
	values = append(values, p.Kappa())
	values = append(values, lambda...)
	for _, level := range []float64{0.1, math.Nextafter(0.1, 1)} {
		dimension, _ := p.EffectiveDimension(level)
		values = append(values, dimension)
	}
	return values, p.Unanswered()
}

// What was stored is answered again bit for bit without the source, and asked once.
func TestFactsAreKept(t *testing.T) {
	dir, asked := t.TempDir(), 0
	recording := tableOf(t, spec, "f")
	recording.Record(func(dataset, _ string, _ int) (Opened, error) {
		return Opened{Population: toy{asked: &asked}, Shared: dataset == "a", Independent: dataset == "a"}, nil
	})
	want, err := questions(recording.At("b", "rbf", 1))
	again, _ := questions(recording.At("b", "rbf", 1))
	if err != nil || asked != 3 || !slices.Equal(want, again) {
		t.Fatalf("%v, then %v, asked %d times (%v)", want, again, asked, err)
	}
	if recording.At("a", "series", 0) != recording.At("a", "series", 1) || recording.At("b", "rbf", 0) == recording.At("b", "rbf", 1) {
		t.Error("repeats share a population where they should not, or do not where they should")
	}
	if err := recording.Save(dir); err != nil {
		t.Fatal(err)
	}
	stored := tableOf(t, spec, "f")
	if err := stored.Add(dir); err != nil {
		t.Fatal(err)
	}
	if got, err := questions(stored.At("b", "rbf", 1)); err != nil || !slices.Equal(got, want) {
		t.Errorf("stored %v, want %v (%v)", got, want, err)
	}
	if a, b := stored.At("a", "series", 0), stored.At("b", "rbf", 0); a != stored.At("a", "series", 7) || !a.facts.Independent || b.facts.Independent {
		t.Errorf("stored are %+v and %+v", a.facts, b.facts)
	}
	p := stored.At("b", "rbf", 1)
	if _, err := p.Eigenvalues(4); err == nil || p.Unanswered() == nil || p.Unanswered() != nil {
		t.Errorf("what is not stored: %v", err)
	}
}

// Facts are of one seed, data set, fingerprint and kernel.
func TestStaleFactsAreRefused(t *testing.T) {
	dir, asked := t.TempDir(), 0
	recording := tableOf(t, spec, "f")
	recording.Record(func(string, string, int) (Opened, error) { return Opened{Population: toy{asked: &asked}}, nil })
	recording.At("b", "rbf", 0)
	if err := recording.Save(dir); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		from, to, print string
		known           bool
	}{
		"the same":        {"repeats: 2", "repeats: 3", "f", true},
		"seed":            {"seed: 1", "seed: 2", "f", false},
		"data":            {"", "", "g", false},
		"data set":        {"path: x.csv", "path: y.csv", "f", false},
		"kernel":          {"sigma: 1", "sigma: 2", "f", false},
		"kernel's family": {"use: gaussian, sigma: 1, form: two-sigma-squared", "use: laplacian, sigma: 1", "f", false},
	} {
		other := tableOf(t, strings.Replace(spec, tt.from, tt.to, 1), tt.print)
		if err := other.Add(dir); err != nil {
			t.Fatal(err)
		}
		if other.Lacks() {
			t.Errorf("%s: lacks what nobody asked for", name)
		}
		if other.At("b", "rbf", 0); other.Lacks() == tt.known {
			t.Errorf("%s: known is %v, want %v", name, !other.Lacks(), tt.known)
		}
	}
}

// A question without an answer is stored as such, and asked again by the next recording.
func TestFailures(t *testing.T) {
	dir, asked := t.TempDir(), 0
	failure := errors.New("no such file x.csv")
	source := func(string, string, int) (Opened, error) { return Opened{}, failure }
	table := tableOf(t, spec, "f")
	table.Record(source)
	if _, err := questions(table.At("b", "rbf", 0)); err == nil || err.Error() != failure.Error() {
		t.Errorf("closed: %v", err)
	}
	if err := table.Save(dir); err != nil {
		t.Fatal(err)
	}
	stored := tableOf(t, spec, "f")
	if err := stored.Add(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := questions(stored.At("b", "rbf", 0)); err == nil || err.Error() != failure.Error() {
		t.Errorf("closed and stored: %v", err)
	}
	stored.Record(func(string, string, int) (Opened, error) { return Opened{Population: toy{asked: &asked}}, nil })
	p := stored.At("b", "rbf", 0)
	if _, err := questions(p); err != nil {
		t.Errorf("opened: %v", err)
	}
	for name, ask := range map[string]func() (float64, error){
		"t must be positive": func() (float64, error) { return p.EffectiveDimension(0) },
		"is not finite":      func() (float64, error) { return p.Tail(1, 0) },
	} {
		if _, err := ask(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v does not say %q", err, name)
		}
	}
	if err := stored.Save(dir); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, results.PopulationsFile), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := stored.Add(dir); err == nil || !strings.Contains(err.Error(), "is broken") {
		t.Errorf("broken: %v", err)
	}
}
