package data

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
	"mercer/internal/kernel"
)

// save writes a matrix as a .npy file.
func save(t *testing.T, c Context, name string, x *mat.Dense) {
	t.Helper()
	file := must(os.Create(filepath.Join(c.Dir, name)))
	defer file.Close()
	n, d := x.Dims()
	if err := files.WriteNPY(file, n, d, x.RawRowView); err != nil {
		t.Fatal(err)
	}
}

// bothWays are points of the plane in three classes, and a kernel matrix of them.
func bothWays(t *testing.T, k kernel.Kernel, parameters string) (points, matrix Dataset) {
	t.Helper()
	c := table(t, 60)
	x := normalMatrix(newRand(7), 60, 2)
	labels := []byte{0, 0, 8, 1, 0, 0, 0, 60}
	for i := range 60 {
		labels = append(labels, byte(i%3))
	}
	if err := os.WriteFile(filepath.Join(c.Dir, "labels.idx"), labels, 0o644); err != nil {
		t.Fatal(err)
	}
	save(t, c, "x.npy", x)
	save(t, c, "K.npy", kernel.Cross(k, x, x))
	return must(open("npy", "{path: x.npy, labels: labels.idx, "+parameters+"}", c)), must(open("precomputed", "{path: K.npy, labels: labels.idx, "+parameters+"}", c))
}

// TestPrecomputedIsTheKernelOfItsPoints: samples, classes and the population under a kernel
// matrix are those of the points under their kernel, to rounding of the spectrum's solver.
func TestPrecomputedIsTheKernelOfItsPoints(t *testing.T) {
	k := kernel.NewGaussian(0.7)
	for _, parameters := range []string{"population: self", "population: {held_out: 20}", "sample: first, population: {held_out: 20}", "split: {test: 0.4}"} {
		points, matrix := bothWays(t, k, parameters)
		one, other := must(DrawOf(points, 1, repeat(1))), must(DrawOf(matrix, 1, repeat(1)))
		x, labels, err := one.Sample(15)
		if err != nil {
			t.Fatal(err)
		}
		i, own, err := other.Sample(15)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.EqualApprox(kernel.Gram(k, x), kernel.Gram(matrix.Kernel(), i), 1e-15) {
			t.Errorf("%s: kernel values of the sample differ", parameters)
		}
		for j := range labels {
			if labels[j] != own[j] {
				t.Errorf("%s: class %d of point %d, want %d", parameters, own[j], j, labels[j])
			}
		}
		if !mat.EqualApprox(kernel.Cross(k, x, x.Slice(3, 9, 0, 2).(*mat.Dense)), kernel.Cross(matrix.Kernel(), i, i.Slice(3, 9, 0, 1).(*mat.Dense)), 1e-15) {
			t.Errorf("%s: kernel values of a block differ", parameters)
		}
		p, q := must(one.Population(k, 5)), must(other.Population(matrix.Kernel(), 5))
		a, b := must(p.Eigenvalues(5)), must(q.Eigenvalues(5))
		for j := range a {
			if math.Abs(a[j]-b[j]) > 1e-13 {
				t.Errorf("%s: eigenvalue %d is %v, want %v", parameters, j, b[j], a[j])
			}
		}
		if a, b := must(p.Tail(1, 3)), must(q.Tail(1, 3)); math.Abs(a-b) > 1e-12 || p.Kappa() != q.Kappa() {
			t.Errorf("%s: floor %v and κ %v, want %v and %v", parameters, b, q.Kappa(), a, p.Kappa())
		}
	}
}

// TestOtherMatricesAreRefused: what cannot be a kernel matrix is refused with the entry, and
// rounding of single precision is not.
func TestOtherMatricesAreRefused(t *testing.T) {
	for _, test := range []struct {
		rows    int
		numbers []float64
		says    string // empty: accepted
	}{
		{2, []float64{2, 1, 1, 3}, ""},
		{2, []float64{1, 1 + 1e-7, 1, 1}, ""},
		{2, []float64{0, 0, 0, 1}, ""},
		{2, []float64{2, 1, 1, 3, 0, 0}, "2×3 numbers"},
		{2, []float64{2, 1, 0.9, 3}, "entry (0, 1) is 1, entry (1, 0) 0.9"},
		{2, []float64{1, 1.1, 1.1, 1}, "entry (0, 1) is 1.1"},
		{2, []float64{0, 1, 1, 0}, "np.exp"},
		{2, []float64{1, 0, 0, -1}, "entry (1, 1) is -1"},
		{2, []float64{1, math.NaN(), 0, 1}, "NaN"},
		{3, []float64{1, 0.9, 0.9, 0.9, 1, 0.6, 0.9, 0.6, 1}, "not positive semidefinite"}, // least eigenvalue -0.008
		{3, []float64{1, 1, 1, 1, 1, 1 - 1e-6, 1, 1 - 1e-6, 1}, ""},                        // -3e-7
	} {
		c := table(t, 3)
		save(t, c, "K.npy", mat.NewDense(test.rows, len(test.numbers)/test.rows, test.numbers))
		d, err := open("precomputed", "path: K.npy", c)
		if test.says == "" && err != nil || test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), "K.npy")) {
			t.Errorf("%v: %v, want %q", test.numbers, err, test.says)
		}
		if err == nil {
			if k := d.Kernel(); k.At([]float64{0}, []float64{1}) != k.At([]float64{1}, []float64{0}) {
				t.Errorf("%v: not symmetric", test.numbers)
			}
		}
	}
	// A Gaussian matrix in single precision, of eigenvalues down to 1e-17, passes. One of the distances
	// on a circle does not.
	for _, circle := range []bool{false, true} {
		c, k := table(t, 3), mat.NewDense(300, 300, nil)
		k.Apply(func(i, j int, _ float64) float64 {
			d := math.Abs(float64(i-j)) / 300
			if circle {
				d = min(d, 1-d)
			}
			return float64(float32(math.Exp(-8 * d * d)))
		}, k)
		save(t, c, "K.npy", k)
		if _, err := open("precomputed", "path: K.npy", c); (err != nil) != circle {
			t.Errorf("circle: %v, error %v", circle, err)
		}
	}
	c := table(t, 3)
	save(t, c, "K.npy", mat.NewDense(400, 400, nil))
	c.Memory = 1 << 20 // less than 8·400² bytes
	if _, err := open("precomputed", "path: K.npy", c); err == nil || !strings.Contains(err.Error(), "--memory") {
		t.Errorf("a matrix larger than the memory: %v", err)
	}
	for _, o := range []ArrayOptions{{Path: "K.npy", Scale: true}, {Path: "K.npy", TableOptions: TableOptions{Standardize: true}}} {
		if err := (&PrecomputedOptions{o}).Validate(); err == nil || !strings.Contains(err.Error(), "no coordinates") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
