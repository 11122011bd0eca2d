package lloyd

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// A subspace holds the coordinates of all points in the few directions in which
// they vary most. Within it distances to any centre are known at the price of a
// product of few columns; of what lies outside, points and centres, only
// lengths are known, which bound the rest. Means of many points lie almost
// inside, so that the bound is tight once centres are means.
//
// The directions are found on a sample of rows by power iteration. How well they
// are chosen changes time alone.
type subspace struct {
	*directions
	r       int
	origin  []float64 // ⟨direction, shift⟩
	y       []float64 // n×r, ⟨direction, x_i − shift⟩
	outside []float64 // at least the length of x_i − shift outside the subspace
}

// directions are r×d, the rows orthonormal but for rounding.
type directions struct {
	blas64.General
	skew float64 // bound on what rows·rowsᵀ differs from the identity
}

const (
	subspaceRows   = 4096 // of the sample at most
	subspacePowers = 2
	mostDirections = 48 // or a quarter of the columns
	// leastSubspace is the fewest columns for which a subspace can pay.
	leastSubspace = 2 * mostDirections
)

// directionsOf finds the directions. Cost: about 10·rows·r·d flops of the sample.
func directionsOf(ctx context.Context, p *points) (*directions, error) {
	rows := min(p.n, subspaceRows)
	sample := blas64.General{Rows: rows, Cols: p.d, Stride: p.d, Data: make([]float64, rows*p.d)}
	const width = 256 // of the sample a task
	tasks := (rows + width - 1) / width
	err := parallel(ctx, tasks, workers(tasks), func(_, task int) {
		for i := task * width; i < min(rows, (task+1)*width); i++ {
			for c, v := range p.row(i*p.n/rows, nil) {
				sample.Data[i*p.d+c] = v - p.shift[c]
			}
		}
	})
	s := &directions{General: blas64.General{Rows: min(mostDirections, rows, (p.d+3)/4), Cols: p.d, Stride: p.d}}
	for j := range s.Rows {
		s.Data = append(s.Data, sample.Data[j*rows/s.Rows*p.d:][:p.d]...)
	}
	s.orthonormalise()
	for step := 0; err == nil && s.Rows > 0 && step < subspacePowers; step++ {
		parts := make([][]float64, tasks)
		err = parallel(ctx, tasks, workers(tasks), func(_, task int) {
			block := sample
			block.Rows = min(width, rows-task*width)
			block.Data = sample.Data[task*width*p.d:]
			parts[task] = s.power(block)
		})
		if err != nil {
			break
		}
		clear(s.Data)
		for _, part := range parts {
			for c, v := range part {
				s.Data[c] += v
			}
		}
		s.orthonormalise()
	}
	return s, err
}

// power is rows·blockᵀ·block.
func (s *directions) power(block blas64.General) []float64 {
	along := blas64.General{Rows: block.Rows, Cols: s.Rows, Stride: s.Rows, Data: make([]float64, block.Rows*s.Rows)}
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, block, s.General, 0, along)
	out := s.General
	out.Data = make([]float64, len(s.Data))
	blas64.Gemm(blas.Trans, blas.NoTrans, 1, along, block, 0, out)
	return out.Data
}

func (s *directions) row(j int) blas64.Vector {
	return blas64.Vector{N: s.Cols, Inc: 1, Data: s.Data[j*s.Cols:][:s.Cols]}
}

// orthonormalise makes the rows orthonormal by two sweeps of Gram and Schmidt,
// without those that depend on others, and measures what is left of skew.
func (s *directions) orthonormalise() {
	kept := 0
	for j := range s.Rows {
		v := s.row(kept)
		copy(v.Data, s.row(j).Data)
		before := blas64.Nrm2(v)
		for range 2 {
			for i := range kept {
				blas64.Axpy(-blas64.Dot(s.row(i), v), s.row(i), v)
			}
		}
		if after := blas64.Nrm2(v); after > 1e-8*before {
			blas64.Scal(1/after, v)
			kept++
		}
	}
	s.Rows, s.Data = kept, s.Data[:kept*s.Cols]
	s.skew = 0
	for i := range kept {
		for j := range i + 1 {
			v := blas64.Dot(s.row(i), s.row(j))
			if i == j {
				v--
			}
			s.skew = math.Max(s.skew, float64(kept)*math.Abs(v)+slack(s.Cols))
		}
	}
}

func newSubspace(p *points, d *directions) *subspace {
	s := &subspace{directions: d, r: d.Rows, origin: make([]float64, d.Rows)}
	for j := range s.origin {
		s.origin[j] = blas64.Dot(d.row(j), blas64.Vector{N: p.d, Inc: 1, Data: p.shift})
	}
	s.y, s.outside = make([]float64, p.n*s.r), make([]float64, p.n)
	return s
}

// project finds the coordinates of the rows [from, to), measured from 0.
func (s *subspace) project(p *points, from, to int) {
	if s.r == 0 {
		return
	}
	for size := productRows(p.d, s.r); from < to; from += size {
		end := min(to, from+size)
		a := blas64.General{Rows: end - from, Cols: p.d, Stride: p.raw.Stride, Data: p.raw.Data[from*p.raw.Stride : (end-1)*p.raw.Stride+p.d]}
		y := blas64.General{Rows: end - from, Cols: s.r, Stride: s.r, Data: s.y[from*s.r : end*s.r]}
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, a, s.General, 0, y)
	}
}

// measure takes the coordinates from shift on, and finds the lengths outside of
// rows whose norms are known.
func (s *subspace) measure(p *points, from, to int) {
	for i := from; i < to; i++ {
		inside := 0.0
		y := s.coordinates(i)
		for j, origin := range s.origin {
			y[j] -= origin
			inside += y[j] * y[j]
		}
		size := math.Sqrt(p.norm2[i]) + p.shiftNorm
		s.outside[i] = math.Sqrt(math.Max(0, p.norm2[i]-inside) + s.roughness()*slack(p.d)*size*size + s.skew*p.norm2[i])
	}
}

func (s *subspace) coordinates(i int) []float64 { return s.y[i*s.r:][:s.r] }

// roughness is by how much more than slack the rounding of products with all
// directions can add up to.
func (s *subspace) roughness() float64 { return 8 * math.Sqrt(float64(s.r)+1) }

// split finds the coordinates of the centres and what is left of them.
func (s *subspace) split(c *centres) {
	if c.inside == nil {
		c.inside, c.outside = make([]float64, c.k*s.r), make([]float64, c.k*c.d)
	}
	copy(c.outside, c.shifted)
	if s.r == 0 {
		return
	}
	inside := blas64.General{Rows: c.k, Cols: s.r, Stride: s.r, Data: c.inside}
	outside := blas64.General{Rows: c.k, Cols: c.d, Stride: c.d, Data: c.outside}
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, outside, s.General, 0, inside)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, -1, inside, s.General, 1, outside)
}

// distances are the squared distances inside the subspace of the given rows to
// the centres, with all of ‖x_i − shift‖² and ‖c_j − shift‖², into s.inside.
func (s *scratch) insideDistances(p *points, c *centres) {
	lead, rows := p.leading, len(s.open)
	clear(s.inside[:rows*c.k])
	if lead.r > 0 && rows > 0 {
		a := blas64.General{Rows: rows, Cols: lead.r, Stride: lead.r}
		if first := s.open[0]; consecutive(s.open) {
			a.Data = lead.y[first*lead.r : (first+rows)*lead.r]
		} else {
			a.Data = s.y[:rows*lead.r]
			for place, i := range s.open {
				copy(a.Data[place*lead.r:], lead.coordinates(i))
			}
		}
		b := blas64.General{Rows: c.k, Cols: lead.r, Stride: lead.r, Data: c.inside}
		out := blas64.General{Rows: rows, Cols: c.k, Stride: c.k, Data: s.inside[:rows*c.k]}
		blas64.Gemm(blas.NoTrans, blas.Trans, -2, a, b, 0, out)
	}
	for place, i := range s.open {
		norm2 := p.norm2[i]
		for j, v := range s.inside[place*c.k:][:c.k] {
			s.inside[place*c.k+j] = v + norm2 + c.norm2[j]
		}
	}
}
