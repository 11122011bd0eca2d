package sobol

import (
	_ "embed"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// MaxDim is the largest dimension of a sequence.
const MaxDim = 1111

// digits is how many binary digits a coordinate has: all that a number of [0,1)
// can have, but one that Fill uses to stay inside.
const digits = 52

//go:embed joe-kuo.txt
var joeKuo string

// Sequence is a Sobol' sequence.
type Sequence struct {
	directions [][digits]uint64 // direction numbers of each coordinate; bit digits−1 is ½
}

// New returns the sequence in dim coordinates. It panics unless 1 ≤ dim ≤ MaxDim.
func New(dim int) *Sequence {
	if dim < 1 || dim > MaxDim {
		panic(fmt.Sprintf("sobol: sequence in dimension %d: must lie between 1 and %d", dim, MaxDim))
	}
	s := &Sequence{directions: make([][digits]uint64, dim)}
	for i := range digits {
		s.directions[0][i] = 1 << (digits - 1 - i)
	}
	lines := strings.Split(joeKuo, "\n")[1:]
	for j := 1; j < dim; j++ {
		s.directions[j] = parse(lines[j-1]).directions()
	}
	return s
}

// generator is a line of the table: the polynomial x^s + a_1x^(s−1) + … +
// a_(s−1)x + 1, its inner coefficients the bits of inner, and m_1 … m_s.
type generator struct {
	degree  int
	inner   uint64
	initial []uint64
}

func parse(line string) generator {
	var numbers []uint64
	for _, field := range strings.Fields(line) {
		v, err := strconv.ParseUint(field, 10, 32)
		if err != nil {
			panic(fmt.Sprintf("sobol: table line %q: %v", line, err))
		}
		numbers = append(numbers, v)
	}
	return generator{degree: int(numbers[1]), inner: numbers[2], initial: numbers[3:]}
}

// directions are v_i = m_i/2^i, continued by v_i = a_1v_(i−1) ⊕ … ⊕
// a_(s−1)v_(i−s+1) ⊕ v_(i−s) ⊕ v_(i−s)/2^s.
func (g generator) directions() (v [digits]uint64) {
	s := g.degree
	for i := range v {
		if i < s {
			v[i] = g.initial[i] << (digits - 1 - i)
			continue
		}
		v[i] = v[i-s] ^ v[i-s]>>s
		for k := 1; k < s; k++ {
			if g.inner>>(s-1-k)&1 == 1 {
				v[i] ^= v[i-k]
			}
		}
	}
	return v
}

// Fill fills the rows of dst (n×dim) with the first n points under a random
// digital shift: one draw of rng a coordinate, whatever n is, so the first n' of
// n points are those of a fill of n'. Coordinates lie strictly between 0 and 1.
// It costs n·dim exclusive ors and panics where dst has another width.
func (s *Sequence) Fill(dst *mat.Dense, rng *rand.Rand) {
	n, dim := dst.Dims()
	if dim != len(s.directions) {
		panic(fmt.Sprintf("sobol: points in dimension %d from a sequence in dimension %d", dim, len(s.directions)))
	}
	at := make([]uint64, dim)
	for j := range at {
		at[j] = rng.Uint64() >> (64 - digits)
	}
	for i := range n {
		if i > 0 {
			change := bits.TrailingZeros(uint(i))
			for j := range at {
				at[j] ^= s.directions[j][change]
			}
		}
		row := dst.RawRowView(i)
		for j, v := range at {
			row[j] = (float64(v) + 0.5) / (1 << digits)
		}
	}
}
