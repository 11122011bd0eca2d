package metrics

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods"
)

// residualMeasures are the measures of what a span of points leaves.
var residualMeasures = map[string]Measure{
	"nystrom_residual": {
		Family: ofSpans,
		Doc: "residual of the sample outside the landmarks' span: ‖(I-P)C_n(I-P)‖_op, C_n uncentred, the largest eigenvalue of (K - K_nm K_mm⁺ K_mn)/n; landmarks are γ-preserving with ε if and only if it is at most γε/((1-ε)n); " +
			"for a subspace of H, P projects onto the span in which its components are sought (sketches), or onto that of the k(·,p) in them; not for embeddings that do not keep the distances of H; with the largest k(x,x) of the sample (nystrom_residual_kappa), the κ of KKM's lemmas",
		Reference: "KKM Def 2",
		Cost:      "n² kernel values, n²r flops and 8n² bytes for r dimensions, or, above 5000 points, 3 to 10 times n² kernel values",
		Outputs: []Output{
			{"nystrom_residual", "residual outside the landmarks", Less, traceK},
			{"nystrom_residual_kappa", "largest k(x,x) of the sample", Neither, relative},
		},
		Cancels: true,
		forms:   ofResidual,
		compute: nystromResidual,
	},
	"trace_residual": {
		Family:    ofSpans,
		Doc:       "relative error in the trace norm of the Nyström approximation of the sample's kernel matrix, tr(K - K_nm K_mm⁺ K_mn)/tr K, and the mean squared distance of the k(·,x_i) from the landmarks' span, tr(K - K_nm K_mm⁺ K_mn)/n (trace_residual_mean); the span is that of nystrom_residual",
		Reference: "KKM Def 2",
		Cost:      "n kernel values, nr flops for r dimensions",
		Outputs: []Output{
			{"trace_residual", "relative error in trace norm", Less, overTrace},
			{"trace_residual_mean", "mean squared residual", Less, traceK},
		},
		Cancels: true,
		forms:   ofSpan,
		compute: traceResidual,
	},
	"effective_dimension": {
		Family:    ofSpans,
		Doc:       "d_eff(γ) = tr K(K + γI)⁻¹ of the sample at γ = n/r, r the dimension of the landmarks' span, with γ/n (effective_dimension_level); at most 5000 points; not for embeddings that do not keep the distances of H",
		Reference: "KKM Def 3",
		Cost:      "n² kernel values, 10n³ flops",
		Outputs: []Output{
			{"effective_dimension", "effective dimension", Neither, relative},
			{"effective_dimension_level", "level γ of the effective dimension", Neither, exact},
		},
		Steps:   true,
		forms:   ofSpectrum,
		compute: effectiveDimension,
	},
	"centroid_residual": {
		Family:    ofCentroids,
		Doc:       "extra cost of the partition found if its centroids must lie in the landmarks' span: (1/n)Σ_j |C_j|·‖μ_j - Pμ_j‖², μ_j the clusters' means in H; not for embeddings that do not keep the distances of H",
		Reference: "KKM Lemma 2",
		Cost:      "that of partition_cost on the sample",
		Outputs: []Output{
			{"centroid_residual", "extra cost of restricted centroids", Less, traceK},
		},
		Cancels: true,
		Steps:   true,
		forms:   ofResidual,
		compute: centroidResidual,
	},
}

// projected is K̂ of the subspace that a model projects onto: of an isometric
// embedding its own, of a subspace of H the span that its components were looked for
// in, or else that of the kernel functions that they are sums of. It is nil where there is
// none. n·r kernel values and nr² flops, r the dimension, and for a subspace p²(r + D) on
// its p points.
func (e *evaluation) projected() (*approximation, error) {
	return shared(e, "span", 0, func() (*approximation, error) {
		m, isSubspace := e.model.(*methods.Subspace)
		embedding := e.embedding()
		switch {
		case isSubspace && m.Span != nil:
			z, err := m.Span(e.ctx)
			return e.newApproximation(z, true), err
		case isSubspace:
			z, err := spanOf(e.Kernel, m.Points, e.X)
			return e.newApproximation(z, true), err
		case embedding != nil && embedding.Isometric:
			return e.ofEmbedding(embedding)
		}
		return nil, nil
	})
}

// embedding is the model, or what its clusters were found in; nil for none.
func (e *evaluation) embedding() *methods.Embedding {
	switch m := e.model.(type) {
	case *methods.Embedding:
		return m
	case *methods.Clustering:
		return m.Embedding
	}
	return nil
}

// spanOf is the span of the kernel functions of points, seen from x: coordinates of the
// projections of k(·,x_i) onto it.
func spanOf(k kernel.Kernel, points, x *mat.Dense) (*mat.Dense, error) {
	factor, err := linalg.FactorPivoted(kernel.Gram(k, points), -1)
	if err != nil {
		return nil, fmt.Errorf("kernel matrix of the model's points: %w", err)
	}
	if factor.Rank == 0 {
		return nil, fmt.Errorf("the kernel is 0 on the model's points")
	}
	z := kernel.Cross(k, x, linalg.SelectRows(points, factor.Piv[:factor.Rank]))
	linalg.SolveRight(z, factor.L)
	return z, nil
}

// nystromResidual is λ_max(K − K_nm K_mm⁺ K_mn)/n = ‖(I−P)C_n(I−P)‖_op, P the
// projection onto the span of the landmarks' kernel functions and C_n the
// uncentred covariance operator of the sample. With Q = Π_n − P and S =
// Φ_nΦ_nᵀ, Q ⪯ γ/(1−ε)·(S+γ)⁻¹ says that ‖Q(S+γ)Q‖ ≤ γ/(1−ε): the landmarks are
// γ-preserving exactly if n·nystrom_residual ≤ γε/(1−ε).
//
// Reference: [KKM, Def 2].
func nystromResidual(e *evaluation, _ int, into Values) error {
	s, err := e.projected()
	if err != nil || s == nil {
		return err
	}
	largest, err := s.norms[inSpectral]()
	into["nystrom_residual"] = largest / floats.Sum(e.times())
	into["nystrom_residual_kappa"] = floats.Max(kernel.Diagonal(e.Kernel, e.X))
	return err
}

// weighted is W·A·W for a diagonal W, as linalg.WeighSym makes it.
type weighted struct {
	linalg.Operator
	roots []float64
}

func (w weighted) Apply(dst, src *mat.Dense) {
	w.Operator.Apply(dst, linalg.ScaledRows(src, w.roots))
	linalg.ScaleRows(dst, w.roots)
}

// residualTolerance bounds the relative error of a norm.
const residualTolerance = 1e-8

// traceResidual is tr(K − K̃)/tr K and tr(K − K̃)/n for K̃ = K_nm K_mm⁺ K_mn = ZZᵀ: K − K̃
// is positive, so that its trace is its trace norm, and adds up the squared distances
// ‖(I−P)k(·,x_i)‖² = k(x_i,x_i) − ‖z_i‖².
func traceResidual(e *evaluation, _ int, into Values) error {
	s, err := e.projected()
	if err != nil || s == nil {
		return err
	}
	if into["trace_residual"], err = e.relative(s, inTrace); err != nil {
		return err
	}
	rest, err := s.norms[inTrace]()
	into["trace_residual_mean"] = rest / floats.Sum(e.times())
	return err
}

// effectiveDimension is d_eff(γ) = tr K(K + γI)⁻¹ of the sample at γ = n/r, r the
// dimension of the span of the landmarks' kernel functions: the γ, but for
// constants and logarithms, that r uniform landmarks preserve.
//
// Reference: [KKM, Def 3 and Lemma 1].
func effectiveDimension(e *evaluation, _ int, into Values) error {
	s, err := e.projected()
	if err != nil || s == nil {
		return err
	}
	values, err := e.allEigenvalues(e.newApproximation(nil, true))
	if err != nil {
		return err
	}
	_, r := s.factor.Dims()
	total := floats.Sum(e.times())
	gamma, sum := total/float64(r), 0.0
	for i := len(values) - 1; i >= 0; i-- {
		v := max(values[i], 0)
		sum += v / (v + gamma)
	}
	into["effective_dimension"], into["effective_dimension_level"] = sum, gamma/total
	return nil
}

// centroidResidual is (1/n) Σ_j |C_j|·‖μ_j − Pμ_j‖², μ_j the means in H of the
// clusters found: what the partition costs more where its centroids must lie in
// the landmarks' span. For the partition of the empirical minimiser it bounds
// W(C_{n,m}, μ_n) − W(C_n, μ_n).
//
// Reference: [KKM, proof of Lemma 2], (1/n)·tr S(K − K̃)S.
func centroidResidual(e *evaluation, _ int, into Values) error {
	s, err := e.projected()
	if err != nil || s == nil {
		return err
	}
	m, err := e.clusterMeans()
	if err != nil {
		return err
	}
	_, r := s.factor.Dims()
	c, times := e.model.(*methods.Clustering), e.times()
	sums := mat.NewDense(c.Clusters, r, nil)
	for i, label := range c.Labels {
		floats.AddScaled(sums.RawRowView(label), times[i], s.factor.RawRowView(i))
	}
	total := 0.0
	for j, members := range m.members {
		if members == nil {
			continue
		}
		row := sums.RawRowView(j)
		total += max(0, m.within[j]-floats.Dot(row, row)) / m.count(j)
	}
	into["centroid_residual"] = total / floats.Sum(times)
	return nil
}
