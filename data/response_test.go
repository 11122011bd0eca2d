package data

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
)

// TestResponse: f* is its sum of cosines with coefficients in the given proportions and has
// norm 1 in L²(P); responses of the first points are the first responses; and means of counts
// scatter as σ/√c: the estimate of 2000 draws has a standard error of 1.6 %, and 10 % is 6 of
// them.
func TestResponse(t *testing.T) {
	power := 2.0
	o := &AtomsOptions{Atoms: 50, Decay: &kernel.Decay{Power: &power}, Response: &ResponseOptions{Smoothness: 0.75, Noise: 0.4, Terms: 6}}
	d, err := o.Open(Context{})
	if err != nil {
		t.Fatal(err)
	}
	f := d.(Responding).Response()
	x, norm := midpoints(50), 0.0
	for i, v := range f.At(x) {
		want := 0.0
		for j := range 6 {
			b := math.Pow(float64(j+1), -1.5-0.5) * f.Coef[0]
			want += b * math.Sqrt2 * math.Cos(math.Pi*float64(j+1)*x.At(i, 0))
		}
		if math.Abs(v-want) > 1e-12 {
			t.Fatalf("f* is %v at point %d, want %v", v, i, want)
		}
		norm += v * v / 50
	}
	if math.Abs(norm-1) > 1e-12 {
		t.Errorf("‖f*‖² is %v", norm)
	}
	o.Masses.Power = 2
	uneven, err := o.Open(Context{})
	if err != nil {
		t.Fatal(err)
	}
	norm = 0
	for i, v := range uneven.(Responding).Response().At(x) {
		norm += v * v * uneven.(*atomsDataset).masses[i]
	}
	if math.Abs(norm-1) > 1e-12 {
		t.Errorf("under unequal masses ‖f*‖² is %v", norm)
	}
	streams := func(string) Source { return rand.NewPCG(3, 4) }
	few, many := f.Draw(mat.DenseCopyOf(x.Slice(0, 20, 0, 1)), nil, streams), f.Draw(x, nil, streams)
	if !floats.Equal(few, many[:20]) {
		t.Error("responses of the first points depend on how many follow")
	}
	const draws = 2000
	squares, one, at := 0.0, mat.NewDense(1, 1, []float64{0.3}), f.At(mat.NewDense(1, 1, []float64{0.3}))[0]
	for seed := range uint64(draws) {
		y := f.Draw(one, []float64{9}, func(string) Source { return rand.NewPCG(seed, 5) })
		squares += math.Pow(y[0]-at, 2) / draws
	}
	if sd := math.Sqrt(squares); math.Abs(sd/(0.4/3)-1) > 0.1 {
		t.Errorf("means of 9 responses have standard deviation %v, want %v", sd, 0.4/3)
	}
}

// TestBadResponses names what is wrong.
func TestBadResponses(t *testing.T) {
	power := 2.0
	for _, o := range []ResponseOptions{{Smoothness: -1}, {Noise: math.NaN()}, {Noise: math.Inf(1)}, {Smoothness: 9}} {
		if err := (&AtomsOptions{Atoms: 9, Decay: &kernel.Decay{Power: &power}, Response: &o}).Validate(); err == nil {
			t.Errorf("%+v passes", o)
		}
		if err := (&SeriesOptions{Decay: &kernel.Decay{Power: &power}, Response: &o}).Validate(); err == nil {
			t.Errorf("%+v passes for a series", o)
		}
	}
}
