package kernel

import (
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// gridDecay is a finite series whose points are mostly midpoints (j+1/2)/K of a grid:
// the sums of cosines are looked up at the multiples of 1/K that their differences
// and sums are.
type gridDecay struct {
	finiteDecay
	atoms int // K

	mu     sync.Mutex
	tables map[int][]float64 // by power: Σ λ_i^r cos(πis/K) for s = 0 … 2K

	waves func() []float64 // √2 cos(πs/(2K)) for s = 0 … 4K−1, once
}

// NewGridSeries is NewFiniteSeries for points on the grid (j+1/2)/K, j = 0 … K−1,
// where its K−1 first eigenfunctions are orthonormal under the uniform law, with mean
// 0: a kernel value there is two look-ups. Other points cost what they do without a
// grid.
func NewGridSeries(lambda []float64, atoms int) (*Series, error) {
	if len(lambda) >= atoms {
		return nil, fmt.Errorf("series kernel: %d eigenvalues on %d atoms: at most %d functions of mean 0 are orthonormal there", len(lambda), atoms, atoms-1)
	}
	s, err := NewFiniteSeries(lambda)
	if err != nil {
		return nil, err
	}
	s.decay = &gridDecay{
		finiteDecay: s.decay.(finiteDecay), atoms: atoms, tables: map[int][]float64{},
		waves: sync.OnceValue(func() []float64 { return wavesOf(atoms) }),
	}
	return s, nil
}

func (g *gridDecay) String() string {
	return fmt.Sprintf("%s, tabulated at %d atoms", g.finiteDecay, g.atoms)
}

// table is that of a power, computed once: 2K·terms flops.
func (g *gridDecay) table(r int) []float64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.tables[r] != nil {
		return g.tables[r]
	}
	cosines := make([]float64, 2*g.atoms)
	for s := range cosines {
		cosines[s] = math.Cos(math.Pi * float64(s) / float64(g.atoms))
	}
	table := make([]float64, 2*g.atoms+1)
	for i := len(g.finiteDecay); i >= 1; i-- {
		lambda := math.Pow(g.at(i), float64(r))
		for s := range g.atoms + 1 {
			table[s] += lambda * cosines[i*s%(2*g.atoms)]
		}
	}
	for s := range g.atoms {
		table[2*g.atoms-s] = table[s]
	}
	g.tables[r] = table
	return table
}

// wavesOf are √2 cos(πs/(2K)), s = 0 … 4K−1, by those of the first quarter.
func wavesOf(atoms int) []float64 {
	waves := make([]float64, 4*atoms)
	for s := range atoms {
		waves[s] = math.Sqrt2 * math.Cos(math.Pi*float64(s)/float64(2*atoms))
		waves[2*atoms-s] = -waves[s]
	}
	for s := range 2 * atoms {
		waves[(4*atoms-s)%(4*atoms)] = waves[s]
	}
	return waves
}

// eigenfunctions fills values with e_1, e_2, … at x where that is a midpoint, and says
// whether it has: e_i((j+1/2)/K) is the wave at s = i(2j+1).
func (g *gridDecay) eigenfunctions(values []float64, x float64) bool {
	j, on := g.midpoint(x)
	if !on {
		return false
	}
	waves, s := g.waves(), 0
	for i := range values {
		if s += 2*j + 1; s >= len(waves) {
			s -= len(waves)
		}
		values[i] = waves[s]
	}
	return true
}

// onGrid is how far from a multiple of 1/K, in such multiples, rounding may leave a
// difference of points.
const onGrid = 1e-9

// holds says whether all points (n×1) are midpoints of the grid.
func (g *gridDecay) holds(x *mat.Dense) bool {
	for i := range x.RawMatrix().Rows {
		if v := x.At(i, 0)*float64(g.atoms) + 0.5; math.Abs(v-math.Round(v)) > onGrid {
			return false
		}
	}
	return true
}

// midpoint is j of x = (j+1/2)/K; false for other points, and those outside [0,1].
func (g *gridDecay) midpoint(x float64) (j int, on bool) {
	v := x*float64(g.atoms) - 0.5
	j = int(math.Round(v))
	return j, math.Abs(v-float64(j)) <= onGrid && j >= 0 && j < g.atoms
}

// lookUp fills values, where x is a midpoint and all points y (n×1) are, with the kernel
// of x and of y from some point on, to a power: what Series.fill gives, bit for bit. It
// says whether it has.
func (g *gridDecay) lookUp(power int, y *mat.Dense) func(values []float64, x float64, from int) bool {
	table, at := g.table(power), make([]int, y.RawMatrix().Rows)
	for row := range at {
		var on bool
		if at[row], on = g.midpoint(y.At(row, 0)); !on {
			return func([]float64, float64, int) bool { return false }
		}
	}
	return func(values []float64, x float64, from int) bool {
		i, on := g.midpoint(x)
		if !on {
			return false
		}
		for c, j := range at[from:] {
			less := i - j
			if less < 0 {
				less = -less
			}
			values[c] = table[less] + table[i+j+1]
		}
		return true
	}
}

func (g *gridDecay) cosines(r int, t []float64) {
	table, atoms := g.table(r), float64(g.atoms)
	for i, v := range t {
		s := math.Floor(v*atoms + 0.5)
		if math.Abs(v*atoms-s) > onGrid {
			g.finiteDecay.cosines(r, t[i:i+1])
			continue
		}
		t[i] = table[int(s)]
	}
}
