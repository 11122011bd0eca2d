package methods

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods/landmark"
)

// subsample names the points that an embedding is built on: m of the n sample
// points by a rule of landmarks, or "all". Where a cell has no m it is all too.
type subsample string

const wholeSample = "all"

func checkSubsample(name string) (subsample, error) {
	if name == wholeSample {
		return wholeSample, nil
	}
	if name != "uniform" && name != "first" {
		return "", fmt.Errorf("subsample %q: must be uniform (without replacement), first (the first m points) or all (the n points)", name)
	}
	return subsample(name), nil
}

// traits adds that the fit holds the subsample's kernel matrix, and makes the method on the
// whole sample one that has no m, and may share the sample's Gram matrix.
func (s subsample) traits(t Traits) Traits {
	t.Holds = func(_ Model, sizes Sizes) int { return s.size(sizes) * s.size(sizes) }
	if s == wholeSample {
		t.Gram = true
		t.Uses = slices.DeleteFunc(slices.Clone(t.Uses), func(use string) bool { return use == "m" })
		return t
	}
	t.Streams = func(sizes Sizes) bool { return sizes.M > 0 }
	t.NoCounts = noCounts(landmark.By(string(s)))
	return t
}

// cost is that of an embedding by d functions of the subsample: its kernel matrix,
// which the whole sample shares with others, its points, and the images of the sample.
func (s subsample) cost(sizes Sizes, dim float64) cost.Cost {
	n, m, d := float64(sizes.N), float64(s.size(sizes)), float64(sizes.D)
	matrix := cost.Symmetric(m)
	if s == wholeSample {
		matrix = cost.Cost{}
	}
	images := cost.Cost{Flops: 2 * n * m * d}
	return cost.Values((m+n)*m, dim).Plus(matrix).Plus(cost.Numbers(3 * m * dim)).Plus(images)
}

// size is the number of points.
func (s subsample) size(sizes Sizes) int {
	if s == wholeSample || sizes.M == 0 {
		return sizes.N
	}
	return sizes.M
}

func (s subsample) check(sizes Sizes) error {
	if m := s.size(sizes); m > sizes.N {
		return fmt.Errorf("a subsample of m = %d out of n = %d points", m, sizes.N)
	}
	return nil
}

// points picks the subsample: m×D points, or fewer that stand for several.
func (s subsample) points(ctx context.Context, p Sample, rng *rand.Rand) (landmark.Set, error) {
	if s == wholeSample || p.Sizes.M == 0 {
		if p.X == nil {
			return landmark.Set{}, errors.New("the subsample is the whole sample, which is not in memory; give m")
		}
		return landmark.Set{Points: p.X, Times: p.Counts}, ctx.Err()
	}
	return p.pick(ctx, rng, landmark.By(string(s)))
}

// matrix is the kernel matrix of the subsample's points, not to be written to.
func (s subsample) matrix(p Sample, points *mat.Dense) *mat.SymDense {
	defer p.phase("gram")()
	if s == wholeSample {
		return p.matrix()
	}
	return kernel.Gram(p.Kernel, points)
}

// rowMeans are those of a symmetric matrix, of points that stand for so many; nil for
// one each.
func rowMeans(a *mat.SymDense, times []float64) []float64 {
	n := a.SymmetricDim()
	times = weights(times).of(n)
	mean := mat.NewVecDense(n, nil)
	mean.MulVec(a, mat.NewVecDense(n, times))
	mean.ScaleVec(1/floats.Sum(times), mean)
	return mean.RawVector().Data
}

// meansOf are the means over a subsample of the functions with these
// coefficients: Coefᵀ K1/m.
func meansOf(coef *mat.Dense, gram *mat.SymDense, times []float64) []float64 {
	_, d := coef.Dims()
	means := mat.NewVecDense(d, nil)
	means.MulVec(coef.T(), mat.NewVecDense(gram.SymmetricDim(), rowMeans(gram, times)))
	return means.RawVector().Data
}

// centredIsRounding says that nothing is left of a kernel matrix once it is
// centred: every point looks the same.
func centredIsRounding(gram *mat.SymDense, times []float64) bool {
	m, means := gram.SymmetricDim(), rowMeans(gram, times)
	grand, largest := stat.Mean(means, times), 0.0
	for i, mean := range means {
		largest = max(largest, gram.At(i, i)-2*mean+grand)
	}
	return largest <= float64(m)*epsilon*centredRoundings*linalg.LargestDiagonal(gram)
}

// checkFinite fails where an embedding's coefficients are not numbers.
func checkFinite(coef *mat.Dense) error {
	rows, _ := coef.Dims()
	for i := range rows {
		for _, v := range coef.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("the embedding has a coefficient %v: the kernel matrix of the subsample holds NaN or Inf, or its products overflow", v)
			}
		}
	}
	return nil
}
