package metrics

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/methods"
)

// responding opens a data set with responses, and its population.
func responding(t *testing.T, o data.Options) (data.Dataset, data.Draw, *data.Response, data.Population) {
	t.Helper()
	d, err := o.Open(data.Context{})
	if err != nil {
		t.Fatal(err)
	}
	draw, err := d.Draw(func(purpose string) data.Source { return rand.NewPCG(uint64(len(purpose)), 9) })
	if err != nil {
		t.Fatal(err)
	}
	population, err := draw.Population(d.Kernel(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return d, draw, d.(data.Responding).Response(), population
}

func excessOf(t *testing.T, truth Truth, f kernel.Functions) float64 {
	t.Helper()
	got, _, err := Evaluate(t.Context(), truth, &methods.Regression{Functions: f}, []int{0}, []string{"excess_risk"})
	if err != nil {
		t.Fatal(err)
	}
	return got[0]["excess_risk"]
}

// TestExcessRisk: of any f̂, against the mean of (f̂ − f*)² over 200,000 uniform points,
// within 5 standard errors; on atoms the sum over them and the closed form are the same
// number, for they are orthogonal there too.
func TestExcessRisk(t *testing.T) {
	power, response := 2.0, &data.ResponseOptions{Smoothness: 0.5, Noise: 0.3, Terms: 40}
	decay := &kernel.Decay{Power: &power}
	d, _, f, population := responding(t, &data.SeriesOptions{Decay: decay, Response: response})
	rng := newRand(4)
	expansion := func(k kernel.Kernel) kernel.Functions {
		return kernel.Expansion{Kernel: k, Points: points(7, 1, rng.Float64), Coef: points(7, 1, rng.NormFloat64)}
	}
	g := expansion(d.Kernel())
	got := excessOf(t, Truth{Population: population, Kernel: d.Kernel(), Response: f}, g)
	x, sum, squares := points(200_000, 1, rng.Float64), 0.0, 0.0
	values, want := mat.Col(nil, 0, g.Eval(x)), f.At(x)
	for i := range values {
		square := math.Pow(values[i]-want[i], 2)
		sum += square / float64(len(values))
		squares += square * square / float64(len(values))
	}
	if off := math.Abs(got - sum); !(off <= 5*math.Sqrt((squares-sum*sum)/float64(len(values)))) {
		t.Errorf("excess risk %v, the mean over points %v", got, sum)
	}

	d, draw, f, population := responding(t, &data.AtomsOptions{Atoms: 60, Decay: decay, Response: response})
	atoms, _ := draw.HeldOut()
	g = kernel.Expansion{Kernel: d.Kernel(), Points: mat.DenseCopyOf(atoms.Slice(3, 10, 0, 1)), Coef: points(7, 1, rng.NormFloat64)}
	truth := Truth{Population: population, Kernel: d.Kernel(), Response: f}
	closed := excessOf(t, truth, g)
	truth.HeldOut = atoms
	if got := excessOf(t, truth, g); !(math.Abs(got-closed) <= 1e-10*closed) {
		t.Errorf("excess risk %v on atoms, %v in closed form", got, closed)
	}
	truth.Masses, values, want = make([]float64, 60), mat.Col(nil, 0, g.Eval(atoms)), f.At(atoms)
	sum = 0
	for i := range 60 { // 1/K + (i − 29.5)/K² of sum 1
		truth.Masses[i] = 1./60 + (float64(i)-29.5)/3600
		sum += truth.Masses[i] * math.Pow(values[i]-want[i], 2)
	}
	if got := excessOf(t, truth, g); !(math.Abs(got-sum) <= 1e-10*sum) {
		t.Errorf("excess risk %v under masses, %v by hand", got, sum)
	}
}

// TestExcessRiskOfRidge: given the counts, the mean over noise of the excess risk of exact
// ridge regression is the bias of f* and σ² times the sum of squares of the linear map from
// responses, both by matrices on the atoms:
//
//	(1/K)‖S f* − f*‖² + (σ²/K) Σ_j ‖S_{:j}‖²/c_j,  S = K_Zx(K + nλW⁻¹)⁻¹.
//
// 400 draws of noise, within 5 standard errors: a wrong σ², or one not divided by the
// counts, is 20 standard errors off.
func TestExcessRiskOfRidge(t *testing.T) {
	power := 2.0
	d, draw, f, population := responding(t, &data.AtomsOptions{Atoms: 40, Decay: &kernel.Decay{Power: &power}, Response: &data.ResponseOptions{Smoothness: 0.5, Noise: 0.5}})
	atoms, _ := draw.HeldOut()
	const n, lambda, draws = 400, 1e-3, 400
	counts, err := draw.Counted().First(n)
	if err != nil {
		t.Fatal(err)
	}
	var x []float64
	var c []float64
	for j, count := range counts {
		if count > 0 {
			x, c = append(x, atoms.At(j, 0)), append(c, count)
		}
	}
	sample := mat.NewDense(len(x), 1, x)
	k := kernel.Cross(d.Kernel(), sample, sample)
	for i := range c {
		k.Set(i, i, k.At(i, i)+n*lambda/c[i])
	}
	var inverse mat.Dense
	if err := inverse.Inverse(k); err != nil {
		t.Fatal(err)
	}
	s := product(kernel.Cross(d.Kernel(), atoms, sample), &inverse)
	truth, on := f.At(atoms), f.At(sample)
	want := 0.0
	for i, v := range truth {
		want += math.Pow(mat.Dot(s.RowView(i), mat.NewVecDense(len(on), on))-v, 2) / 40
		for j := range c {
			want += f.Noise * f.Noise * math.Pow(s.At(i, j), 2) / c[j] / 40
		}
	}
	method, err := (&methods.KRROptions{RidgeOptions: methods.RidgeOptions{Ridge: lambda}}).Method()
	if err != nil {
		t.Fatal(err)
	}
	sum, squares := 0.0, 0.0
	for seed := range uint64(draws) {
		y := f.Draw(sample, c, func(string) data.Source { return rand.NewPCG(seed, 1) })
		p := methods.Sample{X: sample, Counts: c, Responses: mat.NewDense(len(y), 1, y), Kernel: d.Kernel(), Sizes: methods.Sizes{N: n}}
		model, err := method.Fit(t.Context(), p, newRand(1))
		if err != nil {
			t.Fatal(err)
		}
		v := excessOf(t, Truth{Population: population, HeldOut: atoms, Kernel: d.Kernel(), Response: f}, model.(*methods.Regression).Functions)
		sum, squares = sum+v/draws, squares+v*v/draws
	}
	if off := math.Abs(sum - want); !(off <= 5*math.Sqrt((squares-sum*sum)/draws)) {
		t.Errorf("mean excess risk %v, bias and variance add up to %v", sum, want)
	}
}
