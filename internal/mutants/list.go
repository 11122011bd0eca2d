package main

// mutant is a mistake, made on purpose in one place.
type mutant struct {
	name string
	says string // the mistake, in words
	file string // from the root of the module
	old  string // what occurs there exactly once,
	new  string // and what replaces it
	// Who should notice: packages whose tests are run until one fails, and experiments
	// whose smoke profile is run.
	tests  []string
	smokes []string
}

// list has the mistakes by where they are: streams and samples, kernels and features,
// estimators, landmarks, clusterings, measures, theorems and verdicts.
var list = []mutant{
	{
		name: "shared-stream", says: "all methods of a repeat read one random stream",
		file:  "runner/plan/seeds.go",
		old:   `return stream(seed, dataset, strconv.Itoa(repeat), "method", method)`,
		new:   `return stream(seed, dataset, strconv.Itoa(repeat), "method")`,
		tests: []string{"./runner/plan"}, smokes: []string{"nyk-cor42", "kkm-thm1", "comparative"},
	},
	{
		name: "stream-of-all-repeats", says: "methods' random streams ignore the repeat",
		file:  "runner/plan/seeds.go",
		old:   `return stream(seed, dataset, strconv.Itoa(repeat), "method", method)`,
		new:   `return stream(seed, dataset, "method", method)`,
		tests: []string{"./runner/plan"}, smokes: []string{"nyk-cor42", "kjl-thm3", "rfk-thm2"},
	},
	{
		name: "sample-of-all-repeats", says: "samples ignore the repeat",
		file:  "runner/plan/seeds.go",
		old:   `return source(seed, dataset, strconv.Itoa(repeat), purpose)`,
		new:   `return source(seed, dataset, purpose)`,
		tests: []string{"./runner/plan"}, smokes: []string{"nyk-cor42", "rfk-thm1"},
	},
	{
		name: "one-purpose", says: "the held-out points of a repeat are drawn from the stream of its sample",
		file:  "runner/plan/seeds.go",
		old:   `return source(seed, dataset, strconv.Itoa(repeat), purpose)`,
		new:   `return source(seed, dataset, strconv.Itoa(repeat))`,
		tests: []string{"./runner/plan"}, smokes: []string{"comparative", "clustering-methods"},
	},
	{
		name: "held-out-is-sample", says: "the points that a file holds out are the first of its sample",
		file:  "data/table.go",
		old:   `draw.order[:n-held], draw.order[n-held:]`,
		new:   `draw.order[:n-held], draw.order[:held]`,
		tests: []string{"./data", "./runner"}, smokes: []string{"comparative", "mnist-kpca", "clustering-methods"},
	},
	{
		name: "multinomial-by-total", says: "counts of atoms are binomial in the whole mass, not in the mass that is left",
		file:  "internal/counts/binomial.go",
		old:   `drawn = Binomial(n, mass/rest[j], rng)`,
		new:   `drawn = Binomial(n, mass/rest[0], rng)`,
		tests: []string{"./internal/counts", "./data"}, smokes: []string{"rfk-thm1-atoms"},
	},
	{
		name: "weight-of-one-atom", says: "the first atom that occurs counts for twice its points in the mean of kernel PCA",
		file:  "methods/matrix.go",
		old:   "\tfor i, count := range counts {\n\t\tfloats.AddScaled(mean, count, a.RawRowView(i))",
		new:   "\tfor i, count := range counts {\n\t\tif i == 0 {\n\t\t\tcount *= 2\n\t\t}\n\t\tfloats.AddScaled(mean, count, a.RawRowView(i))",
		tests: []string{"./methods"}, smokes: []string{"rfk-thm1-atoms"},
	},
	{
		name: "counts-dropped", says: "Nyström's covariance takes each atom once, however often it occurs",
		file:  "methods/nystrom.go",
		old:   `moment.add(block, p.counts(from, to))`,
		new:   `moment.add(block, nil)`,
		tests: []string{"./methods"}, smokes: []string{"atoms-rates"},
	},
	{
		name: "standardised-by-range", says: "standardised points are divided by the variance, not by its root",
		file:  "data/standardize.go",
		old:   `s.sd[j] = math.Sqrt(squares / n)`,
		new:   `s.sd[j] = squares / n`,
		tests: []string{"./data"}, smokes: []string{"clustering-methods", "comparative"},
	},
	{
		name: "matern-half", says: "the Matérn kernel of ν = 5/2 has r²/2 in place of r²/3",
		file:  "internal/kernel/radial.go",
		old:   `return (1 + r + r*r/3) * e`,
		new:   `return (1 + r + r*r/2) * e`,
		tests: []string{"./internal/kernel"}, smokes: []string{"comparative"},
	},
	{
		name: "half-the-variance", says: "frequencies of the Gaussian kernel have half their variance",
		file:  "internal/kernel/radial.go",
		old:   "scale := math.Sqrt(2 * g.Gamma)\n\tfor j := range dst",
		new:   "scale := math.Sqrt(g.Gamma)\n\tfor j := range dst",
		tests: []string{"./internal/kernel"}, smokes: []string{"rfk-thm2", "nyk-features"},
	},
	{
		name: "features-scaled", says: "random Fourier features are √2 times as long",
		file:  "internal/kernel/features.go",
		old:   `floats.Scale(1/math.Sqrt(float64(m)), row)`,
		new:   `floats.Scale(math.Sqrt(2/float64(m)), row)`,
		tests: []string{"./internal/kernel"}, smokes: []string{"skp-cor43", "rfk-thm2", "nyk-features"},
	},
	{
		name: "mercer-variance-doubled", says: "features of eigenfunctions have twice their variance",
		file:  "internal/kernel/mercer.go",
		old:   `each := f.Series.PowerSum(1, 0) / float64(f.Features())`,
		new:   `each := 2 * f.Series.PowerSum(1, 0) / float64(f.Features())`,
		tests: []string{"./internal/kernel"}, smokes: []string{"nyk-cor45", "rf-kpca-consistency"},
	},
	{
		name: "half-the-phases", says: "phases of random features lie in [0, π) in place of [0, 2π)",
		file:  "internal/kernel/offset.go",
		old:   `2 * math.Pi * rng.Float64()`,
		new:   `math.Pi * rng.Float64()`,
		tests: []string{"./internal/kernel"}, smokes: []string{"comparative", "skp-fig2"},
	},
	{
		name: "n-for-n-1", says: "an unbiased covariance is divided by n, not by n−1",
		file:  "methods/center.go",
		old:   `return float64(n - 1)`,
		new:   `return float64(n)`,
		tests: []string{"./methods"}, smokes: []string{"nyk-cor42", "rfk-thm1"},
	},
	{
		name: "covariance-not-centred", says: "Nyström and features take the mean off by half",
		file:  "methods/center.go",
		old:   `s.sq.SymRankOne(s.sq, -float64(s.n), mat.NewVecDense(len(mean), mean))`,
		new:   `s.sq.SymRankOne(s.sq, -float64(s.n)/2, mat.NewVecDense(len(mean), mean))`,
		tests: []string{"./methods"}, smokes: []string{"nyk-cor42", "rfk-thm2"},
	},
	{
		name: "ekpca-not-centred", says: "kernel PCA in finite coordinates is not centred",
		file:  "methods/ekpca.go",
		old:   `floats.Sub(f.RawRowView(i), mean)`,
		new:   `floats.Sub(f.RawRowView(i), make([]float64, r))`,
		tests: []string{"./methods"}, smokes: []string{"rfk-thm1-atoms", "kjl-thm1"},
	},
	{
		name: "no-eigendecomposition", says: "Nyström takes the first basis functions for the leading eigenvectors",
		file:  "methods/nystrom.go",
		old:   "coef := basis.coefficients(u)",
		new:   "u.Apply(func(i, j int, _ float64) float64 {\n\t\tif i == j {\n\t\t\treturn 1\n\t\t}\n\t\treturn 0\n\t}, u)\n\tcoef := basis.coefficients(u)",
		tests: []string{"./methods"}, smokes: []string{"nyk-cor42", "nystrom-kpca-rates"},
	},
	{
		name: "inverse-for-root", says: "coordinates on the landmarks are multiplied by K_mm^(−1), not by its root",
		file:  "methods/nystrom.go",
		old:   `b.solver.Solve(c)`,
		new:   "b.solver.Solve(c)\n\tb.solver.Solve(c)",
		tests: []string{"./methods"}, smokes: []string{"nyk-cor42", "nystrom-kpca-rates"},
	},
	{
		name: "kjl-power", says: "the KJL map is divided by m, not by m^(3/2)",
		file:  "methods/kjl.go",
		old:   `math.Pow(float64(m), 1.5)`,
		new:   `math.Pow(float64(m), 1)`,
		tests: []string{"./methods"}, smokes: []string{"kjl-thm1", "kjl-thm3"},
	},
	{
		name: "oja-third-phase", says: "Oja's rate in the third phase of its theorem does not fall",
		file:  "methods/rates.go",
		old:   `return o.C / (o.Gap * (at - t0))`,
		new:   `return o.C / (o.Gap * t1)`,
		tests: []string{"./methods"}, smokes: []string{"skp-cor43", "skp-fig2"},
	},
	{
		name: "landmark-missing", says: "uniform landmarks are one too few",
		file:  "methods/landmark/pick.go",
		old:   `p.gathered(smallest(marks, p.m))`,
		new:   `p.gathered(smallest(marks, p.m-1))`,
		tests: []string{"./methods/landmark"}, smokes: []string{"nyk-cor42", "kkm-lemma1"},
	},
	{
		name: "scores-unridged", says: "leverage scores are drawn by the diagonal of K, without the ridge",
		file:  "methods/landmark/exact.go",
		old:   `shares[j] = v / (v + ridge)`,
		new:   `shares[j] = v`,
		tests: []string{"./methods/landmark"}, smokes: []string{"kkm-lemma1", "nystrom-kpca-rates"},
	},
	{
		name: "bless-weights", says: "BLESS weighs points that were drawn several times as if drawn once",
		file:  "methods/landmark/bless.go",
		old:   `weight[index]/float64(times[index])`,
		new:   `weight[index]`,
		tests: []string{"./methods/landmark"}, smokes: []string{"landmarks-compared"},
	},
	{
		name: "uniform-seeds", says: "k-means++ draws its centres uniformly",
		file:  "methods/lloyd/seed.go",
		old:   `return drawByWeight(s.distance, s.parts, s.chunkRows(), rng)`,
		new:   `return rng.IntN(s.n)`,
		tests: []string{"./methods/lloyd"}, smokes: []string{"kkm-thm1", "clustering-methods"},
	},
	{
		name: "worst-start", says: "k-means keeps the worst of its starts",
		file:  "methods/lloyd/lloyd.go",
		old:   `one.Cost < best.Cost`,
		new:   `one.Cost > best.Cost`,
		tests: []string{"./methods/lloyd"}, smokes: []string{"kkm-thm1", "clustering-methods"},
	},
	{
		name: "trace-of-squares", says: "tr Σ² of an empirical population is divided by N, not by N²",
		file:  "data/empirical.go",
		old:   `second / divisor / divisor`,
		new:   `second / divisor`,
		tests: []string{"./data"}, smokes: []string{"comparative", "mnist-kpca"},
	},
	{
		name: "cross-term", says: "T has its cross term once, not twice",
		file:  "internal/metrics/spectral.go",
		old:   `projection -= 2 * e.moments.Tau[i]`,
		new:   `projection -= e.moments.Tau[i]`,
		tests: []string{"./internal/metrics"}, smokes: []string{"nyk-cor45", "nyk-features"},
	},
	{
		name: "mean-left-out", says: "R leaves the error of the mean out",
		file:  "internal/metrics/spectral.go",
		old:   `mean += e.offset[i] * e.offset[i]`,
		new:   `mean += 0`,
		tests: []string{"./internal/metrics"}, smokes: []string{"nyk-cor42", "atoms-rates"},
	},
	{
		name: "not-converged", says: "eigenvectors of C_m that did not converge are measured all the same",
		file:  "internal/metrics/skp.go",
		old:   `if err == nil && !top.Converged {`,
		new:   `if err == nil && !top.Converged && count < 0 {`,
		tests: []string{"./internal/metrics"}, smokes: []string{"skp-cor43"},
	},
	{
		name: "bound-over-20", says: "the bounds of NYK are 20 times too small",
		file:  "internal/theory/nyk.go",
		old:   `b.Lower, b.Upper = floor, value+mean`,
		new:   `b.Lower, b.Upper = floor, (value+mean)/20`,
		tests: []string{"./internal/theory"}, smokes: []string{"nyk-cor42-atoms", "nyk-bounds"},
	},
	{
		name: "constant-of-kjl-7", says: "the bound of KJL eq 7 has 7 in place of 28",
		file:  "internal/theory/kjl.go",
		old:   `return 4 * math.Sqrt(2*f.kappa*f.sums[0]*f.tau/f.n)`,
		new:   `return math.Sqrt(2 * f.kappa * f.sums[0] * f.tau / f.n)`,
		tests: []string{"./internal/theory"}, smokes: []string{"kjl-thm1"},
	},
	{
		name: "rate-beyond-elbow", says: "the rate of NYK Cor 4.2 does not level off at θ = 1",
		file:  "internal/theory/nykrates.go",
		old:   `if p.theta >= 1 {`,
		new:   `if p.theta >= 100 {`,
		tests: []string{"./internal/theory"}, smokes: []string{"nyk-cor42"},
	},
	{
		name: "no-interval", says: "claims hold where the estimate, not its interval, lies inside",
		file:  "internal/claims/stats.go",
		old:   `e.inside = b.contains(e.low, e.high)`,
		new:   `e.inside = b.contains(e.mean, e.mean)`,
		tests: []string{"./internal/claims"}, smokes: []string{"nyk-cor42", "skp-cor43", "rfk-thm1"},
	},
	{
		name: "no-holm", says: "p-values of many cells are not adjusted",
		file:  "internal/claims/stats.go",
		old:   `float64(len(p)-rank)*p[i]`,
		new:   `p[i]`,
		tests: []string{"./internal/claims"}, smokes: []string{"nyk-cor42", "rfk-thm1"},
	},
}
