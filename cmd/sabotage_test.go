package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/experiments"
	"mercer/internal/claims"
	"mercer/internal/kernel"
	"mercer/methods"
)

// TestSabotage breaks estimators in ways that theory forbids and runs the
// experiments on them, at fewer and smaller cells: each mistake turns the claim
// that it concerns to violated, which holds without it.
func TestSabotage(t *testing.T) {
	sabotaged(t, []sabotage{
		{
			name: "n^(θ/2) landmarks in place of n^θ log n", experiment: "nyk-cor42",
			cuts:  []string{"n: [500, 1000, 2000, 4000]", "n: [250, 500, 1000]", "theta: [0.5, 0.75, 1, 1.25]", "theta: [0.5]", "repeats: 20", "repeats: 10"},
			claim: "near-floor", method: "nystrom",
			mistake: []string{"ceil(n^theta * log(n) / 2)", "ceil(n^(theta/2))"},
		},
		{
			name: "K_mm^(-1) in place of its root", experiment: "nyk-cor42",
			cuts:  []string{"n: [500, 1000, 2000, 4000]", "n: [250, 500, 1000]", "theta: [0.5, 0.75, 1, 1.25]", "theta: [0.5]", "repeats: 20", "repeats: 6"},
			claim: "near-floor", method: "nystrom",
			use: "nystrom", by: withFit(rootless),
		},
		{
			name: "centring dropped", experiment: "nyk-bounds",
			cuts:  []string{"n: [2048, 16384]", "n: [512]", "m: [512, 10240]", "m: [256]", "repeats: 30", "repeats: 6"},
			claim: "near-floor", method: "ekpca",
			use: "ekpca", by: withFit(uncentred),
		},
		{
			name: "the variance of features doubled", experiment: "nyk-cor45",
			cuts:  []string{"n: [125, 250, 500, 1000, 2000]", "n: [125, 250, 500, 1000]", "theta: [0.5, 0.75]", "theta: [0.5]", "gamma: [0.5, 0.75]", "gamma: [0.5]", "repeats: 200", "repeats: 100"},
			claim: "iv-lost", method: "rff",
			use: "rff", by: withFit(doubled),
		},
		{
			name: "atoms that count once, however often they occur", experiment: "skp-cor44-atoms",
			cuts:  []string{"n: [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10]", "n: [1e4, 1e8]", "terms == 3 ? 1e6 : 1e4", "1000", "repeats: 400", "repeats: 20"},
			claim: "bound-a", method: "erm",
			use: "rff", by: withFit(unweighed),
		},
		{
			name: "counts left out of an estimate", experiment: "skp-thm42-atoms",
			cuts:  []string{"n: [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10]", "n: [1e6, 1e10]", "m: 1e5", "m: 1e4", "repeats: 400", "repeats: 20"},
			claim: "distance-limit", method: "erm",
			use: "rff", by: withFit(unweighed),
		},
		{
			name: "any directions, for the excess", experiment: "skp-thm42-atoms",
			cuts:  []string{"n: [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10]", "n: [1e6, 1e10]", "m: 1e5", "m: 1e4", "repeats: 400", "repeats: 20"},
			claim: "thm-4.2-a", method: "erm",
			use: "rff", by: withFit(anyDirections),
		},
		{
			name: "any directions, for the distance", experiment: "skp-thm42-atoms",
			cuts:  []string{"n: [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10]", "n: [1e6, 1e10]", "m: 1e5", "m: 1e4", "repeats: 400", "repeats: 20"},
			claim: "thm-4.2-b", method: "erm",
			use: "rff", by: withFit(anyDirections),
		},
		{
			name: "a tenth of the steps of Theorem D.3", experiment: "skp-cor44-stream",
			cuts:  []string{"n: [3e3, 1e4, 3e4, 1e5, 3e5]", "n: [3e3, 1e4, 3e4]", "repeats: 200", "repeats: 8"},
			claim: "rate-b", method: "oja",
			mistake: []string{"delta: 0.9, c: 1}", "delta: 0.9, c: 0.1}"},
		},
	})
}

// sabotage is a mistake in an experiment that turns a claim to violated.
type sabotage struct {
	name       string
	experiment string
	cuts       []string // pairs of text and what replaces it: cells of the test
	claim      string   // that is violated
	method     string   // of its group
	mistake    []string // pair of text and what replaces it, or
	use        string   // the registered method that
	by         func(methods.Entry) methods.Entry
}

// sabotaged runs each experiment without its mistake and with it.
func sabotaged(t *testing.T, mistakes []sabotage) {
	for _, tt := range mistakes {
		t.Run(tt.name, func(t *testing.T) {
			text, ok := experiments.Text(tt.experiment)
			if !ok {
				t.Fatal("no such experiment")
			}
			spec := replaced(t, string(text), tt.cuts...)
			if got := verdictOf(t, spec, tt.claim, tt.method); got == claims.Violated {
				t.Fatalf("%s is violated without a mistake", tt.claim)
			}
			if tt.by != nil {
				entry := methods.Registry[tt.use]
				methods.Registry[tt.use] = tt.by(entry)
				defer func() { methods.Registry[tt.use] = entry }()
			}
			if got := verdictOf(t, replaced(t, spec, tt.mistake...), tt.claim, tt.method); got != claims.Violated {
				t.Errorf("%s: %s, want violated", tt.claim, got)
			}
		})
	}
}

// replaced makes replacements that must each find their text.
func replaced(t *testing.T, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("the spec has no %q", pairs[i])
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

// verdictOf runs a spec's records of a method, or of the methods of a ratio a/b, and returns
// the worst outcome of a claim about it.
func verdictOf(t *testing.T, spec, claim, method string) claims.Outcome {
	t.Helper()
	dir := t.TempDir()
	path, out := filepath.Join(dir, "spec.yaml"), filepath.Join(dir, "run")
	if err := os.WriteFile(path, []byte(spec), 0o666); err != nil {
		t.Fatal(err)
	}
	filter := fmt.Sprintf(`method in ["%s"]`, strings.ReplaceAll(method, "/", `", "`))
	var stdout, stderr bytes.Buffer
	if code := Main([]string{"run", path, "--out", out, "--quiet", "--filter", filter}, nil, &stdout, &stderr); code != 0 && code != exitViolated {
		t.Fatalf("run exits with %d: %s", code, stderr.String())
	}
	stdout.Reset()
	Main([]string{"check", out, "--json"}, nil, &stdout, &stderr)
	var verdicts []claims.Verdict
	if err := json.Unmarshal(stdout.Bytes(), &verdicts); err != nil {
		t.Fatalf("check --json: %v", err)
	}
	var picked []claims.Verdict
	for _, v := range verdicts {
		if v.Claim == claim && v.Group.Text("method") == method {
			picked = append(picked, v)
		}
	}
	if len(picked) == 0 {
		t.Fatalf("no verdict on %s about %s", claim, method)
	}
	return claims.Worst(picked)
}

// fitted is a method whose fit is another.
type fitted struct {
	methods.Method
	fit func(context.Context, methods.Method, methods.Sample, *rand.Rand) (methods.Model, error)
}

func (f fitted) Fit(ctx context.Context, p methods.Sample, rng *rand.Rand) (methods.Model, error) {
	return f.fit(ctx, f.Method, p, rng)
}

// withFit replaces the fit of a registered method.
func withFit(fit func(context.Context, methods.Method, methods.Sample, *rand.Rand) (methods.Model, error)) func(methods.Entry) methods.Entry {
	return func(e methods.Entry) methods.Entry {
		plain := e.New
		e.New = func() methods.Options {
			switch o := plain().(type) {
			case *methods.NystromOptions:
				return &brokenNystrom{NystromOptions: *o, fit: fit}
			case *methods.RFFOptions:
				return &brokenRFF{RFFOptions: *o, fit: fit}
			case *methods.EKPCAOptions:
				return &brokenEKPCA{EKPCAOptions: *o, fit: fit}
			}
			panic("no such options")
		}
		return e
	}
}

type fitting = func(context.Context, methods.Method, methods.Sample, *rand.Rand) (methods.Model, error)

type brokenNystrom struct {
	methods.NystromOptions `yaml:",inline"`
	fit                    fitting
}

func (b *brokenNystrom) Method() (methods.Method, error) {
	m, err := b.NystromOptions.Method()
	return fitted{m, b.fit}, err
}

type brokenRFF struct {
	methods.RFFOptions `yaml:",inline"`
	fit                fitting
}

func (b *brokenRFF) Method() (methods.Method, error) {
	m, err := b.RFFOptions.Method()
	return fitted{m, b.fit}, err
}

type brokenEKPCA struct {
	methods.EKPCAOptions `yaml:",inline"`
	fit                  fitting
}

func (b *brokenEKPCA) Method() (methods.Method, error) {
	m, err := b.EKPCAOptions.Method()
	return fitted{m, b.fit}, err
}

// uncentred is kernel PCA without centring.
func uncentred(ctx context.Context, _ methods.Method, p methods.Sample, rng *rand.Rand) (methods.Model, error) {
	m, err := (&methods.EKPCAOptions{Center: "none"}).Method()
	if err != nil {
		return nil, err
	}
	return m.Fit(ctx, p, rng)
}

// unweighed fits atoms without their counts.
func unweighed(ctx context.Context, m methods.Method, p methods.Sample, rng *rand.Rand) (methods.Model, error) {
	p.Counts = slices.Repeat([]float64{1}, len(p.Counts))
	return m.Fit(ctx, p, rng)
}

// anyDirections has orthonormal directions of feature space that know nothing of the sample.
func anyDirections(ctx context.Context, m methods.Method, p methods.Sample, rng *rand.Rand) (methods.Model, error) {
	model, err := m.Fit(ctx, p, rng)
	if err != nil {
		return nil, err
	}
	subspace := model.(*methods.FeatureSubspace)
	rows, columns := subspace.Coef.Dims()
	normal := mat.NewDense(rows, columns, nil)
	normal.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, normal)
	var qr mat.QR
	qr.Factorize(normal)
	var q mat.Dense
	qr.QTo(&q)
	subspace.Coef = mat.DenseCopyOf(q.Slice(0, rows, 0, columns))
	return subspace, nil
}

// rootless is Nyström KPCA on the first m points with K_mm^(-1) where its root
// belongs: M = K_mm^(-1) K_mn C K_nm K_mm^(-1), φ̃ = Σ_j (K_mm^(-1)u)_j k(·,X_j).
func rootless(_ context.Context, _ methods.Method, p methods.Sample, _ *rand.Rand) (methods.Model, error) {
	n, m := p.Sizes.N, p.Sizes.M
	landmarks := mat.DenseCopyOf(p.X.Slice(0, m, 0, 1))
	inverse, knm := new(mat.Dense), kernel.Cross(p.Kernel, p.X, landmarks)
	if err := inverse.Inverse(kernel.Gram(p.Kernel, landmarks)); err != nil {
		return nil, err
	}
	features := new(mat.Dense)
	features.Mul(knm, inverse)
	means := make([]float64, m)
	for j := range means {
		means[j] = mat.Sum(features.ColView(j)) / float64(n)
	}
	features.Apply(func(_, j int, v float64) float64 { return v - means[j] }, features)
	var svd mat.SVD
	if !svd.Factorize(features, mat.SVDThin) {
		panic("no decomposition")
	}
	var u, coef mat.Dense
	svd.VTo(&u)
	coef.Mul(inverse, u.Slice(0, m, 0, p.Sizes.Ell))
	return &methods.Subspace{
		Expansion: kernel.Expansion{Kernel: p.Kernel, Points: landmarks, Coef: &coef},
		Spectrum:  methods.Spectrum{Values: svd.Values(nil)[:p.Sizes.Ell], Center: make([]float64, p.Sizes.Ell), Rank: m},
	}, nil
}

// doubled gives features twice their variance: Φ and so the functions of the
// eigenvectors are larger by √2.
func doubled(ctx context.Context, method methods.Method, p methods.Sample, rng *rand.Rand) (methods.Model, error) {
	model, err := method.Fit(ctx, p, rng)
	if err != nil {
		return nil, err
	}
	m := model.(*methods.FeatureSubspace)
	m.Coef.Scale(math.Sqrt2, m.Coef)
	return m, nil
}
