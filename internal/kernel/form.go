package kernel

import (
	"fmt"
	"math"
)

// Form is a kernel as another program can compute it: its name, its formula and
// the numbers in it. Which numbers there are depends on the name:
//
//	gaussian    gamma
//	laplace     sigma
//	matern      nu (0.5, 1.5 or 2.5), sigma
//	cauchy      sigma
//	rational-quadratic  alpha, sigma
//	chi2        gamma
//	intersection
//	sum         of
//	product     of
//	scale       factor, of (one)
//	power       exponent, of (one)
//	normalise   of (one)
//	lengthscales  lengthscales, of (one)
//	periodic    period, sigma
//	cosine
//	arc-cosine  order (0 or 1), depth
//	ntk         depth
//	exec
//	linear
//	polynomial  degree, gamma, offset
//	series      one of power, rho, eigenvalues
type Form struct {
	Name         string    `json:"name"`
	Formula      string    `json:"formula"`
	Gamma        *float64  `json:"gamma,omitempty"`
	Sigma        *float64  `json:"sigma,omitempty"`
	Factor       *float64  `json:"factor,omitempty"`
	Of           []Form    `json:"of,omitempty"` // of the kernels that it is made of
	Lengthscales []float64 `json:"lengthscales,omitempty"`
	Exponent     *int      `json:"exponent,omitempty"`
	Period       *float64  `json:"period,omitempty"`
	Alpha        *float64  `json:"alpha,omitempty"`
	Nu           *float64  `json:"nu,omitempty"`
	Degree       *int      `json:"degree,omitempty"`
	Offset       *float64  `json:"offset,omitempty"`
	Order        *int      `json:"order,omitempty"`
	Depth        *int      `json:"depth,omitempty"`
	Power        *float64  `json:"power,omitempty"`       // λ_i = i^-power
	Rho          *float64  `json:"rho,omitempty"`         // λ_i = rho^i
	Eigenvalues  []float64 `json:"eigenvalues,omitempty"` // λ_1, λ_2, …, all there are
}

// maternFormulas by 2ν.
var maternFormulas = map[int]string{
	1: "exp(-r), r = |x-y|/sigma",
	3: "(1 + r) exp(-r), r = sqrt(3) |x-y|/sigma",
	5: "(1 + r + r^2/3) exp(-r), r = sqrt(5) |x-y|/sigma",
}

// FormOf is the form of a kernel; it fails for one that has none.
func FormOf(k Kernel) (Form, error) {
	k = Plain(k)
	f := simpleForm(k)
	if f.Name == "" {
		return f, fmt.Errorf("%s has no form that another program could compute it from", k)
	}
	for _, k := range parts(k) {
		part, err := FormOf(k)
		if err != nil {
			return Form{}, err
		}
		f.Of = append(f.Of, part)
	}
	return f, nil
}

// simpleForm is the form without those of parts, of no name where there is none.
func simpleForm(k Kernel) Form {
	switch k := k.(type) {
	case Gaussian:
		return Form{Name: "gaussian", Formula: "exp(-gamma |x-y|^2)", Gamma: &k.Gamma}
	case Laplace:
		return Form{Name: "laplace", Formula: "exp(-sum_j |x_j-y_j| / sigma)", Sigma: &k.Sigma}
	case Matern:
		nu := float64(k.Half) / 2
		return Form{Name: "matern", Formula: maternFormulas[k.Half], Nu: &nu, Sigma: &k.Sigma}
	case Cauchy:
		return Form{Name: "cauchy", Formula: "prod_j 1/(1 + (x_j-y_j)^2/sigma^2)", Sigma: &k.Sigma}
	case Polynomial:
		if k == (Polynomial{Degree: 1, Gamma: 1}) {
			return Form{Name: "linear", Formula: "<x,y>"}
		}
		return Form{Name: "polynomial", Formula: "(gamma <x,y> + offset)^degree", Degree: &k.Degree, Gamma: &k.Gamma, Offset: &k.Offset}
	case Sum:
		return Form{Name: "sum", Formula: "the sum of the kernels in of"}
	case Product:
		return Form{Name: "product", Formula: "the product of the kernels in of"}
	case Scaled:
		return Form{Name: "scale", Formula: "factor times the kernel in of", Factor: &k.Factor}
	case Power:
		return Form{Name: "power", Formula: "the kernel in of to the power of exponent", Exponent: &k.Exponent}
	case Normalised:
		return Form{Name: "normalise", Formula: "k(x,y)/sqrt(k(x,x) k(y,y)), k the kernel in of, 0/0 = 0"}
	case ARD:
		return Form{Name: "lengthscales", Formula: "the kernel in of, coordinates divided by lengthscales", Lengthscales: k.Scales}
	case ArcCosine:
		formula := "1 - theta/pi, theta the angle of x and y"
		if k.Order == 1 {
			formula = "|x||y| J(...J(cos theta)), depth times J(cos t) = (sin t + (pi-t) cos t)/pi"
		}
		return Form{Name: "arc-cosine", Formula: formula, Order: &k.Order, Depth: &k.Depth}
	case Cosine:
		return Form{Name: "cosine", Formula: "<x,y>/(|x||y|)"}
	case Exec:
		return Form{Name: "exec", Formula: "values of " + k.String()}
	case Chi2:
		return Form{Name: "chi2", Formula: "exp(-gamma sum_j (x_j-y_j)^2/(x_j+y_j))", Gamma: &k.Gamma}
	case Intersection:
		return Form{Name: "intersection", Formula: "sum_j min(x_j,y_j)"}
	case NTK:
		return Form{Name: "ntk", Formula: "|x||y| T_depth, T_0 = c_0 = cos angle(x,y), T_h = T_(h-1) (1 - acos(c_(h-1))/pi) + c_h, c_h = J(c_(h-1)), J(cos t) = (sin t + (pi-t) cos t)/pi", Depth: &k.Depth}
	case Periodic:
		return Form{Name: "periodic", Formula: "prod_j exp(-2 sin^2(pi (x_j-y_j)/period)/sigma^2)", Period: &k.Period, Sigma: &k.Sigma}
	case Precomputed:
		return Form{Name: "precomputed", Formula: "K_xy, x and y indices of a kernel matrix; gram: true passes that of the sample"}
	case RationalQuadratic:
		return Form{Name: "rational-quadratic", Formula: "(1 + |x-y|^2/(2 alpha sigma^2))^-alpha", Alpha: &k.Alpha, Sigma: &k.Sigma}
	case *Series:
		return k.form()
	}
	return Form{}
}

func (s *Series) form() Form {
	f := Form{Name: "series", Formula: "2 sum_{i>=1} lambda_i cos(pi i x) cos(pi i y)"}
	switch d := s.decay.(type) {
	case powerDecay:
		power := float64(d.alpha * s.power)
		f.Power = &power
	case exponentialDecay:
		rho := math.Pow(d.rho, float64(s.power))
		f.Rho = &rho
	case finiteDecay, *gridDecay:
		f.Eigenvalues = make([]float64, s.Terms())
		for i := range f.Eigenvalues {
			f.Eigenvalues[i] = s.Eigenvalue(i + 1)
		}
	}
	return f
}
