package kernel

import (
	"errors"
	"fmt"
	"math"

	"mercer/methods/exec"
)

// Distances is what a kernel's options ask of the data; data.Distances answers
// it.
type Distances interface {
	// RMS is the root of the mean squared distance over pairs of different
	// points.
	RMS() (float64, error)
	// Quantile is the q-quantile of the distances between different points.
	Quantile(q float64) (float64, error)
	// Least is the least coordinate of all points.
	Least() (float64, error)
	// Dim is the number D of coordinates; 0 where it is not known yet.
	Dim() int
}

// Options are a kernel's parameters in a spec.
type Options interface {
	// Build returns the kernel, its bandwidth resolved against the data.
	Build(d Distances) (Kernel, error)
}

// Entry is a kernel that specs can name.
type Entry struct {
	Doc     string         // its formula, in one line
	New     func() Options // options that hold the defaults
	Fourier bool           // has a spectral measure
}

// Registry holds every kernel by the name that specs use.
var Registry = map[string]Entry{
	"gaussian": {Doc: "exp(-d²/2σ²) or exp(-d²/σ²), named by form; d Euclidean", New: func() Options { return &GaussianOptions{} }, Fourier: true},
	"laplace":  {Doc: "exp(-|x-y|₁/σ), a product over coordinates", New: func() Options { return &LaplaceOptions{} }, Fourier: true},
	"matern":   {Doc: "Matérn of smoothness nu = 1/2, 3/2 or 5/2; r = √(2ν)·d/σ", New: func() Options { return &MaternOptions{} }, Fourier: true},
	"cauchy":   {Doc: "Π 1/(1+d_j²/σ²), a product over coordinates", New: func() Options { return &CauchyOptions{} }, Fourier: true},
	"rational-quadratic": {
		Doc: "(1 + d²/(2ασ²))^(-α), d Euclidean", New: func() Options { return &RationalQuadraticOptions{Alpha: 1} }, Fourier: true,
	},
	"polynomial":   {Doc: "(γ⟨x,y⟩ + offset)^degree", New: func() Options { return &PolynomialOptions{Degree: 2, Gamma: 1, Offset: 1} }},
	"chi2":         {Doc: "exp(-γ Σ (x_j-y_j)²/(x_j+y_j)) of histograms, whose coordinates are 0 or more", New: func() Options { return &Chi2Options{Gamma: 1} }},
	"intersection": {Doc: "Σ min(x_j,y_j) of histograms, whose coordinates are 0 or more", New: func() Options { return &IntersectionOptions{} }},
	"arc-cosine":   {Doc: "arc-cosine kernel of order 0 or 1, the NNGP of a network of steps or ReLUs; depth is its hidden layers", New: func() Options { return &ArcCosineOptions{Order: 1, Depth: 1} }},
	"ntk":          {Doc: "neural tangent kernel of a wide network of ReLUs without biases; depth is its hidden layers", New: func() Options { return &NTKOptions{Depth: 1} }},
	"periodic": {
		Doc: "Π exp(-2 sin²(πd_j/period)/σ²), a product over coordinates; scikit-learn's ExpSineSquared in one dimension (in more, that is indefinite)",
		New: func() Options { return &PeriodicOptions{Sigma: 1} }, Fourier: true,
	},
	"cosine":    {Doc: "⟨x,y⟩/(‖x‖‖y‖)", New: func() Options { return &CosineOptions{} }},
	"sigmoid":   {Doc: "tanh(γ⟨x,y⟩ + offset), refused: it is indefinite, and so no kernel; take arc-cosine or polynomial", New: func() Options { return &SigmoidOptions{} }},
	"sum":       {Doc: "Σ k_i(x,y) of a list of kernels; has random features where each of them has fourier features, as product, scale, power and normalise", New: func() Options { return &SumOptions{} }},
	"product":   {Doc: "Π k_i(x,y) of a list of kernels", New: func() Options { return &ProductOptions{} }},
	"scale":     {Doc: "factor·k(x,y) of a kernel", New: func() Options { return &ScaleOptions{} }},
	"power":     {Doc: "k(x,y)^exponent of a kernel", New: func() Options { return &PowerOptions{} }},
	"normalise": {Doc: "k(x,y)/√(k(x,x)k(y,y)) of a kernel, 0 where a point has norm 0", New: func() Options { return &NormaliseOptions{} }},
	"linear":    {Doc: "⟨x,y⟩", New: func() Options { return &LinearOptions{} }},
	"series":    {Doc: "Σ λ_i e_i(x)e_i(y) on [0,1], e_i = √2 cos(πix)", New: func() Options { return &SeriesOptions{} }},
	"exec":      {Doc: "a program of your own, in any language, that returns blocks of values (docs/exec.md)", New: func() Options { return &ExecOptions{exec.DefaultOptions()} }},
}

// Bandwidth is a rule that takes σ from the data set's own points; exactly one
// is set.
type Bandwidth struct {
	RMS      *float64 `yaml:"rms" doc:"this multiple of the root mean squared interpoint distance, over all points that samples and held-out points are drawn from"`
	Median   *float64 `yaml:"median" doc:"this multiple of the median interpoint distance, over up to 2000 of these points, drawn once for all repeats"`
	Quantile *float64 `yaml:"quantile" doc:"this quantile, in (0,1), of the interpoint distances, over the points of median"`
}

// Sigma is σ on the data.
func (b Bandwidth) Sigma(d Distances) (float64, error) {
	set := 0
	for _, p := range []*float64{b.RMS, b.Median, b.Quantile} {
		if p != nil {
			set++
		}
	}
	if set != 1 {
		return 0, errors.New("bandwidth takes exactly one of rms, median, quantile")
	}
	if d == nil {
		return 0, errors.New("a bandwidth rule needs data; give sigma")
	}
	switch {
	case b.RMS != nil:
		return scaled(*b.RMS, "rms", d.RMS)
	case b.Median != nil:
		return scaled(*b.Median, "median", func() (float64, error) { return d.Quantile(0.5) })
	}
	if q := *b.Quantile; !(q > 0 && q < 1) {
		return 0, fmt.Errorf("bandwidth quantile %v: must lie strictly between 0 and 1", q)
	}
	return d.Quantile(*b.Quantile)
}

func scaled(factor float64, name string, distance func() (float64, error)) (float64, error) {
	if !(factor > 0) {
		return 0, fmt.Errorf("bandwidth %s: %v: the multiple must be positive", name, factor)
	}
	v, err := distance()
	if err != nil {
		return 0, fmt.Errorf("bandwidth %s: %w", name, err)
	}
	return factor * v, nil
}

// Width says how wide a stationary kernel is: exactly one is set.
type Width struct {
	Sigma        *float64   `yaml:"sigma" doc:"length scale σ, in the units of the data"`
	Bandwidth    *Bandwidth `yaml:"bandwidth" doc:"rule that takes σ from the Euclidean distances of the data"`
	Lengthscales []float64  `yaml:"lengthscales" above:"0" doc:"D length scales, one a coordinate and in its units, instead of sigma (ARD): coordinates are divided by them, then σ = 1"`
}

// build returns the kernel that of makes of σ, under length scales that of σ = 1.
func (w Width) build(d Distances, of func(sigma float64) (ShiftInvariant, error)) (Kernel, error) {
	if w.Lengthscales != nil && w.Sigma == nil && w.Bandwidth == nil {
		k, err := of(1)
		if err != nil {
			return nil, err
		}
		if d != nil && d.Dim() > 0 && d.Dim() != len(w.Lengthscales) {
			return nil, fmt.Errorf("lengthscales has %d numbers, and the points have D = %d coordinates: give one for each", len(w.Lengthscales), d.Dim())
		}
		return ARD{k, w.Lengthscales}, nil
	}
	if (w.Sigma == nil) == (w.Bandwidth == nil) || w.Lengthscales != nil {
		return nil, errors.New("give exactly one of sigma (a number), bandwidth (a rule such as {rms: 1}, {median: 1} or {quantile: 0.25}) and lengthscales (a number for each coordinate)")
	}
	s := 0.0
	if w.Sigma != nil {
		s = *w.Sigma
	} else {
		var err error
		if s, err = w.Bandwidth.Sigma(d); err != nil {
			return nil, err
		}
	}
	if err := positive("sigma", s); err != nil {
		return nil, err
	}
	return of(s)
}

func positive(name string, v float64) error {
	if v > 0 && !math.IsInf(v, 1) {
		return nil
	}
	return fmt.Errorf("%s is %v: must be positive and finite", name, v)
}

// GaussianOptions are the parameters of a Gaussian kernel.
type GaussianOptions struct {
	Width
	Form string `yaml:"form" required:"true" enum:"two-sigma-squared,sigma-squared" doc:"two-sigma-squared: exp(-d²/2σ²); sigma-squared: exp(-d²/σ²)"`
}

// Build returns the Gaussian with Gamma = 1/2σ² or 1/σ².
func (o *GaussianOptions) Build(d Distances) (Kernel, error) {
	return o.build(d, func(sigma float64) (ShiftInvariant, error) {
		var gamma float64
		switch o.Form {
		case "two-sigma-squared":
			gamma = 1 / (2 * sigma * sigma)
		case "sigma-squared":
			gamma = 1 / (sigma * sigma)
		default:
			return nil, fmt.Errorf("form %q: must be two-sigma-squared, exp(-d²/2σ²), or sigma-squared, exp(-d²/σ²)", o.Form)
		}
		if gamma == 0 || math.IsInf(gamma, 1) {
			return nil, fmt.Errorf("sigma is %v: 1/σ² is beyond floating point; take another unit for the data", sigma)
		}
		return NewGaussian(gamma), nil
	})
}

// LaplaceOptions are the parameters of a Laplace kernel.
type LaplaceOptions struct{ Width }

// Build returns the Laplace kernel.
func (o *LaplaceOptions) Build(d Distances) (Kernel, error) {
	return o.build(d, func(sigma float64) (ShiftInvariant, error) { return Laplace{sigma}, nil })
}

// MaternOptions are the parameters of a Matérn kernel.
type MaternOptions struct {
	Width
	Nu string `yaml:"nu" required:"true" enum:"1/2,3/2,5/2" doc:"smoothness ν"`
}

// Build returns the Matérn kernel.
func (o *MaternOptions) Build(d Distances) (Kernel, error) {
	half := map[string]int{"1/2": 1, "3/2": 3, "5/2": 5}[o.Nu]
	if half == 0 {
		return nil, fmt.Errorf("nu %q: must be 1/2, 3/2 or 5/2", o.Nu)
	}
	return o.build(d, func(sigma float64) (ShiftInvariant, error) { return Matern{half, sigma}, nil })
}

// CauchyOptions are the parameters of a Cauchy kernel.
type CauchyOptions struct{ Width }

// Build returns the Cauchy kernel.
func (o *CauchyOptions) Build(d Distances) (Kernel, error) {
	return o.build(d, func(sigma float64) (ShiftInvariant, error) { return Cauchy{sigma}, nil })
}

// PolynomialOptions are the parameters of a polynomial kernel.
type PolynomialOptions struct {
	Degree int     `yaml:"degree" doc:"degree, at least 1 (default 2)"`
	Gamma  float64 `yaml:"gamma" doc:"factor of the inner product, positive (default 1)"`
	Offset float64 `yaml:"offset" doc:"constant added to the product, not negative (default 1)"`
}

// Build returns the polynomial kernel.
func (o *PolynomialOptions) Build(Distances) (Kernel, error) {
	if o.Degree < 1 || o.Degree > 64 || !(o.Gamma > 0) || !(o.Offset >= 0) {
		return nil, fmt.Errorf("polynomial kernel with degree %d, gamma %v, offset %v: needs 1 <= degree <= 64, gamma > 0, offset >= 0", o.Degree, o.Gamma, o.Offset)
	}
	return Polynomial{Degree: o.Degree, Gamma: o.Gamma, Offset: o.Offset}, nil
}

// LinearOptions has no parameters.
type LinearOptions struct{}

// Build returns ⟨x,y⟩.
func (*LinearOptions) Build(Distances) (Kernel, error) { return Polynomial{Degree: 1, Gamma: 1}, nil }

// SeriesOptions are the eigenvalues of a series kernel.
type SeriesOptions struct {
	Decay       *Decay    `yaml:"decay" doc:"law of the eigenvalues"`
	Eigenvalues []float64 `yaml:"eigenvalues" doc:"a finite, positive, non-increasing list instead of decay; an eigenspace that splits equal eigenvalues is not determined"`
	Terms       *int      `yaml:"terms" doc:"cut the law after this number of terms; the finite series is then the population"`
}

// Decay is a law of eigenvalues; exactly one is set.
type Decay struct {
	Power       *float64 `yaml:"power" doc:"λ_i = i^(-power); an even whole power has a closed form, others need terms"`
	Exponential *float64 `yaml:"exponential" doc:"λ_i = exponential^i, strictly between 0 and 1; without terms at most 0.9998"`
}

var errOneLaw = errors.New("decay takes exactly one of power and exponential")

// Law gives λ_i, i from 1, of a series that is cut.
func (d *Decay) Law() (func(i int) float64, error) {
	power, rho := d.Power, d.Exponential
	switch {
	case (power == nil) == (rho == nil):
		return nil, errOneLaw
	case power != nil && !(*power > 0):
		return nil, fmt.Errorf("decay power %v: must be positive", *power)
	case power != nil:
		return func(i int) float64 { return math.Pow(float64(i), -*power) }, nil
	case !(*rho > 0 && *rho < 1):
		return nil, fmt.Errorf("decay exponential %v: must lie strictly between 0 and 1", *rho)
	}
	return func(i int) float64 { return math.Pow(*rho, float64(i)) }, nil
}

// Build returns the series kernel.
func (o *SeriesOptions) Build(Distances) (Kernel, error) {
	s, err := o.Series()
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Series returns the kernel that the options describe.
func (o *SeriesOptions) Series() (*Series, error) {
	switch {
	case (o.Decay == nil) == (o.Eigenvalues == nil):
		return nil, errors.New("give exactly one of decay and eigenvalues")
	case o.Eigenvalues != nil && o.Terms != nil:
		return nil, errors.New("terms goes with decay; a list of eigenvalues is finite as it is")
	case o.Eigenvalues != nil:
		return NewFiniteSeries(o.Eigenvalues)
	case (o.Decay.Power == nil) == (o.Decay.Exponential == nil):
		return nil, errOneLaw
	case o.Terms != nil:
		return o.truncated()
	case o.Decay.Exponential != nil:
		// The time of sums over the eigenvalues grows as their number.
		const least = 5e-6
		rho := *o.Decay.Exponential
		if needed := math.Log(least) / math.Log(rho); rho < 1 && needed > mostTerms {
			return nil, fmt.Errorf("decay exponential %v: %.2g eigenvalues are above %g of the first, more than %d: take at most 0.9998, or cut the series with terms (such as terms: 2000)", rho, needed, least, mostTerms)
		}
		return NewExponentialSeries(rho)
	}
	alpha := *o.Decay.Power
	if alpha != math.Trunc(alpha) || math.Mod(alpha, 2) != 0 || alpha < 2 || alpha > 64 {
		return nil, fmt.Errorf("decay power %v has no closed form here: take an even power from 2 to 64, or cut the series with terms (such as terms: 2000)", alpha)
	}
	return NewPowerSeries(int(alpha))
}

// mostTerms is how many eigenvalues of a series are used at most.
const mostTerms = 100_000

func (o *SeriesOptions) truncated() (*Series, error) {
	terms := *o.Terms
	if terms < 1 || terms > mostTerms {
		return nil, fmt.Errorf("terms %d: must lie between 1 and %d", terms, mostTerms)
	}
	law, err := o.Decay.Law()
	if err != nil {
		return nil, err
	}
	lambda := make([]float64, terms)
	for i := range lambda {
		if lambda[i] = law(i + 1); lambda[i] == 0 {
			return nil, fmt.Errorf("terms %d: eigenvalue %d is below the smallest floating-point number; take terms: %d", terms, i+1, i)
		}
	}
	return NewFiniteSeries(lambda)
}
