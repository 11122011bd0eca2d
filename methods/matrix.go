package methods

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// epsilon is the distance from 1 to the next float64.
const epsilon = 0x1p-52

// leading is a copy of the first count columns.
func leading(a *mat.Dense, count int) *mat.Dense {
	n, _ := a.Dims()
	return mat.DenseCopyOf(a.Slice(0, n, 0, count))
}

// leadingRows is the view of the first count rows.
func leadingRows(a *mat.Dense, count int) *mat.Dense {
	_, c := a.Dims()
	return a.Slice(0, count, 0, c).(*mat.Dense)
}

// product is a·b.
func product(a, b *mat.Dense) *mat.Dense {
	n, _ := a.Dims()
	_, c := b.Dims()
	p := mat.NewDense(n, c, nil)
	linalg.Gemm(blas.NoTrans, blas.NoTrans, 1, a.RawMatrix(), b.RawMatrix(), 0, p.RawMatrix())
	return p
}

// largestValue is the largest k(x_i, x_i): no kernel value on these points is
// larger.
func largestValue(k kernel.Kernel, x *mat.Dense) float64 {
	n, _ := x.Dims()
	largest := k.At(x.RawRowView(0), x.RawRowView(0))
	for i := 1; i < n; i++ {
		largest = max(largest, k.At(x.RawRowView(i), x.RawRowView(i)))
	}
	return largest
}

func columnMeans(a *mat.Dense) []float64 {
	n, c := a.Dims()
	mean := make([]float64, c)
	for i := range n {
		floats.Add(mean, a.RawRowView(i))
	}
	floats.Scale(1/float64(n), mean)
	return mean
}

// weightedMeans are the means of the columns where row j stands for counts[j] points;
// nil for one each.
func weightedMeans(a *mat.Dense, counts []float64) []float64 {
	if counts == nil {
		return columnMeans(a)
	}
	_, c := a.Dims()
	mean := make([]float64, c)
	for i, count := range counts {
		floats.AddScaled(mean, count, a.RawRowView(i))
	}
	floats.Scale(1/floats.Sum(counts), mean)
	return mean
}

// scaleRows multiplies row i by factors[i]; without factors by 1.
func scaleRows(a *mat.Dense, factors []float64) {
	for i, factor := range factors {
		floats.Scale(factor, a.RawRowView(i))
	}
}

// weighed is a copy of a kernel matrix as linalg.WeighSym makes it, centred before by
// linalg.CentreSymBy where it is to be.
func weighed(gram *mat.SymDense, times []float64, centred bool) *mat.SymDense {
	own := mat.NewSymDense(len(times), nil)
	own.CopySym(gram)
	if centred {
		linalg.CentreSymBy(own, times)
	}
	linalg.WeighSym(own, times)
	return own
}

// leadingPairs are so many eigenpairs of the kernel matrix of X, weighed by counts and
// centred where it is to be. Where fits of the sample share them they are not to be
// written to.
func (p Problem) leadingPairs(gram *mat.SymDense, centred bool, asked int) (linalg.TopResult, error) {
	find := func() (linalg.TopResult, error) {
		operator := linalg.Symmetric(gram)
		switch {
		case p.Counts != nil:
			operator = linalg.Symmetric(weighed(gram, p.Counts, centred))
		case centred:
			operator = linalg.Centred(operator)
		}
		return linalg.Top(operator, asked, linalg.DefaultTopOptions(asked))
	}
	if p.Pairs == nil {
		return find()
	}
	return p.Pairs(centred, asked, find)
}

// takeOffRoots subtracts from each column its part along the roots of counts: of
// functions on points, weighed by roots, the constant part.
func takeOffRoots(a *mat.Dense, roots []float64) {
	_, c := a.Dims()
	part, n := make([]float64, c), floats.Dot(roots, roots)
	for i, root := range roots {
		floats.AddScaled(part, root/n, a.RawRowView(i))
	}
	for i, root := range roots {
		floats.AddScaled(a.RawRowView(i), -root, part)
	}
}

// centreColumns subtracts from each column its mean.
func centreColumns(a *mat.Dense) {
	n, _ := a.Dims()
	mean := columnMeans(a)
	for i := range n {
		floats.Sub(a.RawRowView(i), mean)
	}
}

// centreRows subtracts from each row its mean.
func centreRows(a *mat.Dense) {
	n, c := a.Dims()
	for i := range n {
		row := a.RawRowView(i)
		floats.AddConst(-floats.Sum(row)/float64(c), row)
	}
}

func scaleColumns(a *mat.Dense, factor func(i int) float64) {
	n, c := a.Dims()
	for i := range c {
		f := factor(i)
		for j := range n {
			a.Set(j, i, f*a.At(j, i))
		}
	}
}
