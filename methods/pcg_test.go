package methods_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

// system is AX = B with a preconditioner, by dense matrices.
type system struct {
	a, p *mat.Dense
	b    *mat.Dense
}

// gradients are the iterates of the textbook's algorithm with a general inverse of P, and their
// relative residuals, for so many iterations.
func (s system) gradients(count int) (iterates []*mat.Dense, residuals []float64) {
	n, q := s.b.Dims()
	dot := func(a, b mat.Matrix) float64 {
		var products mat.Dense
		products.MulElem(a, b)
		return mat.Sum(&products)
	}
	var inverse, z, p mat.Dense
	if err := inverse.Inverse(s.p); err != nil {
		panic(err)
	}
	x, r := mat.NewDense(n, q, nil), mat.DenseCopyOf(s.b)
	z.Mul(&inverse, r)
	p.CloneFrom(&z)
	for {
		iterates, residuals = append(iterates, mat.DenseCopyOf(x)), append(residuals, mat.Norm(r, 2)/mat.Norm(s.b, 2))
		if len(iterates) > count {
			return iterates, residuals
		}
		var image, step mat.Dense
		image.Mul(s.a, &p)
		rho := dot(r, &z)
		alpha := rho / dot(&p, &image)
		step.Scale(alpha, &p)
		x.Add(x, &step)
		step.Scale(alpha, &image)
		r.Sub(r, &step)
		z.Mul(&inverse, r)
		p.Scale(dot(r, &z)/rho, &p)
		p.Add(&p, &z)
	}
}

// pcgProblem is n points with responses under a narrow kernel, whose matrices are
// well-conditioned.
func pcgProblem(n, m int) methods.Sample {
	p := regressionProblem(n, m)
	p.Kernel = kernel.NewGaussian(300)
	return p
}

const pcgRidge = 1e-3

// pcgCases are fits with a preconditioner, and the systems that they solve on the points of
// their iterates.
var pcgCases = map[string]struct {
	options methods.Options
	system  func(p methods.Sample, points *mat.Dense) system
}{
	"krr-pcg none":                       {krrBy("none", true), func(p methods.Sample, _ *mat.Dense) system { return fullSystem(p, nil) }},
	"krr-pcg nystrom":                    {krrBy("nystrom", true), nystromSystem},
	"krr-pcg nystrom, kernel not stored": {krrBy("nystrom", false), nystromSystem},
	"krr-pcg rff": {krrBy("rff", true), func(p methods.Sample, _ *mat.Dense) system {
		z := mat.NewDense(p.X.RawMatrix().Rows, 2*p.Sizes.M, nil)
		kernel.Maps["fourier"].New(p.Kernel, p.Sizes.M, 2, newRand(3)).Transform(z, p.X)
		return fullSystem(p, product(z, z.T()))
	}},
	"nystrom-krr none": {nystromBy("none"), func(p methods.Sample, points *mat.Dense) system {
		s := restricted(p, points, nil)
		m, _ := points.Dims()
		s.p = mat.NewDense(m, m, nil)
		for i := range m {
			s.p.Set(i, i, 1)
		}
		return s
	}},
	"nystrom-krr falkon": {nystromBy("falkon"), func(p methods.Sample, points *mat.Dense) system {
		kmm := kernel.Cross(p.Kernel, points, points)
		square := product(kmm, kmm)
		square.Scale(float64(p.Sizes.N)/float64(p.Sizes.M), square)
		return restricted(p, points, square)
	}},
	"nystrom-krr krill": {nystromBy("krill"), func(p methods.Sample, points *mat.Dense) system {
		n, m := p.X.RawMatrix().Rows, points.RawMatrix().Rows
		rng, s := newRand(3), mat.NewDense(2*m, n, nil)
		for i := range n {
			for range 8 {
				sign := float64(2*rng.IntN(2) - 1)
				at := rng.IntN(2 * m)
				s.Set(at, i, s.At(at, i)+sign/math.Sqrt(8))
			}
		}
		sketch := product(s, rooted(p, kernel.Cross(p.Kernel, p.X, points)))
		return restricted(p, points, product(sketch.T(), sketch))
	}},
}

func krrBy(preconditioner string, store bool) methods.Options {
	return &methods.KRRPCGOptions{RidgeOptions: methods.RidgeOptions{Ridge: pcgRidge}, PCGOptions: methods.PCGOptions{MaxIter: 12, Tol: 1e-12},
		Preconditioner: preconditioner, StoreKernel: store, Landmarks: landmark.By("first"), Features: "fourier"}
}

func nystromBy(preconditioner string) methods.Options {
	return &methods.NystromKRROptions{RidgeOptions: methods.RidgeOptions{Ridge: pcgRidge}, PCGOptions: methods.PCGOptions{MaxIter: 12, Tol: 1e-12},
		Preconditioner: preconditioner, Landmarks: landmark.By("first")}
}

// rooted is W^(1/2)A.
func rooted(p methods.Sample, a *mat.Dense) *mat.Dense {
	a = mat.DenseCopyOf(a)
	for i, c := range p.Counts {
		for j := range a.RawRowView(i) {
			a.Set(i, j, math.Sqrt(c)*a.At(i, j))
		}
	}
	return a
}

// shifted adds nλ times another matrix, nil for the identity.
func shifted(p methods.Sample, a, by *mat.Dense) *mat.Dense {
	sum := mat.DenseCopyOf(a)
	n, _ := a.Dims()
	for i := range n {
		for j := range n {
			v := 0.0
			if by != nil {
				v = by.At(i, j)
			} else if i == j {
				v = 1
			}
			sum.Set(i, j, sum.At(i, j)+float64(p.Sizes.N)*pcgRidge*v)
		}
	}
	return sum
}

// fullSystem is W^(1/2)KW^(1/2) + nλI with W^(1/2)MW^(1/2) + nλI beside it, nil for the identity.
func fullSystem(p methods.Sample, m *mat.Dense) system {
	both := func(a *mat.Dense) *mat.Dense { return rooted(p, mat.DenseCopyOf(rooted(p, a).T())) }
	k := kernel.Cross(p.Kernel, p.X, p.X)
	s := system{shifted(p, both(k), nil), mat.NewDense(k.RawMatrix().Rows, k.RawMatrix().Rows, nil), rooted(p, p.Responses)}
	if m != nil {
		s.p = shifted(p, both(m), nil)
		return s
	}
	for i := range k.RawMatrix().Rows {
		s.p.Set(i, i, 1)
	}
	return s
}

func nystromSystem(p methods.Sample, _ *mat.Dense) system {
	first := mat.DenseCopyOf(p.X.Slice(0, p.Sizes.M, 0, 2))
	knm := kernel.Cross(p.Kernel, p.X, first)
	var inverse mat.Dense
	if err := inverse.Inverse(kernel.Cross(p.Kernel, first, first)); err != nil {
		panic(err)
	}
	return fullSystem(p, product(product(knm, &inverse), knm.T()))
}

// restricted is K_mn W K_nm + nλK_mm with M + nλK_mm beside it.
func restricted(p methods.Sample, points, m *mat.Dense) system {
	knm, kmm := rooted(p, kernel.Cross(p.Kernel, p.X, points)), kernel.Cross(p.Kernel, points, points)
	s := system{a: shifted(p, product(knm.T(), knm), kmm), b: product(knm.T(), rooted(p, p.Responses))}
	if m != nil {
		s.p = shifted(p, m, kmm)
	}
	return s
}

// pcgVariants are the problem itself, with two responses, and with points that stand for several.
func pcgVariants() map[string]methods.Sample {
	one, two, several := pcgProblem(70, 20), pcgProblem(70, 20), pcgProblem(70, 20)
	var both mat.Dense
	both.Augment(two.Responses, two.X.ColView(0))
	two.Responses = &both
	several.Sizes.N = 0
	for i := range 70 {
		several.Counts = append(several.Counts, float64(1+i%3))
		several.Sizes.N += 1 + i%3
	}
	return map[string]methods.Sample{"one response": one, "two responses": two, "counts": several}
}

// TestIteratesOfPCG: iterates and residuals are those of the textbook's algorithm with a general
// inverse of the papers' preconditioner, and residuals those of the iterates from scratch. 1e-8:
// twelve iterations multiply the rounding of inverses of matrices of condition 1e4 and less.
func TestIteratesOfPCG(t *testing.T) {
	for name, c := range pcgCases {
		for kind, p := range pcgVariants() {
			if kind == "counts" && strings.Contains(name, "nystrom") {
				continue // landmarks: first takes no counts
			}
			method, err := c.options.Method()
			if err != nil {
				t.Fatal(err)
			}
			model, err := method.Fit(t.Context(), p, newRand(3))
			if err != nil {
				t.Fatal(err)
			}
			m := model.(*methods.Regression)
			path := m.Iterates.(kernel.Expansion)
			s := c.system(p, path.Points)
			n, q := s.b.Dims()
			iterates, residuals := s.gradients(len(m.Residuals) - 1)
			last := residuals[len(residuals)-1]
			if got := len(m.Residuals); got < 4 || got-1 > 12 || (last > 1e-12) != (got-1 == 12) || path.Len() != q*got || m.Len() != q {
				t.Fatalf("%s, %s: %d iterations to %.2g, %d functions", name, kind, got-1, last, path.Len())
			}
			for i, want := range iterates {
				got := mat.DenseCopyOf(path.Coef.Slice(0, n, i*q, (i+1)*q))
				var off, true_ mat.Dense
				if off.Sub(got, rootedCoefficients(p, want)); !(mat.Norm(&off, 2) <= 1e-8*mat.Norm(iterates[len(iterates)-1], 2)) {
					t.Errorf("%s, %s: iterate %d is off by %.2g", name, kind, i, mat.Norm(&off, 2))
				}
				true_.Mul(s.a, want)
				true_.Sub(s.b, &true_)
				for _, want := range []float64{residuals[i], mat.Norm(&true_, 2) / mat.Norm(s.b, 2)} {
					if !(math.Abs(m.Residuals[i]-want) <= 1e-8) {
						t.Errorf("%s, %s: residual %d is %v, want %v", name, kind, i, m.Residuals[i], want)
					}
				}
			}
			if slices.ContainsFunc(m.Caveats(0), func(w string) bool { return strings.Contains(w, "not converged") }) != (last > 1e-12) {
				t.Errorf("%s, %s: %.2g after %d iterations, warnings %q", name, kind, last, len(m.Residuals)-1, m.Caveats(0))
			}
		}
	}
}

// rootedCoefficients are W^(1/2)X of the full system, and X of the restricted one.
func rootedCoefficients(p methods.Sample, x *mat.Dense) *mat.Dense {
	if x.RawMatrix().Rows != len(p.Counts) {
		return x
	}
	return rooted(p, x)
}

// TestPCGSolvesTheSystem: at a small tolerance values are those of the direct solvers to 1e-8, with
// every rule of landmarks, and more landmarks than the rank of their kernel matrix.
func TestPCGSolvesTheSystem(t *testing.T) {
	ridge, pcg := methods.RidgeOptions{Ridge: 1e-3}, methods.PCGOptions{MaxIter: 400, Tol: 1e-14}
	for _, p := range []methods.Sample{pcgProblem(90, 30), regressionProblem(90, 60)} {
		want := valuesOf(t, &methods.KRROptions{RidgeOptions: ridge}, p, 1)
		for _, rule := range landmark.Names() {
			if rule == "file" || rule == "exec" {
				continue
			}
			for _, preconditioner := range []string{"none", "nystrom", "rff"} {
				o := &methods.KRRPCGOptions{RidgeOptions: ridge, PCGOptions: pcg, Preconditioner: preconditioner, StoreKernel: true, Landmarks: landmark.By(rule), Features: "orthogonal"}
				closeTo(t, "krr-pcg "+preconditioner+" "+rule, valuesOf(t, o, p, 1), want, 1e-8)
			}
		}
		for _, rule := range []string{"uniform", "rpcholesky"} {
			o := methods.NystromKRROptions{RidgeOptions: ridge, Landmarks: landmark.By(rule)}
			direct := valuesOf(t, &o, p, 1)
			for _, preconditioner := range []string{"falkon", "krill"} {
				o.PCGOptions, o.Preconditioner = pcg, preconditioner
				closeTo(t, "nystrom-krr "+preconditioner+" "+rule, valuesOf(t, &o, p, 1), direct, 1e-8)
			}
		}
	}
}

func closeTo(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tolerance) {
			t.Errorf("%s: value %d is %v, want %v", what, i, got[i], want[i])
			return
		}
	}
}

const scipyProgram = `
import json, sys
import numpy as np
from scipy.sparse.linalg import cg, LinearOperator
answers = []
for job in json.load(sys.stdin):
    a, p, b = (np.array(job[k]) for k in "apb")
    inverse, residuals = np.linalg.inv(p), [1.0]
    cg(a, b, tol=1e-30, atol=0, maxiter=job["iterations"], M=inverse, callback=lambda x: residuals.append(float(np.linalg.norm(b - a @ x) / np.linalg.norm(b))))
    answers.append(residuals)
json.dump(answers, sys.stdout)
`

// TestPCGAgainstScipy: each residual is that of scipy.sparse.linalg.cg with the same
// preconditioner, to 1e-8.
func TestPCGAgainstScipy(t *testing.T) {
	python := pythonWith(t, "scipy")
	type job struct {
		A          [][]float64 `json:"a"`
		P          [][]float64 `json:"p"`
		B          []float64   `json:"b"`
		Iterations int         `json:"iterations"`
	}
	rows := func(a *mat.Dense) (all [][]float64) {
		for i := range a.RawMatrix().Rows {
			all = append(all, mat.Row(nil, i, a))
		}
		return all
	}
	var names []string
	var jobs []job
	var got, want [][]float64
	for name, c := range pcgCases {
		p := pcgProblem(70, 20)
		method, err := c.options.Method()
		if err != nil {
			t.Fatal(err)
		}
		model, err := method.Fit(context.Background(), p, newRand(3))
		if err != nil {
			t.Fatal(err)
		}
		m := model.(*methods.Regression)
		s := c.system(p, m.Iterates.(kernel.Expansion).Points)
		names, got = append(names, name), append(got, m.Residuals)
		jobs = append(jobs, job{rows(s.a), rows(s.p), mat.Col(nil, 0, s.b), len(m.Residuals) - 1})
	}
	text, err := json.Marshal(jobs)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(python, "-W", "ignore", "-c", scipyProgram)
	command.Stdin = bytes.NewReader(text)
	answer, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(answer, &want); err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		if len(got[i]) != len(want[i]) {
			t.Fatalf("%s: %d residuals, %d of SciPy", name, len(got[i]), len(want[i]))
		}
		closeTo(t, name, got[i], want[i], 1e-8)
	}
}

// TestPreconditionersSaveIterations: on a system of condition 1e7 conjugate gradients alone do not come to
// 1e-6 in 100 iterations, and with as many landmarks as the effective dimension they take ten or so.
func TestPreconditionersSaveIterations(t *testing.T) {
	p := regressionProblem(600, 120)
	for name, o := range map[string]methods.Options{
		"none":    &methods.KRRPCGOptions{RidgeOptions: methods.RidgeOptions{Ridge: 1e-7}, PCGOptions: methods.PCGOptions{MaxIter: 100, Tol: 1e-6}, Preconditioner: "none", StoreKernel: true},
		"nystrom": &methods.KRRPCGOptions{RidgeOptions: methods.RidgeOptions{Ridge: 1e-7}, PCGOptions: methods.PCGOptions{MaxIter: 100, Tol: 1e-6}, Preconditioner: "nystrom", StoreKernel: true, Landmarks: landmark.By("rpcholesky")},
		"falkon":  &methods.NystromKRROptions{RidgeOptions: methods.RidgeOptions{Ridge: 1e-7}, PCGOptions: methods.PCGOptions{MaxIter: 100, Tol: 1e-6}, Preconditioner: "falkon", Landmarks: landmark.By("rpcholesky")},
		"krill":   &methods.NystromKRROptions{RidgeOptions: methods.RidgeOptions{Ridge: 1e-7}, PCGOptions: methods.PCGOptions{MaxIter: 100, Tol: 1e-6}, Preconditioner: "krill", Landmarks: landmark.By("rpcholesky")},
	} {
		method, err := o.Method()
		if err != nil {
			t.Fatal(err)
		}
		iterations := len(fitted(t, method, p).(*methods.Regression).Residuals) - 1
		if (name == "none") != (iterations == 100) {
			t.Errorf("%s: %d iterations", name, iterations)
		}
	}
}
