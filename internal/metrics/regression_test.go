package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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

// predicting is a regression whose values at x are x.
func predicting(q int) *methods.Regression {
	linear := kernel.Polynomial{Degree: 1, Gamma: 1}
	return &methods.Regression{Functions: kernel.Expansion{Kernel: linear, Points: identity(q), Coef: identity(q)}}
}

// predictionJob are responses or classes with predictions of them.
type predictionJob struct {
	Y      []float64   `json:"y"`
	Labels []int       `json:"labels"`
	F      [][]float64 `json:"f"`
}

// predictionJobs: responses of a large mean in another unit, then two, three and one class, with
// equal scores.
func predictionJobs() []predictionJob {
	rng := newRand(8)
	var jobs []predictionJob
	for job, n := range []int{1, 7, 400} {
		var j predictionJob
		for range n {
			v := 100 + rng.NormFloat64()
			j.Y, j.F = append(j.Y, v), append(j.F, []float64{v + 0.3*float64(job)*rng.NormFloat64()})
		}
		jobs = append(jobs, j)
	}
	for _, classes := range []int{2, 3, 2} {
		var j predictionJob
		for i := range 50 * classes {
			row := make([]float64, max(1, classes*(classes-2)))
			for c := range row {
				row[c] = float64(rng.IntN(7)-3) / 2
			}
			j.Labels, j.F = append(j.Labels, 5*i%7%classes), append(j.F, row)
		}
		jobs = append(jobs, j)
	}
	clear(jobs[5].Labels)
	return jobs
}

// measured are the values of all measures of predictions.
func (j predictionJob) measured(t *testing.T, unit float64) Values {
	t.Helper()
	x := mat.NewDense(len(j.F), len(j.F[0]), nil)
	for i, row := range j.F {
		x.SetRow(i, row)
	}
	truth := Truth{HeldOut: x, HeldOutLabels: j.Labels, Unit: unit}
	if j.Y != nil {
		truth.Responses = mat.NewDense(len(j.Y), 1, nil)
		for i, v := range j.Y {
			truth.Responses.Set(i, 0, v/unit)
		}
		x.Scale(1/unit, x)
	}
	values, _, err := Evaluate(t.Context(), truth, predicting(len(j.F[0])), []int{0}, []string{"rmse", "mae", "nrmse", "r2", "class_error", "accuracy", "auc"})
	if err != nil {
		t.Fatal(err)
	}
	return values[0]
}

// sameValues holds values to the wanted ones within 1e-10 of 1 or of the wanted one: responses
// near 100 round to 1e-14 of themselves, which their small deviations keep 1e-12 of.
func sameValues(t *testing.T, what string, got, want Values) {
	t.Helper()
	for name, v := range want {
		if g, ok := got[name]; !ok || !(math.Abs(g-v) <= 1e-10*max(1, math.Abs(v))) {
			t.Errorf("%s: %s is %.15g, want %.15g", what, name, g, v)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestPredictionsByDefinition: each measure by a loop over points, or over pairs of them.
func TestPredictionsByDefinition(t *testing.T) {
	for i, j := range predictionJobs() {
		n := float64(len(j.F))
		var want Values
		switch {
		case j.Y != nil:
			mean, square, absolute, spread := 0.0, 0.0, 0.0, 0.0
			for _, v := range j.Y {
				mean += v / n
			}
			for i, v := range j.Y {
				square += (v - j.F[i][0]) * (v - j.F[i][0]) / n
				absolute += math.Abs(v-j.F[i][0]) / n
				spread += (v - mean) * (v - mean) / n
			}
			want = Values{"rmse": math.Sqrt(square), "mae": absolute}
			if n > 1 {
				want["nrmse"], want["r2"] = math.Sqrt(square/spread), 1-square/spread
			}
		default:
			right, pairs, above := 0.0, 0.0, 0.0
			for i, label := range j.Labels {
				best := 0
				for c, v := range j.F[i] {
					if v > j.F[i][best] {
						best = c
					}
				}
				if len(j.F[i]) == 1 && j.F[i][0] > 0 {
					best = 1
				}
				if best == label {
					right++
				}
				for other, v := range j.F {
					if label != 1 || j.Labels[other] != 0 || len(v) > 1 {
						continue
					}
					pairs++
					if v[0] < j.F[i][0] {
						above++
					} else if v[0] == j.F[i][0] {
						above += 0.5
					}
				}
			}
			want = Values{"class_error": 1 - right/n, "accuracy": right / n}
			if pairs > 0 {
				want["auc"] = above / pairs
			}
		}
		sameValues(t, fmt.Sprintf("job %d", i), j.measured(t, 1), want)
		sameValues(t, fmt.Sprintf("job %d in another unit", i), j.measured(t, 2.5), want)
	}
}

const predictionProgram = `
import json, sys
import numpy as np
from sklearn import metrics as m
out = []
for job in json.load(sys.stdin):
    f = np.array(job["f"])
    if job["y"]:
        y, f = np.array(job["y"]), f[:, 0]
        scores = dict(rmse=m.mean_squared_error(y, f) ** 0.5, mae=m.mean_absolute_error(y, f))
        if len(y) > 1:
            scores.update(r2=m.r2_score(y, f), nrmse=m.mean_squared_error(y, f) ** 0.5 / y.std())
    else:
        labels = np.array(job["labels"])
        predicted = f.argmax(axis=1) if f.shape[1] > 1 else (f[:, 0] > 0).astype(int)
        scores = dict(class_error=m.zero_one_loss(labels, predicted), accuracy=m.accuracy_score(labels, predicted))
        if len(set(labels)) == 2:
            scores["auc"] = m.roc_auc_score(labels, f[:, 0])
    out.append({name: float(v) for name, v in scores.items()})
json.dump(out, sys.stdout)
`

// TestPredictionsAgainstSklearn: the same numbers as scikit-learn's.
func TestPredictionsAgainstSklearn(t *testing.T) {
	var answers []Values
	python(t, "python3-sklearn", predictionProgram, predictionJobs(), &answers)
	for i, j := range predictionJobs() {
		sameValues(t, fmt.Sprintf("job %d", i), j.measured(t, 1), answers[i])
	}
}

// TestSeries: of a solver's iterates each measure has the value that it has of each alone, and its
// metric the last: at points with responses and classes, on atoms and in closed form. A size of the model
// is no series.
func TestSeries(t *testing.T) {
	power, rng := 2.0, newRand(5)
	decay, response := &kernel.Decay{Power: &power}, &data.ResponseOptions{Smoothness: 0.5, Noise: 0.3, Terms: 40}
	d, _, f, population := responding(t, &data.SeriesOptions{Decay: decay, Response: response})
	_, draw, onAtoms, _ := responding(t, &data.AtomsOptions{Atoms: 60, Decay: decay, Response: response})
	atoms, _ := draw.HeldOut()
	x, labels := points(30, 1, rng.Float64), make([]int, 30)
	for i := range labels {
		labels[i] = i % 2
	}
	const iterations = 4
	path := kernel.Expansion{Kernel: d.Kernel(), Points: points(7, 1, rng.Float64), Coef: points(7, iterations, rng.NormFloat64)}
	last := path
	last.Coef = mat.DenseCopyOf(path.Coef.Slice(0, 7, iterations-1, iterations))
	model := &methods.Regression{Functions: last, Iterates: path, Residuals: []float64{1, 0.5, 0.25, 0.125}, Converged: true}
	for kind, c := range map[string]struct {
		truth Truth
		names []string
	}{
		"closed form": {Truth{Population: population, Kernel: d.Kernel(), Response: f}, []string{"excess_risk"}},
		"atoms":       {Truth{HeldOut: atoms, Kernel: d.Kernel(), Response: onAtoms}, []string{"excess_risk"}},
		"responses":   {Truth{HeldOut: x, Responses: points(30, 1, rng.NormFloat64), Unit: 2}, []string{"rmse", "mae", "nrmse", "r2"}},
		"classes":     {Truth{HeldOut: x, HeldOutLabels: labels}, []string{"class_error", "accuracy", "auc"}},
	} {
		values, notes, err := Evaluate(t.Context(), c.truth, model, []int{0}, append([]string{"model_size", "pcg_residual"}, c.names...))
		if err != nil {
			t.Fatal(err)
		}
		want := map[string][]float64{"pcg_residual": model.Residuals}
		for i := range iterations {
			alone := path
			alone.Coef = mat.DenseCopyOf(path.Coef.Slice(0, 7, i, i+1))
			one, none, err := Evaluate(t.Context(), c.truth, &methods.Regression{Functions: alone}, []int{0}, c.names)
			if err != nil || len(none[0].Series) > 0 {
				t.Fatal(err, none)
			}
			for name, v := range one[0] {
				want[name] = append(want[name], v)
			}
		}
		// Products of one column and of four round differently.
		if diff := cmp.Diff(want, notes[0].Series, cmpopts.EquateApprox(1e-12, 0)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
		for name, series := range notes[0].Series {
			if values[0][name] != series[iterations-1] {
				t.Errorf("%s: %s is %v, the last of %v", kind, name, values[0][name], series)
			}
		}
		if values[0]["pcg_iterations"] != 3 || len(values[0]) != len(want)+2 {
			t.Errorf("%s: %v", kind, values[0])
		}
	}

	model.Converged = false // stopped: how many iterations it would take is not known
	values, _, err := Evaluate(t.Context(), Truth{Kernel: d.Kernel()}, model, []int{0}, []string{"pcg_residual"})
	if _, has := values[0]["pcg_iterations"]; err != nil || has || values[0]["pcg_residual"] != 0.125 {
		t.Errorf("a solver that has stopped: %v, error %v", values, err)
	}
}
