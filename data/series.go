package data

import (
	"math/rand/v2"
	"sort"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// seriesPopulation is X ~ U[0,1] under a series kernel: the mean embedding is 0,
// Σ has the kernel's eigenvalues, and the iterated kernels give all moments in
// closed form.
type seriesPopulation struct{ kernel *kernel.Series }

func (p seriesPopulation) String() string { return "uniform on [0,1], " + p.kernel.String() }

func (p seriesPopulation) Tail(power, ell int) (float64, error) {
	return p.kernel.PowerSum(power, ell), nil
}

func (p seriesPopulation) Eigenvalues(count int) ([]float64, error) {
	values := make([]float64, count)
	for i := range values {
		values[i] = p.kernel.Eigenvalue(i + 1)
	}
	return values, nil
}

// Kappa is k(0,0), where all cosines are 1.
func (p seriesPopulation) Kappa() float64 { return p.kernel.Bound() }

func (p seriesPopulation) EffectiveDimension(t float64) (float64, error) {
	if err := checkLevel(t); err != nil {
		return 0, err
	}
	return p.kernel.EffectiveDimension(t), nil
}

func (p seriesPopulation) Moments(f kernel.Functions, eigen int) (Moments, error) {
	switch f := f.(type) {
	case kernel.Expansion:
		if f.Kernel.String() == p.kernel.String() {
			if count := p.coordinates(); count > 0 {
				return p.ofCoordinates(f, count, eigen), nil
			}
			return p.ofExpansion(f, eigen), nil
		}
	case kernel.FeatureExpansion:
		if m, ok := f.Map.(*kernel.Mercer); ok && m.Series.String() == p.kernel.String() {
			return p.ofMercer(m, f.Coef, eigen), nil
		}
	}
	return Moments{}, undefined(f, p)
}

// coordinates is how many eigenfunctions carry the kernel to rounding: all of a
// finite series, those of λ_i above 1e−20 λ_1 of a fast one; 0 where that would
// take more than maxCoordinates.
func (p seriesPopulation) coordinates() int {
	if terms := p.kernel.Terms(); terms > 0 {
		return terms
	}
	const maxCoordinates = 1000
	for i := 1; i <= maxCoordinates; i++ {
		if p.kernel.Eigenvalue(i) < 1e-20*p.kernel.Eigenvalue(1) {
			return i
		}
	}
	return 0
}

// ofCoordinates goes through F_ij = ⟨e_i, f_j⟩ = λ_i Σ_p e_i(p) Coef_pj, whose
// rounding is that of the functions themselves: where eigenvalues decay fast,
// Coef is large and the quadratic forms of ofExpansion would cancel.
func (p seriesPopulation) ofCoordinates(f kernel.Expansion, count, eigen int) Moments {
	var coordinates mat.Dense
	coordinates.Mul(p.kernel.Eigenfunctions(f.Points, count).T(), f.Coef)
	weighted := mat.NewDense(count, f.Len(), nil)
	for i := range count {
		lambda := p.kernel.Eigenvalue(i + 1)
		floats.Scale(lambda, coordinates.RawRowView(i))
		floats.AddScaled(weighted.RawRowView(i), lambda, coordinates.RawRowView(i))
	}
	m := momentsOf(&coordinates, weighted)
	if eigen > 0 {
		m.Eigen = mat.NewDense(eigen, f.Len(), nil)
		m.Eigen.Copy(&coordinates) // as many rows as both have; the others are 0
		m.rest = func(ell int) *mat.SymDense {
			if ell >= count {
				return mat.NewSymDense(f.Len(), nil)
			}
			beyond := coordinates.Slice(ell, count, 0, f.Len())
			return linalg.SymmetricProduct(beyond, beyond)
		}
	}
	return m
}

// momentsOf are those of functions of mean 0 by their coordinates, and these times the eigenvalues.
func momentsOf(coordinates, weighted *mat.Dense) Moments {
	return Moments{
		Mean:  make([]float64, coordinates.RawMatrix().Cols),
		Cov:   linalg.SymmetricProduct(coordinates, coordinates),
		Tau:   columnProducts(coordinates, weighted),
		image: func() *mat.SymDense { return linalg.SymmetricProduct(weighted, weighted) },
	}
}

// leadingTerms is how many eigenfunctions ofExpansion takes by coordinates.
const leadingTerms = 16

// ofExpansion uses ⟨k(·,x), Σ k(·,y)⟩ and ⟨k(·,x), Σ² k(·,y)⟩, the iterated
// kernels, for what the leading eigenfunctions leave: 2·p² kernel evaluations and
// 4·p²·(ℓ+16) flops for p points.
//
// In aᵀMa over a whole iterated kernel M the leading terms, of size λ_1²·p·‖a‖²,
// cancel to λ_ℓ, and what is left of their rounding changes with the last bits of a:
// between two back ends T^45 differed by 1e-8 of itself, and so does by 2e-10. The
// rounding of the kernel's values, about 2^-52·‖a‖², stays as it was. Past 16 the
// terms are of size λ_17²/λ_ℓ, under a power law no larger than 1 up to ℓ = 17².
func (p seriesPopulation) ofExpansion(f kernel.Expansion, eigen int) Moments {
	m := p.ofCoordinates(f, leadingTerms, 0)
	beyond := func(power int) *mat.Dense {
		return kernel.Expansion{Kernel: p.kernel.Iterated(power).Beyond(leadingTerms), Points: f.Points, Coef: f.Coef}.Eval(f.Points)
	}
	m.Cov.AddSym(m.Cov, linalg.SymmetricProduct(f.Coef, beyond(2)))
	floats.Add(m.Tau, columnProducts(f.Coef, beyond(3)))
	// By coordinates: past the last one L² is below negligible·λ_1³ on H, and
	// where Coef is large they round less than the iterated kernel does.
	m.image = func() *mat.SymDense { return p.ofCoordinates(f, significant(p.kernel), 0).Image() }
	if eigen > 0 {
		m.Eigen = new(mat.Dense)
		m.Eigen.Mul(p.kernel.Eigenfunctions(f.Points, eigen).T(), f.Coef)
		for i := range eigen {
			row := m.Eigen.RawRowView(i)
			for j := range row {
				row[j] *= p.kernel.Eigenvalue(i + 1)
			}
		}
		m.rest = func(ell int) *mat.SymDense { return besides(m.Cov, m.Eigen, ell) }
	}
	return m
}

// ofMercer collects the features' coefficients by eigenfunction: f_j =
// Σ_i F_ij e_i over the distinct indices i.
func (p seriesPopulation) ofMercer(f *kernel.Mercer, coef *mat.Dense, eigen int) Moments {
	_, l := coef.Dims()
	indices, rows := distinct(f.Indices)
	collected := mat.NewDense(len(indices), l, nil)
	scales := f.Scales()
	for a, index := range f.Indices {
		row := collected.RawRowView(rows[index])
		for j := range row {
			row[j] += scales[a] * coef.At(a, j)
		}
	}
	weighted := mat.NewDense(len(indices), l, nil)
	weighted.Apply(func(i, _ int, v float64) float64 { return p.kernel.Eigenvalue(indices[i]) * v }, collected)
	m := momentsOf(collected, weighted)
	if eigen > 0 {
		m.Eigen = mat.NewDense(eigen, l, nil)
		for i := range eigen {
			if row, ok := rows[i+1]; ok {
				m.Eigen.SetRow(i, collected.RawRowView(row))
			}
		}
		m.rest = func(ell int) *mat.SymDense {
			beyond := mat.DenseCopyOf(collected)
			for i, index := range indices {
				if index <= ell {
					clear(beyond.RawRowView(i))
				}
			}
			return linalg.SymmetricProduct(beyond, beyond)
		}
	}
	return m
}

// distinct returns the different values of indices in rising order, and the
// place of each.
func distinct(indices []int) ([]int, map[int]int) {
	place := make(map[int]int)
	for _, index := range indices {
		place[index] = 0
	}
	sorted := make([]int, 0, len(place))
	for index := range place {
		sorted = append(sorted, index)
	}
	sort.Ints(sorted)
	for i, index := range sorted {
		place[index] = i
	}
	return sorted, place
}

// SeriesOptions are the parameters of the series population.
type SeriesOptions struct {
	Decay       *kernel.Decay    `yaml:"decay" doc:"law of the eigenvalues: {power: 2} or {exponential: 0.7}"`
	Eigenvalues []float64        `yaml:"eigenvalues" doc:"a finite, positive, non-increasing list instead of decay; measures by an eigenspace that splits equal eigenvalues are not defined"`
	Terms       *int             `yaml:"terms" doc:"cut the law after this number of terms; the finite series is then the population"`
	Response    *ResponseOptions `yaml:"response" doc:"responses for regression, with a known regression function; default none"`
}

// Validate checks the parameters.
func (o *SeriesOptions) Validate() error {
	_, err := o.Open(Context{})
	return err
}

// Traits say that the population is no set of points.
func (o *SeriesOptions) Traits() Traits { return Traits{Population: true, Response: o.Response != nil} }

// Open returns the data set.
func (o *SeriesOptions) Open(Context) (Dataset, error) {
	options := kernel.SeriesOptions{Decay: o.Decay, Eigenvalues: o.Eigenvalues, Terms: o.Terms}
	series, err := options.Series()
	if err != nil {
		return nil, err
	}
	if err := o.Response.check(); err != nil {
		return nil, err
	}
	population, response := seriesPopulation{series}, o.Response.response(series)
	constants := map[string]float64{"D": 1, "kappa": series.Bound(), "trace": series.PowerSum(1, 0)}
	if o.Decay != nil && o.Decay.Power != nil {
		constants["alpha"] = *o.Decay.Power
	}
	if terms := series.Terms(); terms > 0 {
		constants["terms"] = float64(terms)
	}
	return &lineDataset{
		about: about{
			describe: population.String() + response.String(), constants: constants, kernel: series,
			support: Support{Closed: true, Independent: true, Functions: significant(series), Rank: population.coordinates()},
		},
		next: (*rand.Rand).Float64, population: population, response: response,
	}, nil
}
