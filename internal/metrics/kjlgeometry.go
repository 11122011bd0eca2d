package metrics

import (
	"errors"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// distanceMeasures are the measures of what a sketch does to distances.
var distanceMeasures = map[string]Measure{
	"kjl_weak_error": {
		Family:    ofGaussians,
		Doc:       "|⟨α, V̂ᵀSf⟩ - ⟨α, Θf⟩| of a Gaussian sketch (not srht) for f the first eigenfunction, α the first unit vector and one draw of Θ, given by the sketch's second coordinate; not computed at d = 1",
		Reference: "KJL Thm 2",
		Cost:      "n² kernel values",
		Outputs: []Output{
			{"kjl_weak_error", "weak error", Less, rootC},
		},
		compute: inSketch(kjlWeakError),
	},
	"kjl_sample": {
		Family:    ofSketches,
		Doc:       "tr Σn³ and ‖Σn³‖_op of the n sketched points, uncentred; their quotient is the effective dimension s of Σn³",
		Reference: "KJL Lemma B.3",
		Cost:      "n² kernel values, n³ flops; with a kernel of finite rank p, np² flops",
		Outputs: []Output{
			{"kjl_sample_trace", "tr Σₙ³", Neither, relative},
			{"kjl_sample_norm", "‖Σₙ³‖", Neither, relative},
		},
		forms:   ofSketchOperators,
		compute: inSketch(kjlSample),
	},
	"kjl_stretch": {
		Family:    ofSketches,
		Doc:       "largest ‖V̂ᵀSh‖² of a sketch over unit h in H, the norm of S*V̂V̂ᵀS; λ_1³ in the limit",
		Reference: "KJL eq 12",
		Cost:      "n² kernel values, 2n²d flops, O(d²); with a kernel of finite rank p, npd flops",
		Outputs: []Output{
			{"kjl_stretch", "largest squared stretch", Neither, relative},
		},
		compute: inSketch(kjlStretch),
	},
	"kjl_separation": {
		Family: ofSeparations,
		Doc: "smallest squared distance between points of different classes in a sketch, and in H (kjl_separation_h, Δ), and the part of Δ that the sketch keeps in the limit, max_k λ_k³(Δ - 4ε_kκ) for k up to 50, " +
			"ε_k the largest share of k(·,x) outside the k leading eigenfunctions (kjl_separation_limit); on at most 10,000 points, drawn at random from a larger sample",
		Reference: "KJL eq 11, Assumption 1",
		Cost:      "two passes over all pairs of the points",
		Outputs: []Output{
			{"kjl_separation", "least squared distance, sketch", Neither, kappaC},
			{"kjl_separation_h", "least squared distance, in H", Neither, supremum},
			{"kjl_separation_limit", "least squared distance, limit", Neither, kappaC},
		},
		compute: inSketch(kjlSeparation),
	},
	"kjl_means": {
		Family: ofMeansOfClasses,
		Doc: "squared distance between the means of two classes of the held-out points in a sketch, and in H (kjl_means_h), and λ_1³(‖μ_1 - μ_2‖² - σ/π_1π_2) (kjl_means_limit), " +
			"σ the largest eigenvalue of the classes' covariance operators, π their shares; only with two classes",
		Reference: "KJL eq 13",
		Cost:      "N(n + p) kernel values and O(Np) flops for N held-out points, p functions of the population",
		Outputs: []Output{
			{"kjl_means", "squared distance of means, sketch", Neither, kappaC},
			{"kjl_means_h", "squared distance of means, in H", Neither, supremum},
			{"kjl_means_limit", "squared distance of means, limit", Neither, kappaC},
		},
		compute: inSketch(kjlMeans),
	},
}

// kjlSample is tr Σn³ and ‖Σn³‖_op of the sketch's own points, uncentred: n²
// kernel values and n³ flops, or np² flops by p coordinates where these carry the
// kernel.
//
// Reference: [KJL, Lemma B.3].
func kjlSample(e *evaluation, s *sketch, into Values) error {
	var moment *mat.SymDense // with the eigenvalues of n·Σn
	if s.exhausted() {
		moment = linalg.Gram(blas.Trans, s.weighed(s.seen))
	} else {
		moment = kernel.Gram(s.functions.Kernel, s.functions.Points)
		if s.counts != nil {
			linalg.WeighSym(moment, s.counts)
		}
	}
	largest, err := largestEigenvalue(linalg.Symmetric(moment), "the kernel matrix of the sketch's points")
	if err != nil {
		return err
	}
	square := linalg.Gram(blas.NoTrans, mat.DenseCopyOf(moment))
	trace := 0.0
	for i := range moment.SymmetricDim() {
		trace += moment.At(i, i) * square.At(i, i)
		for j := range i {
			trace += 2 * moment.At(j, i) * square.At(j, i)
		}
	}
	cube := math.Pow(s.size(), 3)
	into["kjl_sample_trace"], into["kjl_sample_norm"] = trace/cube, math.Pow(largest, 3)/cube
	return nil
}

func largestEigenvalue(a linalg.Operator, what string) (float64, error) {
	top, err := leading(a, 1, linalg.DefaultTopOptions(1), what)
	if err != nil {
		return 0, err
	}
	return max(top.Values[0], 0), nil
}

// kjlWeakError is |⟨α, V̂ᵀS_X f⟩ − ⟨α, Θf⟩| for f = φ_1, α the first unit vector and
// one draw of Θ. Given the sample the coordinates of V̂ᵀS_X f are independent
// N(0, ⟨f,Σn³f⟩/d): the second, scaled to the variance ⟨f,Σ³f⟩/d of those of Θf, is
// a draw of ⟨α, Θf⟩ that is independent of the first. A sketch of one
// coordinate has none.
//
// Reference: [KJL, Thm 2].
func kjlWeakError(e *evaluation, s *sketch, into Values) error {
	values, projected := s.onLeading()
	if projected.Len() < 2 {
		return nil
	}
	given := s.given(values)
	if !(given > 0) {
		return errors.New("the first eigenfunction is 0 at all points of the sketch")
	}
	into["kjl_weak_error"] = math.Abs(projected.AtVec(0) - math.Sqrt(s.limit()/given)*projected.AtVec(1))
	return nil
}

// kjlStretch is sup ‖V̂ᵀS_X h‖² over unit h in H, the norm of S*V̂V̂ᵀS: n² kernel
// values, 2n²d flops and the largest eigenvalue of a d×d matrix, or np(d + p) flops and
// a p×p matrix by p coordinates where these carry the kernel.
//
// Reference: [KJL, eq 12]. Deviation: the equation adds a term to
// λ_1³‖f−g‖² that does not scale with f−g, though it is to hold on all of H;
// this is its left side for unit f−g.
func kjlStretch(e *evaluation, s *sketch, into Values) error {
	var err error
	into["kjl_stretch"], err = largestEigenvalue(linalg.Symmetric(s.form()), "the sketch")
	return err
}

// form has the eigenvalues of S*V̂V̂ᵀS, but for zeros.
func (s *sketch) form() *mat.SymDense {
	if s.exhausted() {
		functions := new(mat.Dense)
		functions.Mul(s.seen.T(), s.functions.Coef)
		return linalg.Gram(blas.NoTrans, functions)
	}
	return linalg.SymmetricProduct(s.functions.Coef, s.functions.Eval(s.functions.Points))
}

// mostLeading is how many eigenfunctions of Σ the k of Assumption 1 is looked
// for among.
const mostLeading = 50

// kjlSeparation is the least squared distance of the images of sample points of
// different classes, that of their kernel functions, Δ, and what the sketch
// keeps of it in the limit, max_k λ_k³(Δ − 4ε_k κ), with κ and ε_k the largest
// k(x,x) and ‖(I−P_k)k(·,x)‖²/k(x,x) over the same points, P_k the projection onto
// the k leading eigenfunctions of the uncentred Σ.
//
// Reference: [KJL, eq 11 and Assumption 1]. Deviation: 4εκ for 2εκ, which
// ‖(I−P)(f−g)‖² ≤ 2(‖(I−P)f‖² + ‖(I−P)g‖²) ≤ 4εκ needs; ε is that of the points, so
// that no point is left out, η = 0.
func kjlSeparation(e *evaluation, s *sketch, into Values) error {
	x, classes, times := e.classed()
	inH := geometry{kernel: e.Kernel, points: x, norm2: kernel.Diagonal(e.Kernel, x)}
	apart, err := inH.separate(e.ctx, classes, times)
	if err != nil {
		return err
	}
	images, err := e.separated()
	if err != nil || math.IsInf(apart.closest, 1) {
		return err // all points are of one class
	}
	delta := apart.closest * apart.closest
	limit, err := s.keeps(x, inH.norm2, delta)
	if err != nil {
		return err
	}
	into["kjl_separation"], into["kjl_separation_h"], into["kjl_separation_limit"] = images.closest*images.closest, delta, limit
	return nil
}

// keeps is max_k λ_k³(Δ − 4ε_k κ) on the rows of x.
func (s *sketch) keeps(x *mat.Dense, norm2 []float64, delta float64) (float64, error) {
	count := min(mostLeading, s.truth.Sigma.SymmetricDim())
	top, err := leading(linalg.Symmetric(s.truth.Sigma), count, linalg.DefaultTopOptions(count), "Σ")
	if err != nil {
		return 0, err
	}
	var coordinates mat.Dense
	coordinates.Mul(s.truth.Coordinates(x), top.Vectors)
	kappa, best := floats.Max(norm2), math.Inf(-1)
	seen := make([]float64, len(norm2)) // ‖P_k k(·,x)‖²
	for k, lambda := range top.Values {
		epsilon := 0.0
		for i, whole := range norm2 {
			v := coordinates.At(i, k)
			seen[i] += v * v
			if whole > 0 {
				epsilon = max(epsilon, 1-seen[i]/whole)
			}
		}
		best = max(best, math.Pow(max(lambda, 0), 3)*(delta-4*epsilon*kappa))
	}
	return best, nil
}

// kjlMeans are, of a population of two classes with means μ_1, μ_2 in H and
// shares π_1, π_2: ‖V̂ᵀS_X(μ_1−μ_2)‖², ‖μ_1−μ_2‖², and λ_1³(‖μ_1−μ_2‖² − σ/π_1π_2), which
// the sketch keeps of it in the limit where π_1μ_1 + π_2μ_2 = 0; σ is the largest
// eigenvalue of the classes' covariance operators. Of more or fewer classes
// there is none.
//
// Reference: [KJL, eq 13].
func kjlMeans(e *evaluation, s *sketch, into Values) error {
	of := map[int][]int{}
	for i, label := range e.HeldOutLabels {
		of[label] = append(of[label], i)
	}
	if len(of) != 2 {
		return nil
	}
	shares, sigma := 1.0, 0.0
	coordinates, images := s.truth.Coordinates(e.HeldOut), s.functions.Eval(e.HeldOut)
	_, p := coordinates.Dims()
	_, d := images.Dims()
	apart, sketched := make([]float64, p), make([]float64, d)
	n := float64(len(e.HeldOutLabels))
	sign := 1.0
	for _, label := range slices.Sorted(maps.Keys(of)) {
		rows := of[label]
		count := float64(len(rows))
		shares *= count / n
		class := linalg.SelectRows(coordinates, rows)
		addMean(apart, sign, class)
		addMean(sketched, sign, linalg.SelectRows(images, rows))
		centre(class)
		spread, err := largestEigenvalue(linalg.Gramian(mat.DenseCopyOf(class.T())), "the covariance of a class")
		if err != nil {
			return err
		}
		sigma, sign = max(sigma, spread/count), -1
	}
	square := floats.Dot(apart, apart)
	into["kjl_means"], into["kjl_means_h"] = floats.Dot(sketched, sketched), square
	into["kjl_means_limit"] = s.limit() * (square - sigma/shares)
	return nil
}

// addMean adds sign times the mean of the rows of a.
func addMean(dst []float64, sign float64, a *mat.Dense) {
	n, _ := a.Dims()
	for i := range n {
		floats.AddScaled(dst, sign/float64(n), a.RawRowView(i))
	}
}
