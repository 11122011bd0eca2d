package data

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/configs/source"
	"mercer/data/files"
	"mercer/internal/kernel"
)

// allDistances are the distances of all pairs of different points, sorted.
func allDistances(x *mat.Dense) []float64 {
	n, _ := x.Dims()
	var all []float64
	for i := range n {
		for j := range i {
			var difference mat.VecDense
			difference.SubVec(x.RowView(i), x.RowView(j))
			all = append(all, mat.Norm(&difference, 2))
		}
	}
	slices.Sort(all)
	return all
}

func TestDistancesAgreeWithBruteForce(t *testing.T) {
	for _, size := range []struct {
		n, d   int
		offset float64
	}{{2, 1, 0}, {3, 2, 0}, {60, 5, 0}, {60, 5, 1e6}, {1100, 2, -3}} {
		x := normalMatrix(newRand(31), size.n, size.d)
		x.Apply(func(_, _ int, v float64) float64 { return size.offset + v }, x)
		if size.n > 3 {
			copy(x.RawRowView(1), x.RawRowView(0))
		}
		p := &poolDistances{pool: files.DensePool{X: x}, streams: repeat(1), ctx: t.Context()}
		all := allDistances(x)
		sum := 0.0
		for _, v := range all {
			sum += v * v
		}
		name := fmt.Sprintf("%d points in R^%d about %v", size.n, size.d, size.offset)
		near(t, "RMS of "+name, must(p.RMS()), math.Sqrt(sum/float64(len(all))), 1e-9)
		for _, q := range []float64{0.01, 0.25, 0.5, 0.9, 0.999} {
			// The smallest distance that a share q of all pairs is within, give or
			// take one pair: the interpolated quantile lies between its neighbours.
			at := q * float64(len(all)-1)
			low, high := all[int(math.Floor(at))], all[int(math.Ceil(at))]
			got := must(p.Quantile(q))
			near(t, fmt.Sprintf("%v-quantile of %s", q, name), got, low+(at-math.Floor(at))*(high-low), 1e-12*(1+high))
		}
	}
}

// Of more than distanceSample points, quantiles are those of that many picked at
// random: N = 3000 on a line, uniform, so that P(|X−Y| <= t) = 2t − t². With
// 2000 points the share of pairs within t has a standard error of at most
// 1/√2000 ~ 0.022 (a U-statistic); 4 of them, and seeds are fixed.
func TestQuantilesOfManyPoints(t *testing.T) {
	x := mat.NewDense(3000, 1, nil)
	for i := range 3000 {
		x.Set(i, 0, (float64(i)+0.5)/3000)
	}
	p := &poolDistances{pool: files.DensePool{X: x}, streams: repeat(2), ctx: t.Context()}
	q := &poolDistances{pool: files.DensePool{X: x}, streams: repeat(2), ctx: t.Context()}
	for _, share := range []float64{0.1, 0.25, 0.5, 0.9} {
		got := must(p.Quantile(share))
		near(t, fmt.Sprintf("share within the %v-quantile", share), 2*got-got*got, share, 0.09)
		if again := must(q.Quantile(share)); again != got {
			t.Errorf("%v-quantile: %v and %v from the same stream", share, got, again)
		}
	}
	if len(p.sorted) != distanceSample*(distanceSample-1)/2 {
		t.Errorf("%d pairs of %d points", len(p.sorted), distanceSample)
	}
	near(t, "RMS", must(p.RMS()), math.Sqrt(1.0/6), 1e-4) // E (X−Y)² = 1/6, all pairs
}

func TestDistancesOfOnePoint(t *testing.T) {
	p := &poolDistances{pool: files.DensePool{X: mat.NewDense(1, 2, nil)}, streams: repeat(1), ctx: t.Context()}
	_, rms := p.RMS()
	_, quantile := p.Quantile(0.5)
	for _, err := range []error{rms, quantile} {
		if err == nil || !strings.Contains(err.Error(), "fewer than two points") {
			t.Errorf("error %v", err)
		}
	}
}

// Every rule in both forms, from the spec's words to the kernel's values.
func TestBandwidthRulesAgainstBruteForce(t *testing.T) {
	const n, d = 41, 3
	var text strings.Builder
	x := normalMatrix(newRand(32), n, d)
	for i := range n {
		fmt.Fprintf(&text, "%v,%v,%v\n", x.At(i, 0), x.At(i, 1), x.At(i, 2))
	}
	dataset := must(open("csv", "path: x.csv", written(t, "x.csv", text.String())))
	all := allDistances(x) // 820 pairs: the median is the mean of two
	sum := 0.0
	for _, v := range all {
		sum += v * v
	}
	rms, median := math.Sqrt(sum/820), (all[409]+all[410])/2
	quarter := all[204] + 0.75*(all[205]-all[204])
	for rule, sigma := range map[string]float64{
		"rms: 1": rms, "rms: 0.5": rms / 2, "median: 1": median, "median: 3": 3 * median, "quantile: 0.25": quarter,
	} {
		for form, exponent := range map[string]float64{"two-sigma-squared": 2 * sigma * sigma, "sigma-squared": sigma * sigma} {
			k := mustBuild(t, "gaussian", fmt.Sprintf("{bandwidth: {%s}, form: %s}", rule, form), dataset.Distances())
			for i := range 5 {
				d2 := 0.0
				for j := range d {
					d2 += math.Pow(x.At(i, j)-x.At(i+7, j), 2)
				}
				near(t, rule+", "+form, k.At(x.RawRowView(i), x.RawRowView(i+7)), math.Exp(-d2/exponent), 1e-13)
			}
		}
	}
	if least, err := dataset.Distances().Least(); err != nil || least != mat.Min(x) {
		t.Errorf("least coordinate %v, want %v: %v", least, mat.Min(x), err)
	}
	equal := must(open("csv", "path: x.csv", written(t, "x.csv", "1,2\n1,2\n1,2\n")))
	p := must(source.Params("kernel", "gaussian", "{bandwidth: {median: 1}, form: sigma-squared}"))
	options := kernel.Registry["gaussian"].New()
	if _, err := p.Bind(options, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := options.Build(equal.Distances()); err == nil || !strings.Contains(err.Error(), "all 3 points are equal, so their distances give no bandwidth: give sigma") {
		t.Errorf("bandwidth of equal points: %v", err)
	}
}

func mustBuild(t *testing.T, use, parameters string, d kernel.Distances) kernel.Kernel {
	t.Helper()
	options := kernel.Registry[use].New()
	p := must(source.Params("kernel", use, parameters))
	if _, err := p.Bind(options, nil); err != nil {
		t.Fatal(err)
	}
	return must(options.Build(d))
}
