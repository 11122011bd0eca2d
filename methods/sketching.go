package methods

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
)

// Words of the option sketch.
const (
	gaussianRows = "gaussian"
	srht         = "srht"
	sparseSigns  = "sparse-sign"
	countSketch  = "countsketch"
)

// fewSigns is how many nonzeros a row of a sparse-sign sketch has.
const fewSigns = 8

// Sketched is the part of options that says which random matrix S (n×m) a sketch draws;
// E[SSᵀ] = I of each.
//
//	gaussian     independent N(0, 1/m)
//	srht         ±1/√m: random signs of the rows times m columns of a Hadamard matrix
//	sparse-sign  8 entries ±1/√8 a row, one in each of 8 blocks of columns
//	countsketch  one entry ±1 a row
//
// Reference: Ailon & Chazelle 2009, Tropp 2011 (Improved analysis of the subsampled
// randomized Hadamard transform); Kane & Nelson 2014; Charikar, Chen & Farach-Colton
// 2002, Clarkson & Woodruff 2013.
type Sketched struct {
	Sketch string `yaml:"sketch" json:",omitzero" enum:"gaussian,srht,sparse-sign,countsketch" doc:"random matrix S of the sketch: gaussian (independent normal entries, default), srht (random signs times columns of a Hadamard matrix), sparse-sign (8 entries with random signs a point) or countsketch (one)"`
}

func (o Sketched) check() error {
	if o.Sketch == "" {
		return nil
	}
	return checkSketchWord(o.Sketch)
}

func checkSketchWord(word string) error {
	if !slices.Contains([]string{gaussianRows, srht, sparseSigns, countSketch}, word) {
		return fmt.Errorf("sketch %q: must be gaussian, srht, sparse-sign or countsketch", word)
	}
	return nil
}

// nonzeros are those of a row; 0 for a dense sketch.
func (o Sketched) nonzeros() int {
	return map[string]int{sparseSigns: fewSigns, countSketch: 1}[o.Sketch]
}

// noCounts is why a Hadamard transform takes no counts.
func (o Sketched) noCounts() string {
	if o.Sketch == srht {
		return hadamardNoCounts
	}
	return ""
}

const hadamardNoCounts = "a Hadamard transform mixes points by their order, and a sample of counts has none; take sketch: gaussian"

// draw is S, m columns. Of rows that stand for several points it is the sum over these.
func (o Sketched) draw(p Sample, rng *rand.Rand) *mat.Dense {
	n, m := p.n(), p.Sizes.M
	switch {
	case o.Sketch == srht:
		return hadamardColumns(n, m, rng)
	case o.nonzeros() > 0:
		return signs(p, min(o.nonzeros(), m), rng)
	}
	s := p.weights().normal(n, nil, m, rng)
	s.Scale(1/math.Sqrt(float64(m)), s)
	return s
}

// hadamardColumns is S = DHR/√m: the first n rows of m columns, drawn without
// replacement, of the Hadamard matrix H_ij = (−1)^popcount(i∧j) whose order is the least
// power of two from n on, with random signs D of the rows.
func hadamardColumns(n, m int, rng *rand.Rand) *mat.Dense {
	s, unit := mat.NewDense(n, m, nil), 1/math.Sqrt(float64(m))
	columns := rng.Perm(linalg.NextPowerOfTwo(n))[:m]
	for i := range n {
		row, sign := s.RawRowView(i), unit*float64(1-2*rng.IntN(2))
		for j, column := range columns {
			row[j] = sign * float64(1-2*(bits.OnesCount(uint(i&column))&1))
		}
	}
	return s
}
