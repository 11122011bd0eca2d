package metrics

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// separationByLoops is the mean silhouette and the ratio of distances by their
// definitions, from a function of pairs.
func separationByLoops(classes []int, distance func(i, j int) float64) (silhouette, ratio float64) {
	n := len(classes)
	closest, diameter := math.Inf(1), 0.0
	for i := range n {
		var sums, counts [5]float64
		for j := range n {
			if i == j {
				continue
			}
			d := distance(i, j)
			sums[classes[j]] += d
			counts[classes[j]]++
			if classes[i] == classes[j] {
				diameter = math.Max(diameter, d)
			} else {
				closest = math.Min(closest, d)
			}
		}
		if counts[classes[i]] == 0 {
			continue
		}
		a, b := sums[classes[i]]/counts[classes[i]], math.Inf(1)
		for c := range sums {
			if c != classes[i] && counts[c] > 0 {
				b = math.Min(b, sums[c]/counts[c])
			}
		}
		silhouette += (b - a) / math.Max(a, b) / float64(n)
	}
	return silhouette, closest / diameter
}

// TestSeparationByLoops: distances of size 1 from products are exact to 1e-10
// and better.
func TestSeparationByLoops(t *testing.T) {
	truth := classed(t)
	for i := range truth.Labels {
		truth.Labels[i] *= 2 // classes 1 and 3 do not occur
	}
	for name, c := range truth.clusterings(t) {
		values, _, err := Evaluate(t.Context(), truth.Truth, c, []int{0}, []string{"separation"})
		if err != nil {
			t.Fatal(err)
		}
		distance := func(i, j int) float64 {
			x, y := truth.X.RawRowView(i), truth.X.RawRowView(j)
			return math.Sqrt(truth.Kernel.At(x, x) + truth.Kernel.At(y, y) - 2*truth.Kernel.At(x, y))
		}
		if c.Embedding != nil {
			z := c.Embedding.Eval(truth.X)
			distance = func(i, j int) float64 { return floats.Distance(z.RawRowView(i), z.RawRowView(j), 2) }
		}
		silhouette, ratio := separationByLoops(truth.Labels, distance)
		if v := values[0]; !(math.Abs(v["silhouette"]-silhouette) <= 1e-9) || !(math.Abs(v["separation"]-ratio) <= 1e-8*ratio) {
			t.Errorf("%s: %v, by loops silhouette %v, separation %v", name, v, silhouette, ratio)
		}
	}
}

// line is an embedding of points in R^1 as they are.
func line(at ...float64) (*mat.Dense, *methods.Embedding) {
	one := mat.NewDense(1, 1, []float64{1})
	return mat.NewDense(len(at), 1, at), &methods.Embedding{Functions: kernel.Expansion{Kernel: kernel.Polynomial{Degree: 1, Gamma: 1}, Points: one, Coef: one}}
}

// TestSeparationOnALine: classes {0, 1} and {5, 7} far from the origin are 4
// apart and 2 wide at most.
func TestSeparationOnALine(t *testing.T) {
	x, embedding := line(1e6, 1e6+1, 1e6+5, 1e6+7)
	values, _, err := Evaluate(t.Context(), Truth{X: x, Labels: []int{0, 0, 1, 1}}, embedding, []int{0}, []string{"separation"})
	if err != nil {
		t.Fatal(err)
	}
	want := (5./6 + 4./5 + (4.5-2)/4.5 + (6.5-2)/6.5) / 4
	if v := values[0]; !(math.Abs(v["separation"]-2) <= 1e-9) || !(math.Abs(v["silhouette"]-want) <= 1e-9) {
		t.Errorf("%v, want silhouette %v, separation 2", v, want)
	}
}

// TestSeparationAtTheLimits: where there is nothing to compare the two outputs
// are left out, and other measures of the record are kept.
func TestSeparationAtTheLimits(t *testing.T) {
	for _, tt := range []struct {
		name    string
		labels  []int
		at      []float64
		defined bool
	}{
		{"one class", []int{1, 1, 1}, []float64{1, 2, 3}, false},
		{"each class has one point", []int{0, 1, 2}, []float64{1, 2, 3}, false},
		{"points of each class coincide", []int{0, 1, 1}, []float64{1, 2, 2}, false},
		{"a class of one point", []int{0, 1, 1}, []float64{1, 2, 3}, true},
		{"all points are equal", []int{0, 1, 1}, []float64{2, 2, 2}, false},
	} {
		x, embedding := line(tt.at...)
		values, _, err := Evaluate(t.Context(), Truth{X: x, Labels: tt.labels}, embedding, []int{0}, []string{"separation"})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		v := values[0]
		if !tt.defined {
			if len(v) != 0 {
				t.Errorf("%s: %v, want nothing", tt.name, v)
			}
			continue
		}
		// silhouettes 0 (alone), (1−1)/1 and (2−1)/2
		if math.Abs(v["silhouette"]-1./6) > 1e-15 || v["separation"] != 1 {
			t.Errorf("%s: %v, want silhouette 1/6, separation 1", tt.name, v)
		}
	}
	e := evaluation{Truth: Truth{X: mat.NewDense(7, 1, nil), Rows: func() *rand.Rand { return newRand(1) }}}
	if got := e.someRows(3); len(got) != 3 || !slices.IsSorted(got) || got[2] > 6 || len(slices.Compact(slices.Clone(got))) != 3 {
		t.Errorf("3 of 7 rows are %v", got)
	}
	if got := e.someRows(7); !slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 6}) {
		t.Errorf("7 of 7 rows are %v", got)
	}
}

// TestErrorsNameNoEllWithoutComponents: a model without components has no ℓ.
func TestErrorsNameNoEllWithoutComponents(t *testing.T) {
	x, embedding := line(1, 2, math.Inf(1))
	truth := Truth{X: x, Labels: []int{0, 0, 1}}
	if _, _, err := Evaluate(t.Context(), truth, embedding, []int{0}, []string{"separation"}); err == nil || strings.Contains(err.Error(), "ell") {
		t.Errorf("error %v, want one without ell", err)
	}
}
