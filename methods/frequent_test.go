package methods

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
)

// TestSketchGuarantee holds sketches to 0 ≤ AᵀA − BᵀB and ‖AᵀA − BᵀB‖ ≤
// ‖A − A_k‖²_F/(s−k) for every k < s, after every tenth row, on rows of falling
// spectra, of s equal directions in turn (where the bound is nearly reached), of rank below s and of zeros. ε·‖A‖² is left to rounding.
func TestSketchGuarantee(t *testing.T) {
	const n, p, s = 150, 24, 9
	rng := rand.New(rand.NewPCG(1, 2))
	spectrum := func(power float64) *mat.Dense {
		a := mat.NewDense(n, p, nil)
		a.Apply(func(_, j int, _ float64) float64 { return rng.NormFloat64() * math.Pow(float64(j+1), -power) }, a)
		return a
	}
	axes, few := mat.NewDense(n, p, nil), mat.NewDense(n, p, nil)
	for i := range n {
		axes.Set(i, i%s, 1)
		few.Set(i, i%4, float64(i))
	}
	nearest := 0.0 // error over bound
	for name, a := range map[string]*mat.Dense{
		"flat": spectrum(0), "falling": spectrum(1), "steep": spectrum(4), "axes": axes, "few": few, "zeros": mat.NewDense(n, p, nil),
	} {
		b := newSketch(s, p, n)
		for i := 0; i < n; i += 10 {
			if err := b.add(a.Slice(i, i+10, 0, p).(*mat.Dense)); err != nil {
				t.Fatal(err)
			}
			if b.filled > 2*s {
				t.Fatalf("%s: %d rows in a sketch of %d", name, b.filled, s)
			}
			seen := a.Slice(0, i+10, 0, p).(*mat.Dense)
			full, lost := linalg.Gram(blas.Trans, seen), linalg.Gram(blas.Trans, seen)
			linalg.SyrkUpper(blas.Trans, -1, b.rows(), lost)
			errors, _, err := linalg.EigenSym(lost)
			if err != nil {
				t.Fatal(err)
			}
			squares, _, err := linalg.EigenSym(full)
			if err != nil {
				t.Fatal(err)
			}
			rounding := 1e-13 * (squares[0] + 1)
			if errors[p-1] < -rounding {
				t.Fatalf("%s, %d rows: AᵀA − BᵀB has the eigenvalue %.3g", name, i+10, errors[p-1])
			}
			for k := range s {
				rest := 0.0
				for _, v := range squares[k:] {
					rest += max(v, 0)
				}
				bound := rest / float64(s-k)
				if errors[0] > bound+rounding {
					t.Fatalf("%s, %d rows: ‖AᵀA − BᵀB‖ = %.6g, the bound of k = %d is %.6g", name, i+10, errors[0], k, bound)
				}
				if bound > 1e-9 {
					nearest = max(nearest, errors[0]/bound)
				}
			}
		}
	}
	if nearest < 0.9 {
		t.Errorf("no case comes nearer to its bound than %.2g: the test would not see a wrong shrinkage", nearest)
	}
}

// TestSketchByDefinition follows a sketch with the singular value decomposition of
// its rows: where 2s are full and another comes, Vᵀ stays with √(σ_i² − σ_s²).
func TestSketchByDefinition(t *testing.T) {
	const n, p, s = 60, 10, 4
	rng := rand.New(rand.NewPCG(3, 4))
	b := newSketch(s, p, n)
	var rows [][]float64
	for i := range n {
		row := mat.NewDense(1, p, nil)
		row.Apply(func(_, j int, _ float64) float64 { return rng.NormFloat64() / float64(j+1) }, row)
		if len(rows) == 2*s {
			rows = shrinkBySVD(rows, s)
		}
		rows = append(rows, row.RawRowView(0))
		if err := b.add(row); err != nil {
			t.Fatal(err)
		}
		want := mat.NewDense(len(rows), p, nil)
		for k, r := range rows {
			want.SetRow(k, r)
		}
		var off, square mat.Dense
		off.Mul(want.T(), want)
		square.Mul(b.rows().T(), b.rows())
		off.Sub(&off, &square)
		if worst := mat.Norm(&off, 2); len(rows) != b.filled || worst > 1e-12 {
			t.Fatalf("after %d rows: %d rows, want %d; BᵀB is off by %.2g", i+1, b.filled, len(rows), worst)
		}
	}
}

func shrinkBySVD(rows [][]float64, s int) [][]float64 {
	a := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		a.SetRow(i, row)
	}
	var svd mat.SVD
	svd.Factorize(a, mat.SVDThin)
	var v mat.Dense
	svd.VTo(&v)
	sigma := svd.Values(nil)
	var shrunk [][]float64
	for i := range s - 1 {
		row := mat.Col(nil, i, &v)
		for j := range row {
			row[j] *= math.Sqrt(sigma[i]*sigma[i] - sigma[s-1]*sigma[s-1])
		}
		shrunk = append(shrunk, row)
	}
	return shrunk
}
