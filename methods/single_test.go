package methods_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods"
	"mercer/methods/landmark"
)

// TestPrecisionOfNystrom compares the embedding in single precision with that in double
// from the same stream: images, the eigenvalues of their second moment, and the cost of
// k-means of them. Kernel values of these points are off by up to 2e-6 of themselves, and
// the least eigenvalue of the landmarks' kernel matrix, 0.1, amplifies that by 3; rounding
// errors add up like random signs. Eigenvalues and costs are of twice the order of images.
func TestPrecisionOfNystrom(t *testing.T) {
	const n, m, dim, k = 700, 60, 20, 3
	x := uniformPoints(7, n, dim)
	for i := range n {
		x.Set(i, 0, float64(2*(i%k)))
	}
	p := methods.Sample{X: x, Kernel: kernel.NewGaussian(1.0 / 4), Sizes: methods.Sizes{N: n, M: m, D: 12, K: k}}
	for _, rank := range []string{"d", "full"} {
		var images [2]*mat.Dense
		var values [2][]float64
		var costs [2]float64
		for at, precision := range []string{"float64", "float32"} {
			o := methods.NystromEmbeddingOptions{Landmarks: landmark.By("uniform"), Rank: rank, Precision: precision}
			images[at] = embedding(t, &o, p, 1).Eval(x)
			moment := mat.NewSymDense(images[at].RawMatrix().Cols, nil)
			linalg.SyrkUpper(blas.Trans, 1, images[at], moment)
			all, _, err := linalg.EigenSym(moment)
			if err != nil {
				t.Fatal(err)
			}
			values[at] = all[:5]
			settled := methods.DefaultKMeans()
			settled.Tol = 0
			o.KMeans = &settled
			model, err := method(t, &o).Fit(t.Context(), p, newRand(1))
			if err != nil {
				t.Fatal(err)
			}
			_, squared, err := model.(*methods.Clustering).Assign(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			costs[at] = floats.Sum(squared)
		}
		var off mat.Dense
		off.Sub(images[0], images[1])
		share := mat.Norm(&off, 2) / mat.Norm(images[0], 2)
		if share == 0 || share > 6e-6 {
			t.Errorf("rank %s: images are off by %.1e of themselves", rank, share)
		}
		for i, v := range values[0] {
			if math.Abs(values[1][i]-v) > 1.2e-5*v {
				t.Errorf("rank %s: eigenvalue %d is %v, in double %v", rank, i, values[1][i], v)
			}
		}
		if math.Abs(costs[1]-costs[0]) > 1.2e-5*costs[0] {
			t.Errorf("rank %s: cost %v, in double %v", rank, costs[1], costs[0])
		}
	}
}

// TestSinglePrecisionDropsRounding: directions that single precision cannot resolve are
// dropped with a warning, and kernel values of images are off by little all the same: by
// the largest pivot dropped, 2^-24·m, and 2^-12 of rounding.
func TestSinglePrecisionDropsRounding(t *testing.T) {
	const n, m = 300, 100
	x := uniformPoints(3, n, 9)
	x.Scale(0.1, x)
	own := kernel.NewGaussian(1)
	p := methods.Sample{X: x, Kernel: own, Sizes: methods.Sizes{N: n, M: m, D: m}}
	for _, rank := range []string{"d", "full"} {
		e := embedding(t, &methods.NystromEmbeddingOptions{Landmarks: landmark.By("first"), Rank: rank, Precision: "float32"}, p, 1)
		if e.Dim() >= m || len(e.Warnings) == 0 {
			t.Errorf("rank %s: %d dimensions, warnings %v", rank, e.Dim(), e.Warnings)
		}
		z := e.Eval(x)
		for i := range m {
			for j := range i {
				if got, want := floats.Dot(z.RawRowView(i), z.RawRowView(j)), own.At(x.RawRowView(i), x.RawRowView(j)); math.Abs(got-want) > m*0x1p-24+0x1p-12 {
					t.Fatalf("rank %s: kernel value (%d, %d) is %v, want %v", rank, i, j, got, want)
				}
			}
		}
	}
}
