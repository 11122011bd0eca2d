package data

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// gaussianPopulation is X ~ N(0, s²) under k = exp(−b(x−y)²). In L²(P) the
// integral operator of k has eigenvalues λ_j and the eigenfunctions e_j of
// math.md §2.2, and every function is handled by its coordinates ⟨e_j, f⟩. The
// centred Σ is diag(λ) − ββᵀ in the coordinates √λ_j e_j of H, β_j = √λ_j E e_j.
type gaussianPopulation struct {
	kernel  kernel.Gaussian
	std     float64 // s
	a, b, c float64 // a = 1/4s², c = √(a²+2ab)
	lambda  []float64
	mean    []float64 // E e_j(X)

	eigenvalues []float64  // of Σ, falling
	vectors     *mat.Dense // in the coordinates of H, one eigenvector a column
}

// maxGaussianTerms bounds the terms that represent the kernel; 500 reach a
// bandwidth of s/11.
const maxGaussianTerms = 500

func newGaussianPopulation(std float64, k kernel.Gaussian) (*gaussianPopulation, error) {
	p := &gaussianPopulation{kernel: k, std: std, a: 1 / (4 * std * std), b: k.Gamma}
	p.c = math.Sqrt(p.a * (p.a + 2*p.b))
	total := p.a + p.b + p.c
	rest := (p.a + p.c) / total // 1 − b/total
	needed := math.Ceil((math.Log(1e-17) + math.Log(rest)) / math.Log1p(-rest))
	if !(needed <= maxGaussianTerms) {
		return nil, fmt.Errorf("the kernel is too narrow for this population: %.3g terms would be needed, at most %d are used; take a larger sigma relative to std", needed, maxGaussianTerms)
	}
	terms := max(8, int(needed))
	p.lambda, _ = p.UncentredEigenvalues(terms)
	p.mean = p.frequencyCoordinates(0)
	for j, v := range p.mean {
		p.mean[j] = phase(j, v, 0)
	}
	return p, p.decompose()
}

// decompose finds the eigenpairs of the centred Σ. Eigenvalues that are rounding
// errors of λ_1 are 0: their eigenvectors mean nothing.
func (p *gaussianPopulation) decompose() error {
	sigma := mat.NewSymDense(len(p.lambda), nil)
	for i, li := range p.lambda {
		for j := i; j < len(p.lambda); j++ {
			v := -math.Sqrt(li*p.lambda[j]) * p.mean[i] * p.mean[j]
			if i == j {
				v += li
			}
			sigma.SetSym(i, j, v)
		}
	}
	var err error
	p.eigenvalues, p.vectors, err = linalg.EigenSym(sigma)
	for i, v := range p.eigenvalues {
		if v <= 0x1p-52*p.eigenvalues[0] {
			p.eigenvalues[i] = 0
		}
	}
	return err
}

func (p *gaussianPopulation) String() string {
	return fmt.Sprintf("normal with standard deviation %v, %s", p.std, p.kernel)
}

// Tail(1, 0) is the closed form tr Σ = 1 − (1+4bs²)^(−1/2).
func (p *gaussianPopulation) Tail(power, ell int) (float64, error) {
	if power == 1 && ell == 0 {
		return 1 - 1/math.Sqrt(1+4*p.b*p.std*p.std), nil
	}
	return powerSum(p.eigenvalues[min(ell, len(p.eigenvalues)):], power), nil
}

func (p *gaussianPopulation) Eigenvalues(count int) ([]float64, error) {
	values := make([]float64, count)
	copy(values, p.eigenvalues)
	return values, nil
}

// Kappa is 1.
func (p *gaussianPopulation) Kappa() float64 { return p.kernel.Bound() }

// EffectiveDimension sums over the eigenvalues above 2^−52 λ_1; what is left out
// is below 2^−52·terms·λ_1/t.
func (p *gaussianPopulation) EffectiveDimension(t float64) (float64, error) {
	return effectiveDimension(p.eigenvalues, t)
}

func (p *gaussianPopulation) Moments(f kernel.Functions, eigen int) (Moments, error) {
	switch f := f.(type) {
	case kernel.Expansion:
		if _, d := f.Points.Dims(); d == 1 && f.Kernel.String() == p.kernel.String() {
			coordinates := p.ofExpansion(f)
			m := p.moments(coordinates, linalg.SymmetricProduct(coordinates, coordinates), p.means(coordinates), eigen)
			m.rest = func(ell int) *mat.SymDense { return p.rest(coordinates, m.Eigen, ell) }
			return m, nil
		}
	case kernel.FeatureExpansion:
		m, ok := f.Map.(*kernel.Fourier)
		if !ok {
			break
		}
		if _, d := m.Frequencies.Dims(); d == 1 {
			second, mean := p.ofFourier(m, f.Coef)
			moments := p.moments(p.fourierCoordinates(m, f.Coef), second, mean, eigen)
			moments.rest = func(ell int) *mat.SymDense { return besides(moments.Cov, moments.Eigen, ell) }
			return moments, nil
		}
	}
	return Moments{}, undefined(f, p)
}

// moments assembles the result from coordinates F (terms×ℓ), the uncentred
// second moments E f_i f_j and the means.
func (p *gaussianPopulation) moments(coordinates *mat.Dense, second *mat.SymDense, mean []float64, eigen int) Moments {
	l := len(mean)
	for i := range l {
		for j := i; j < l; j++ {
			second.SetSym(i, j, second.At(i, j)-mean[i]*mean[j])
		}
	}
	weighted := mat.NewDense(len(p.lambda), l, nil) // √λ_j ⟨e_j, f − E f⟩
	for j, lambda := range p.lambda {
		for i := range l {
			weighted.Set(j, i, math.Sqrt(lambda)*(coordinates.At(j, i)-p.mean[j]*mean[i]))
		}
	}
	m := Moments{Mean: mean, Cov: second, Tau: columnProducts(weighted, weighted)}
	m.image = func() *mat.SymDense { return p.image(weighted) }
	if eigen > 0 {
		m.Eigen = mat.NewDense(eigen, l, nil)
		known := min(eigen, len(p.eigenvalues))
		for i := range known {
			if p.eigenvalues[i] == 0 {
				break
			}
			row := mat.NewVecDense(l, m.Eigen.RawRowView(i))
			row.MulVec(weighted.T(), p.vectors.ColView(i))
			row.ScaleVec(1/math.Sqrt(p.eigenvalues[i]), row)
		}
	}
	return m
}

// rest are the products of what the first ell eigenfunctions leave of functions with the
// coordinates F: of (I − mmᵀ)(F − WC), m the means of the e_j, W the coordinates of the
// eigenfunctions and C the functions' coefficients by these.
func (p *gaussianPopulation) rest(coordinates, eigen *mat.Dense, ell int) *mat.SymDense {
	left := mat.DenseCopyOf(coordinates)
	for i := range min(ell, len(p.eigenvalues)) {
		if p.eigenvalues[i] == 0 {
			break
		}
		for j, lambda := range p.lambda {
			floats.AddScaled(left.RawRowView(j), -p.vectors.At(j, i)*math.Sqrt(lambda/p.eigenvalues[i]), eigen.RawRowView(i))
		}
	}
	mean := p.means(left)
	for j, m := range p.mean {
		floats.AddScaled(left.RawRowView(j), -m, mean)
	}
	return linalg.SymmetricProduct(left, left)
}

// image is ⟨Tf_i, Tf_j⟩ − E Tf_i·E Tf_j, T the uncentred integral operator, from
// the coordinates √λ_j ⟨e_j, f⟩ of f centred: L f is T f centred.
func (p *gaussianPopulation) image(weighted *mat.Dense) *mat.SymDense {
	var image mat.Dense
	image.Apply(func(j, _ int, v float64) float64 { return math.Sqrt(p.lambda[j]) * v }, weighted)
	products, mean := linalg.SymmetricProduct(&image, &image), p.means(&image)
	products.SymRankOne(products, -1, mat.NewVecDense(len(mean), mean))
	return products
}

// ofExpansion is F_ji = λ_j Σ_p e_j(p) Coef_pi.
func (p *gaussianPopulation) ofExpansion(f kernel.Expansion) *mat.Dense {
	var coordinates mat.Dense
	coordinates.Mul(p.eigenfunctions(f.Points).T(), f.Coef)
	coordinates.Apply(func(j, _ int, v float64) float64 { return p.lambda[j] * v }, &coordinates)
	return &coordinates
}

func (p *gaussianPopulation) means(coordinates *mat.Dense) []float64 {
	_, l := coordinates.Dims()
	mean := mat.NewVecDense(l, nil)
	mean.MulVec(coordinates.T(), mat.NewVecDense(len(p.mean), p.mean))
	return mean.RawVector().Data
}

// eigenfunctions is the n×terms matrix of e_j(x_i) = (c/a)^(1/4)
// e^(−(c−a)x²) h_j(√(2c)x), h_j the normalised Hermite polynomials.
func (p *gaussianPopulation) eigenfunctions(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	values := mat.NewDense(n, len(p.lambda), nil)
	for i := range n {
		at := x.At(i, 0)
		scale := math.Pow(p.c/p.a, 0.25) * math.Exp(-(p.c-p.a)*at*at)
		hermite(values.RawRowView(i), math.Sqrt(2*p.c)*at, 1, scale)
	}
	return values
}

// hermite fills dst with scale·r^(j/2)·h_j(y) for damp = r, given z = √r·y:
// v_{j+1} = √(2/(j+1)) z v_j − √(j/(j+1)) r v_{j−1}.
func hermite(dst []float64, z, damp, scale float64) {
	previous, current := 0.0, scale
	for j := range dst {
		dst[j] = current
		next := float64(j + 1)
		previous, current = current, math.Sqrt(2/next)*z*current-math.Sqrt(float64(j)/next)*damp*previous
	}
}

// frequencyCoordinates is v_j with E e_j(X) e^(iωX) = i^j v_j: integrating the
// Hermite recursion by parts against the Gaussian e^(−(a+c)x²) gives the same
// recursion with damping r = (c−a)/(c+a).
func (p *gaussianPopulation) frequencyCoordinates(omega float64) []float64 {
	variance := p.c / (p.a + p.c) // of √(2c)·X under that Gaussian
	tau := omega / math.Sqrt(2*p.c)
	scale := math.Pow(p.c/p.a, 0.25) * math.Sqrt(2*p.a/(p.a+p.c)) * math.Exp(-tau*tau*variance/2)
	v := make([]float64, len(p.lambda))
	hermite(v, tau*variance, 2*variance-1, scale)
	return v
}

// phase is the part of i^j·v that is real (part 0: cosine) or imaginary (part
// 1: sine).
func phase(j int, v float64, part int) float64 {
	if j%2 != part {
		return 0
	}
	if j/2%2 == 1 {
		return -v
	}
	return v
}

// fourierCoordinates is F_ji = Σ_a ⟨e_j, Φ_a⟩ Coef_ai.
func (p *gaussianPopulation) fourierCoordinates(f *kernel.Fourier, coef *mat.Dense) *mat.Dense {
	m, terms, scale := f.Features(), len(p.lambda), f.Scale()
	features := mat.NewDense(terms, 2*m, nil)
	for a := range m {
		for j, v := range p.frequencyCoordinates(f.Frequencies.At(a, 0)) {
			features.Set(j, a, scale*phase(j, v, 0))
			features.Set(j, m+a, scale*phase(j, v, 1))
		}
	}
	var coordinates mat.Dense
	coordinates.Mul(features, coef)
	return &coordinates
}

// ofFourier gives E f_i f_j and E f_i from E cos ωX = e^(−s²ω²/2): 2m²
// exponentials, 8m²·ℓ flops.
func (p *gaussianPopulation) ofFourier(f *kernel.Fourier, coef *mat.Dense) (*mat.SymDense, []float64) {
	m, scale := f.Features(), f.Scale()
	_, l := coef.Dims()
	damped := func(omega float64) float64 { return math.Exp(-p.std * p.std * omega * omega / 2) }
	product := mat.NewDense(2*m, l, nil) // E ΦΦᵀ times coef, a frequency at a time
	pair := mat.NewDense(2, m, nil)      // its rows of cosine and of sine
	featureMean := mat.NewVecDense(2*m, nil)
	for a := range m {
		wa := f.Frequencies.At(a, 0)
		featureMean.SetVec(a, scale*damped(wa))
		for b := range m {
			wb := f.Frequencies.At(b, 0)
			minus, plus := damped(wa-wb)/2, damped(wa+wb)/2
			pair.Set(0, b, scale*scale*(minus+plus))
			pair.Set(1, b, scale*scale*(minus-plus))
		}
		for half := range 2 {
			row := mat.NewVecDense(l, product.RawRowView(half*m+a))
			row.MulVec(coef.Slice(half*m, (half+1)*m, 0, l).T(), pair.RowView(half))
		}
	}
	mean := mat.NewVecDense(l, nil)
	mean.MulVec(coef.T(), featureMean)
	return linalg.SymmetricProduct(coef, product), mean.RawVector().Data
}

// GaussianOptions are the parameters of the Gaussian population.
type GaussianOptions struct {
	Std   float64 `yaml:"std" doc:"standard deviation s of X ~ N(0, s²) (default 1)"`
	Sigma float64 `yaml:"sigma" required:"true" doc:"bandwidth σ of its kernel exp(-d²/2σ²)"`
}

// Validate checks the parameters.
func (o *GaussianOptions) Validate() error {
	_, err := o.Open(Context{})
	return err
}

// Traits say that the population is no set of points.
func (o *GaussianOptions) Traits() Traits { return Traits{Population: true} }

// Open returns the data set.
func (o *GaussianOptions) Open(Context) (Dataset, error) {
	if !(o.Std > 0) || !(o.Sigma > 0) || math.IsInf(o.Std+o.Sigma, 1) {
		return nil, errors.New("std and sigma must be positive and finite")
	}
	if least, most := 1e-50, 1e50; min(o.Std, o.Sigma) < least || max(o.Std, o.Sigma) > most {
		return nil, fmt.Errorf("std %v and sigma %v: must lie between %v and %v", o.Std, o.Sigma, least, most)
	}
	std := o.Std
	population, err := newGaussianPopulation(std, kernel.NewGaussian(1/(2*o.Sigma*o.Sigma)))
	if err != nil {
		return nil, err
	}
	trace, _ := population.Tail(1, 0)
	return &lineDataset{
		about: about{
			describe: population.String(), constants: map[string]float64{"D": 1, "kappa": 1, "trace": trace, "std": std}, kernel: population.kernel,
			support: Support{Closed: true, Independent: true, Rank: len(population.lambda)},
		},
		next: func(rng *rand.Rand) float64 { return std * rng.NormFloat64() }, population: population,
	}, nil
}
