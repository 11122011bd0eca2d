package metrics

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/methods"
)

// coordinates represents everything by plain vectors and matrices. In H, the
// kernel matrix of nodes, sample and landmarks is factorised as FFᵀ, and rows of
// F stand for k(·,z); in a feature space rows are Φ(z).
type coordinates struct {
	w          world
	nodes      *mat.Dense // a row a node
	mean       []float64  // of nodes
	sampleMean []float64  // m̂, or 0 for an uncentred estimate
	components *mat.Dense // a column a component
	values     *mat.Dense // nodes×ℓ, the components' values
	onSample   *mat.Dense // n×ℓ
	center     string
	// kernel is the kernel matrix of the nodes, centred by P; a function of H is
	// also a vector over the nodes, times √weight.
	kernel *mat.Dense
	lambda []float64  // eigenvalues of Σ
	basis  *mat.Dense // √weight·e_i, a column each
}

func newCoordinates(w world, model methods.Model, center string) *coordinates {
	c := &coordinates{w: w, center: center}
	n, _ := w.nodes.Dims()
	s, _ := w.x.Dims()
	all := stack(w.nodes, w.x)
	var sample *mat.Dense
	switch m := model.(type) {
	case *methods.Subspace:
		f := factor(gram(w, stack(all, m.Points)))
		rows, q := f.Dims()
		c.nodes, sample = mat.DenseCopyOf(f.Slice(0, n, 0, q)), mat.DenseCopyOf(f.Slice(n, n+s, 0, q))
		c.components = product(f.Slice(n+s, rows, 0, q).T(), m.Coef)
	case *methods.FeatureSubspace:
		f := mat.NewDense(n+s, m.Map.Dim(), nil)
		m.Map.Transform(f, all)
		c.nodes, sample = mat.DenseCopyOf(f.Slice(0, n, 0, m.Map.Dim())), mat.DenseCopyOf(f.Slice(n, n+s, 0, m.Map.Dim()))
		c.components = m.Coef
	}
	c.mean = average(c.nodes, w.weights)
	c.sampleMean = make([]float64, len(c.mean))
	if center != "none" {
		c.sampleMean = average(sample, equal(s))
	}
	c.values, c.onSample = product(c.nodes, c.components), product(sample, c.components)
	c.spectrum()
	return c
}

func stack(a, b *mat.Dense) *mat.Dense {
	var s mat.Dense
	s.Stack(a, b)
	return &s
}

func gram(w world, x *mat.Dense) *mat.SymDense {
	n, _ := x.Dims()
	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			k.SetSym(i, j, w.kernel.At(x.RawRowView(i), x.RawRowView(j)))
		}
	}
	return k
}

// factor is F with K = FFᵀ.
func factor(k *mat.SymDense) *mat.Dense {
	values, f := eigen(k)
	f.Apply(func(_, j int, v float64) float64 { return v * math.Sqrt(max(values[j], 0)) }, f)
	return f
}

func average(rows *mat.Dense, weights []float64) []float64 {
	_, q := rows.Dims()
	mean := make([]float64, q)
	for i, w := range weights {
		floats.AddScaled(mean, w, rows.RawRowView(i))
	}
	return mean
}

// spectrum is the eigendecomposition of the integral operator on the nodes.
func (c *coordinates) spectrum() {
	k := gram(c.w, c.w.nodes)
	n := k.SymmetricDim()
	mean, grand := make([]float64, n), 0.0
	for i := range n {
		for j, w := range c.w.weights {
			mean[i] += w * k.At(i, j)
		}
		grand += c.w.weights[i] * mean[i]
	}
	c.kernel = mat.NewDense(n, n, nil)
	c.kernel.Apply(func(i, j int, _ float64) float64 { return k.At(i, j) - mean[i] - mean[j] + grand }, c.kernel)
	weighted := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			weighted.SetSym(i, j, math.Sqrt(c.w.weights[i]*c.w.weights[j])*c.kernel.At(i, j))
		}
	}
	c.lambda, c.basis = eigen(weighted)
}

// projector is the orthogonal projection onto the span of the first ell
// components, which are orthonormalised here: that they are so already is not
// taken for granted.
func (c *coordinates) projector(ell int) *mat.Dense {
	q, _ := c.components.Dims()
	v := mat.DenseCopyOf(c.components.Slice(0, q, 0, ell))
	for i := range ell {
		x := mat.Col(nil, i, v)
		for range 2 {
			for j := range i {
				floats.AddScaled(x, -floats.Dot(x, mat.Col(nil, j, v)), mat.Col(nil, j, v))
			}
		}
		floats.Scale(1/floats.Norm(x, 2), x)
		v.SetCol(i, x)
	}
	return product(v, v.T())
}

// measures are all metrics at ell by their definitions.
func (c *coordinates) measures(ell int, inH bool) map[string]float64 {
	_, l := c.components.Dims()
	kept := min(ell, l)
	m := map[string]float64{}
	projector := c.projector(kept)
	if inH {
		c.reconH(projector, ell, m)
	}
	c.reconL2(projector, ell, m)
	c.distances(kept, ell, m, inH)
	c.projections(kept, ell, m)
	divisor := float64(worldN)
	if c.center == "u" {
		divisor--
	}
	for i := range ell {
		value := 0.0
		if i < kept {
			f := mat.Col(nil, i, c.onSample)
			if c.center != "none" {
				floats.AddConst(-floats.Sum(f)/float64(len(f)), f)
			}
			value = floats.Dot(f, f) / divisor
		}
		m[fmt.Sprintf("eigenvalue_%d", i+1)] = value
	}
	return m
}

// reconH is E‖(k(·,X) − m_P) − P̂(k(·,X) − m̂)‖²_H as a sum over the nodes, and
// the same with m_P in place of m̂.
func (c *coordinates) reconH(projector *mat.Dense, ell int, m map[string]float64) {
	total, projection := 0.0, 0.0
	for i, w := range c.w.weights {
		centred := minus(c.nodes.RawRowView(i), c.mean)
		total += w * square(minus(centred, apply(projector, minus(c.nodes.RawRowView(i), c.sampleMean))))
		projection += w * square(minus(centred, apply(projector, centred)))
	}
	m["recon_h"], m["recon_h_projection"] = total, projection
	m["recon_h_mean"] = square(apply(projector, minus(c.mean, c.sampleMean)))
	m["recon_h_floor"] = floats.Sum(c.lambda[ell:])
}

// reconL2 is the same in L²(P): for each node z the function k(·,z) − m_P less
// its reconstruction, both centred, at every node.
func (c *coordinates) reconL2(projector *mat.Dense, ell int, m map[string]float64) {
	n := len(c.w.weights)
	centred, shifted := mat.NewDense(n, len(c.mean), nil), mat.NewDense(n, len(c.mean), nil)
	for i := range n {
		centred.SetRow(i, minus(c.nodes.RawRowView(i), c.mean))
		shifted.SetRow(i, minus(c.nodes.RawRowView(i), c.sampleMean))
	}
	whole, part := product(shifted, projector, centred.T()), product(centred, projector, centred.T())
	total, projection, mean := 0.0, 0.0, 0.0
	offset := product(mat.NewDense(1, len(c.mean), minus(c.mean, c.sampleMean)), projector, centred.T())
	for i, wi := range c.w.weights {
		for j, wj := range c.w.weights {
			total += wi * wj * math.Pow(c.kernel.At(i, j)-whole.At(i, j), 2)
			projection += wi * wj * math.Pow(c.kernel.At(i, j)-part.At(i, j), 2)
		}
		mean += wi * math.Pow(offset.At(0, i), 2)
	}
	m["recon_l2"], m["recon_l2_projection"], m["recon_l2_mean"] = total, projection, mean
	floor := 0.0
	for _, l := range c.lambda[ell:] {
		floor += l * l
	}
	m["recon_l2_floor"] = floor
}

// distances forms both operators on the nodes, and both families of functions.
func (c *coordinates) distances(kept, ell int, m map[string]float64, inH bool) {
	n := len(c.w.weights)
	difference := mat.NewDense(n, n, nil)
	sum := 0.0
	for i := range ell {
		own := mat.Col(nil, i, c.basis)
		floats.Scale(math.Sqrt(max(c.lambda[i], 0)), own)
		difference.Sub(difference, outer(own))
		estimate := make([]float64, n)
		if i < kept {
			f := mat.Col(nil, i, c.values)
			mean := floats.Dot(f, c.w.weights)
			for j, w := range c.w.weights {
				estimate[j] = math.Sqrt(w) * (f[j] - mean)
			}
		}
		difference.Add(difference, outer(estimate))
		if c.inner(i, kept, own, estimate, inH) < 0 {
			floats.Scale(-1, own)
		}
		sum += floats.Distance(own, estimate, 2)
	}
	m["eigenspace_l2"], m["eigenfunction_l2"] = mat.Norm(difference, 2), sum
}

// projections are onto the span of the embedded components: E_z ‖(I − Q Qᵀ)
// k̄(·,z)‖² as a sum over the nodes, Q by a QR factorisation of the components'
// values, and ‖(I − E Eᵀ)Q‖_op by its singular values.
func (c *coordinates) projections(kept, ell int, m map[string]float64) {
	n := len(c.w.weights)
	embedded := mat.NewDense(n, kept, nil)
	for j := range kept {
		f := mat.Col(nil, j, c.values)
		mean := floats.Dot(f, c.w.weights)
		for i, w := range c.w.weights {
			embedded.Set(i, j, math.Sqrt(w)*(f[i]-mean))
		}
	}
	var qr mat.QR
	var full mat.Dense
	qr.Factorize(embedded)
	qr.QTo(&full)
	q := full.Slice(0, n, 0, kept)
	sum := 0.0
	for i, w := range c.w.weights {
		f := mat.NewVecDense(n, nil)
		for j, v := range c.w.weights {
			f.SetVec(j, math.Sqrt(v)*c.kernel.At(j, i))
		}
		sum += w * square(minus(f.RawVector().Data, product(q, product(q.T(), f)).RawMatrix().Data))
	}
	m["embed_recon_l2"], m["embed_recon_l2_floor"] = sum, m["recon_l2_floor"]
}

// inner is ⟨φ_i, φ̂_i⟩ in H, with φ_i = λ_i^(−1/2) E e_i(X)(k(·,X) − m_P), for a
// subspace of H; in L²(P) for one of a feature space.
func (c *coordinates) inner(i, kept int, own, estimate []float64, inH bool) float64 {
	if !inH || i >= kept {
		return floats.Dot(own, estimate)
	}
	phi := make([]float64, len(c.mean))
	for j, w := range c.w.weights {
		floats.AddScaled(phi, math.Sqrt(w)*c.basis.At(j, i)/math.Sqrt(c.lambda[i]), minus(c.nodes.RawRowView(j), c.mean))
	}
	return floats.Dot(phi, mat.Col(nil, i, c.components))
}

func outer(v []float64) *mat.Dense {
	x := mat.NewVecDense(len(v), v)
	return product(x, x.T())
}

func minus(a, b []float64) []float64 { return floats.SubTo(make([]float64, len(a)), a, b) }
func square(v []float64) float64     { return floats.Dot(v, v) }

func apply(a *mat.Dense, v []float64) []float64 {
	return product(a, mat.NewVecDense(len(v), v)).RawMatrix().Data
}

// allNames are the measures of components against a population.
var allNames = []string{"recon_h", "recon_l2", "embed_recon_l2", "eigenspace_l2", "eigenfunction_l2", "eigenvalues"}

// disagreements lists where Evaluate differs from the definitions by more than
// 1e-10. Everything is of size 1 and rounding 1e-16, multiplied by κ/λ_ℓ = 100
// at most in forming the components; square roots of differences multiply by
// 1/distance, some 100 again.
func disagreements(w world, model methods.Model, center string, ells []int) []string {
	got, _, err := Evaluate(context.Background(), Truth{Population: w.population}, model, ells, allNames)
	if err != nil {
		return []string{err.Error()}
	}
	_, inH := model.(*methods.Subspace)
	c := newCoordinates(w, model, center)
	var differ []string
	for i, ell := range ells {
		want := c.measures(ell, inH)
		if len(got[i]) != len(want) {
			differ = append(differ, fmt.Sprintf("ell = %d: %d metrics, want %d", ell, len(got[i]), len(want)))
		}
		for name, v := range want {
			g, ok := got[i][name]
			if !ok || !(math.Abs(g-v) <= 1e-10) {
				differ = append(differ, fmt.Sprintf("%s at ell = %d is %.15g, want %.15g", name, ell, g, v))
			}
		}
	}
	return differ
}
