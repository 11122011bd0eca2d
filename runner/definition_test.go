package runner

import (
	"fmt"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
	"mercer/results"
)

// TestEveryValueFromItsDefinition runs a deterministic spec from the YAML to the
// records and computes every value again by another way: the population's N
// points become explicit vectors of R^N whose inner products are the kernel, all
// operators plain N×N matrices, all errors sums over points as the papers define
// them. Both ways lose about N·ε in each of a few dozen operations on numbers of
// order 1, and the square roots of eigenspace_l2 halve the digits of a difference
// near 1e−3: 1e−9 relative leaves a margin of 100.
func TestEveryValueFromItsDefinition(t *testing.T) {
	text, err := os.ReadFile("testdata/definition.yaml")
	if err != nil {
		t.Fatal(err)
	}
	run, _ := runIn(t, t.TempDir(), planOf(t, string(text), ""), Options{Workers: 2})
	if want := 3 * 3 * (3*2 + 3); len(run.Rows) != want { // ekpca has no m; m = n/2 at n = 30 is m = 15
		t.Fatalf("%d records, want %d", len(run.Rows), want)
	}
	populations := map[string]*explicit{}
	for id, k := range map[string]func(d2, d1 float64) float64{
		"wide":    func(d2, _ float64) float64 { return math.Exp(-d2 / (2 * 1.2 * 1.2)) },
		"narrow":  func(d2, _ float64) float64 { return math.Exp(-d2 / (0.9 * 0.9)) },
		"laplace": func(_, d1 float64) float64 { return math.Exp(-d1 / 2) },
	} {
		populations[id] = newExplicit(t, k)
	}
	for _, record := range run.Rows {
		if record.Status != results.OK {
			t.Fatalf("%s: %s", record.At, record.Reason)
		}
		for name, want := range populations[record.Kernel()].estimate(record) {
			got, ok := record.Metrics[name]
			if !ok {
				t.Fatalf("%s: no %s", record.Method(), name)
			}
			if !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
				t.Errorf("%s: %s = %.15g, by definition %.15g", record.At, name, got, want)
			}
		}
	}
}

// explicit is the population as vectors: row i of points is the image of point
// i in R^N.
type explicit struct {
	points *mat.Dense
	mean   *mat.VecDense
	sigma  *mat.SymDense
	values []float64
	basis  *mat.Dense // eigenvectors of sigma, by falling eigenvalue
}

func newExplicit(t *testing.T, k func(d2, d1 float64) float64) *explicit {
	table, err := files.Opener{}.LoadCSV("testdata/points.csv", files.CSVOptions{Header: "true", Label: "none"})
	if err != nil {
		t.Fatal(err)
	}
	x := table.Dense()
	n, _ := x.Dims()
	gram := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range n {
			dx, dy := x.At(i, 0)-x.At(j, 0), x.At(i, 1)-x.At(j, 1)
			gram.SetSym(i, j, k(dx*dx+dy*dy, math.Abs(dx)+math.Abs(dy)))
		}
	}
	values, vectors := eigen(gram)
	points := mat.NewDense(n, n, nil)
	points.Apply(func(i, j int, _ float64) float64 { return vectors.At(i, j) * math.Sqrt(math.Max(values[j], 0)) }, points)
	e := &explicit{points: points, mean: meanOf(points)}
	e.sigma = covariance(points, e.mean, float64(n))
	e.values, e.basis = eigen(e.sigma)
	return e
}

// estimate is every measure of a record, from the definitions.
func (e *explicit) estimate(r results.Row) map[string]float64 {
	_, dim := e.points.Dims()
	sample := e.points.Slice(0, at(r, "n"), 0, dim).(*mat.Dense)
	mean, divisor := meanOf(sample), float64(at(r, "n")-1)
	switch r.Method() {
	case "ekpca-v":
		divisor = float64(at(r, "n"))
	case "ekpca-none":
		mean, divisor = mat.NewVecDense(dim, nil), float64(at(r, "n"))
	}
	estimated := covariance(sample, mean, divisor)
	// The estimator is PCA of the estimated covariance within the span of the
	// landmarks: of Q Σ̂ Q, Q the projection onto that span.
	if r.Method() == "nystrom" {
		estimated = compress(estimated, mat.DenseCopyOf(e.points.Slice(0, at(r, "m"), 0, dim)))
	}
	values, vectors := eigen(estimated)
	v := mat.DenseCopyOf(vectors.Slice(0, dim, 0, at(r, "ell")))
	measures := e.errors(v, mean)
	for i := range at(r, "ell") {
		measures[fmt.Sprintf("eigenvalue_%d", i+1)] = values[i]
	}
	return measures
}

// errors of the projection onto the columns of v with centre m̂.
func (e *explicit) errors(v *mat.Dense, centre *mat.VecDense) map[string]float64 {
	n, dim := e.points.Dims()
	_, ell := v.Dims()
	var projection mat.Dense
	projection.Mul(v, v.T())
	measures := map[string]float64{}
	// R: mean over points of ‖(φ(x) − m_P) − P(φ(x) − m̂)‖².
	// T: mean over pairs x, y of ⟨residual of x, φ(y) − m_P⟩²: the residual as a
	// function, in L²(P) less its mean.
	residual := mat.NewDense(n, dim, nil)
	for i := range n {
		var fromCentre, projected mat.VecDense
		fromCentre.SubVec(e.points.RowView(i), centre)
		projected.MulVec(&projection, &fromCentre)
		for j := range dim {
			residual.Set(i, j, e.points.At(i, j)-e.mean.AtVec(j)-projected.AtVec(j))
		}
	}
	measures["recon_h"] = math.Pow(mat.Norm(residual, 2), 2) / float64(n)
	centred := mat.NewDense(n, dim, nil)
	centred.Apply(func(i, j int, v float64) float64 { return v - e.mean.AtVec(j) }, e.points)
	var functions mat.Dense
	functions.Mul(residual, centred.T())
	measures["recon_l2"] = math.Pow(mat.Norm(&functions, 2), 2) / float64(n*n)
	for i := ell; i < dim; i++ {
		measures["recon_h_floor"] += e.values[i]
		measures["recon_l2_floor"] += e.values[i] * e.values[i]
	}
	// Functions on the points, of unit weight 1/N each: Iφ̂_i and Iφ_i.
	var estimated, exact mat.Dense
	estimated.Mul(centred, v)
	exact.Mul(centred, e.basis.Slice(0, dim, 0, ell))
	estimated.Scale(1/math.Sqrt(float64(n)), &estimated)
	exact.Scale(1/math.Sqrt(float64(n)), &exact)
	var outer, other mat.Dense
	outer.Mul(&estimated, estimated.T())
	other.Mul(&exact, exact.T())
	outer.Sub(&outer, &other)
	measures["eigenspace_l2"] = mat.Norm(&outer, 2)
	for i := range ell {
		var plus, minus mat.VecDense
		plus.AddVec(estimated.ColView(i), exact.ColView(i))
		minus.SubVec(estimated.ColView(i), exact.ColView(i))
		measures["eigenfunction_l2"] += math.Min(mat.Norm(&plus, 2), mat.Norm(&minus, 2))
	}
	return measures
}

// compress is Q A Q for the projection Q onto the span of the rows of b.
func compress(a *mat.SymDense, b *mat.Dense) *mat.SymDense {
	_, dim := b.Dims()
	var svd mat.SVD
	svd.Factorize(b, mat.SVDThin)
	var right, q, half, full mat.Dense
	svd.VTo(&right)
	rank := 0
	for _, s := range svd.Values(nil) {
		if s > 1e-12 {
			rank++
		}
	}
	basis := right.Slice(0, dim, 0, rank)
	q.Mul(basis, basis.T())
	half.Mul(&q, a)
	full.Mul(&half, &q)
	return symmetrised(&full)
}

func covariance(points *mat.Dense, mean *mat.VecDense, divisor float64) *mat.SymDense {
	n, dim := points.Dims()
	centred := mat.NewDense(n, dim, nil)
	centred.Apply(func(_, j int, v float64) float64 { return v - mean.AtVec(j) }, points)
	var full mat.Dense
	full.Mul(centred.T(), centred)
	full.Scale(1/divisor, &full)
	return symmetrised(&full)
}

func symmetrised(a *mat.Dense) *mat.SymDense {
	n, _ := a.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, (a.At(i, j)+a.At(j, i))/2)
		}
	}
	return s
}

func meanOf(points *mat.Dense) *mat.VecDense {
	n, dim := points.Dims()
	mean := mat.NewVecDense(dim, nil)
	for i := range n {
		mean.AddScaledVec(mean, 1/float64(n), points.RowView(i))
	}
	return mean
}

// eigen is gonum's dense decomposition, by falling eigenvalue.
func eigen(a *mat.SymDense) ([]float64, *mat.Dense) {
	n := a.SymmetricDim()
	var e mat.EigenSym
	if !e.Factorize(a, true) {
		panic("no eigendecomposition")
	}
	rising := e.Values(nil)
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	values, sorted := make([]float64, n), mat.NewDense(n, n, nil)
	for i := range n {
		values[i] = rising[n-1-i]
		for j := range n {
			sorted.Set(j, i, vectors.At(j, n-1-i))
		}
	}
	return values, sorted
}
