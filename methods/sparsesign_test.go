package methods_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"mercer/internal/counts"
	"mercer/methods"
)

// Each point has q entries ±1/√q, one in each of q blocks, and every column of a block
// is as likely as the others: within 5 standard deviations in 2000·q draws for 13
// columns and both signs (one false alarm in 60,000 seeds).
func TestSignsOfPoints(t *testing.T) {
	const n, m = 2000, 13
	for _, q := range []int{1, 4, m} {
		s := methods.SparseSigns(n, m, q, newRand(1))
		for b := range q {
			from, to := b*m/q, (b+1)*m/q
			hits := map[[2]int]float64{}
			for i := range n {
				seen := 0
				for j := from; j < to; j++ {
					if v := s.At(i, j); v != 0 {
						seen++
						hits[[2]int{j, int(math.Copysign(1, v))}]++
						if math.Abs(math.Abs(v)-1/math.Sqrt(float64(q))) > 1e-15 {
							t.Fatalf("q = %d: an entry is %v", q, v)
						}
					}
				}
				if seen != 1 {
					t.Fatalf("q = %d: row %d has %d entries in columns %d to %d", q, i, seen, from, to-1)
				}
			}
			p := 1 / float64(2*(to-from))
			for j := from; j < to; j++ {
				for _, sign := range []int{1, -1} {
					if z := (hits[[2]int{j, sign}] - n*p) / math.Sqrt(n*p*(1-p)); math.Abs(z) > 5 {
						t.Errorf("q = %d: column %d has the sign %d %v times of %d", q, j, sign, hits[[2]int{j, sign}], n)
					}
				}
			}
		}
	}
}

// The sum over the points of an atom is drawn at once where there are many: its second
// and fourth moments are those of c points, whose entry in one of w columns is ±1/√q
// with probability 1/w: c/(qw) and (c/w + 3c(c−1)/w²)/q². 4000 draws, 5 standard
// deviations of their means: a false alarm in 10⁵ seeds.
func TestSignsOfCounts(t *testing.T) {
	const draws, q, w = 4000, 2, 3
	for _, c := range []float64{2, 50, counts.Singly + 1} {
		var squares, fourths []float64
		rng := newRand(2)
		for range draws {
			row := make([]float64, q*w)
			methods.AddSumOfSigns(row, q, c, rng)
			v := row[q*w-1] / math.Sqrt(q)
			squares, fourths = append(squares, v*v), append(fourths, v*v*v*v)
		}
		for name, of := range map[string]struct {
			seen []float64
			want float64
		}{
			"second": {squares, c / q / w}, "fourth": {fourths, (c/w + 3*c*(c-1)/w/w) / q / q},
		} {
			mean, spread := meanAndSpread(of.seen)
			if !(math.Abs(mean-of.want) <= 5*spread) || !(spread < 0.1*of.want) {
				t.Errorf("c = %v: the %s moment is %.4g ± %.2g, want %.4g", c, name, mean, spread, of.want)
			}
		}
	}
}

// meanAndSpread is the mean and its standard error.
func meanAndSpread(values []float64) (mean, spread float64) {
	n := float64(len(values))
	mean = floats.Sum(values) / n
	for _, v := range values {
		spread += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(spread / n / (n - 1))
}

// The same components by the definition, from the same draw of S. 1e-9, as of other
// sketches.
func TestSparseSignIsTheRootOfTheSketchedGram(t *testing.T) {
	eachOfSome(t, func(t *testing.T, p methods.Sample, dim int, center string) {
		for _, q := range []int{1, 8} {
			s := methods.SparseSigns(p.Sizes.N, p.Sizes.M, min(q, p.Sizes.M), newRand(3))
			got := fit(t, &methods.SparseSignOptions{Nonzeros: q, Center: center}, p, 3)
			sameComponents(t, got, sketchByRoot(p, s, center), dim, 1e-9)
		}
	})
}
