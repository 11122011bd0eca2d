package facts

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
	recording := New()
	recording.Record(func(population string, _ int) (Opened, error) {
		return Opened{Population: toy{asked: &asked}, Shared: population == "a", Independent: population == "a"}, nil
	})
	want, err := questions(recording.At("b", 1))
	again, _ := questions(recording.At("b", 1))
	if err != nil || asked != 3 || !slices.Equal(want, again) {
		t.Fatalf("%v, then %v, asked %d times (%v)", want, again, asked, err)
	}
	if recording.At("a", 0) != recording.At("a", 1) || recording.At("b", 0) == recording.At("b", 1) {
		t.Error("repeats share a population where they should not, or do not where they should")
	}
	if err := recording.Save(dir); err != nil {
		t.Fatal(err)
	}
	stored := New()
	if err := stored.Add(dir); err != nil {
		t.Fatal(err)
	}
	if got, err := questions(stored.At("b", 1)); err != nil || !slices.Equal(got, want) {
		t.Errorf("stored %v, want %v (%v)", got, want, err)
	}
	if a, b := stored.At("a", 0), stored.At("b", 0); a != stored.At("a", 7) || !a.facts.Independent || b.facts.Independent {
		t.Errorf("stored are %+v and %+v", a.facts, b.facts)
	}
	p := stored.At("b", 1)
	if _, err := p.Eigenvalues(4); err == nil || p.Unanswered() == nil || p.Unanswered() != nil {
		t.Errorf("what is not stored: %v", err)
	}
}

// What is stored of one population is not taken for another, of which nothing is known.
func TestStaleFactsAreRefused(t *testing.T) {
	dir, asked := t.TempDir(), 0
	recording := New()
	recording.Record(func(string, int) (Opened, error) { return Opened{Population: toy{asked: &asked}}, nil })
	recording.At("b", 0)
	if err := recording.Save(dir); err != nil {
		t.Fatal(err)
	}
	for population, known := range map[string]bool{"b": true, "a": false} {
		stored := New()
		if err := stored.Add(dir); err != nil {
			t.Fatal(err)
		}
		if stored.Lacks() {
			t.Error("lacks what nobody asked for")
		}
		if stored.At(population, 0); stored.Lacks() == known {
			t.Errorf("%s: known is %v, want %v", population, !stored.Lacks(), known)
		}
	}
}

// A question without an answer is stored as such, and asked again by the next recording.
func TestFailures(t *testing.T) {
	dir, asked := t.TempDir(), 0
	failure := errors.New("no such file x.csv")
	source := func(string, int) (Opened, error) { return Opened{}, failure }
	table := New()
	table.Record(source)
	if _, err := questions(table.At("b", 0)); err == nil || err.Error() != failure.Error() {
		t.Errorf("closed: %v", err)
	}
	if err := table.Save(dir); err != nil {
		t.Fatal(err)
	}
	stored := New()
	if err := stored.Add(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := questions(stored.At("b", 0)); err == nil || err.Error() != failure.Error() {
		t.Errorf("closed and stored: %v", err)
	}
	stored.Record(func(string, int) (Opened, error) { return Opened{Population: toy{asked: &asked}}, nil })
	p := stored.At("b", 0)
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
