package plan

import (
	"strings"
	"testing"

	"mercer/configs"
	"mercer/internal/theory"
)

func TestClaimsOnTheorems(t *testing.T) {
	bound := func(theory.Setting) (theory.Bound, error) { return theory.Bound{}, nil }
	theorems := map[string]theory.Theorem{
		"toy-1": {Key: "toy-1", Reference: "TOY Thm 1", Metric: "recon_h", Methods: []string{"nystrom"}, Sizes: []string{"n", "m", "ell"},
			Open: map[string]string{"c": "a constant"}, Bound: bound},
		"toy-d": {Key: "toy-d", Reference: "TOY Thm 5", Metric: "recon_h", Methods: []string{"nystrom"}, Sizes: []string{"n", "d"}, Bound: bound},
		"toy-2": {Key: "toy-2", Reference: "TOY Thm 2", Metric: "recon_l2", Methods: []string{"ekpca", "nystrom"}, Uses: []string{"recon_h"}, Bound: bound},
		"toy-3": {Key: "toy-3", Reference: "TOY Cor 3", Metric: "recon_h", Methods: []string{"nystrom"},
			Rate: func(theory.Setting) (theory.Rate, error) { return theory.Rate{}, nil }},
		"toy-4": {Key: "toy-4", Reference: "TOY Thm 4", Metric: "recon_h", Methods: []string{"oja"}, Bound: bound},
	}
	tests := []struct{ claim, want string }{
		{"bound: {theorem: toy-1, delta: 0.1}", "TOY Thm 1 needs `with: {c: …}`, a constant"},
		{"bound: {theorem: toy-1, delta: 0.1, with: {c: 1}, where: {method: nys}}", ""},
		{"theorem: toy-3\n    slope: {of: recon_h, over: n, equals: -1, within: 0.1, where: {method: nys}}", ""},
		{"theorem: toy-1\n    ratio: {of: recon_h, method: nys, to: exact, at_most: 2}", ""},
		{"bound: {theorem: toy1, delta: 0.1}", `test.yaml:11:22: unknown theorem "toy1" in claim "c"; did you mean "toy-1"?`},
		{"theorem: nothing\n    value: {of: recon_h, at_least: 0}", `unknown theorem "nothing" in claim "c"; known: toy-1, toy-2, toy-3, toy-4, toy-d`},
		{"bound: {theorem: toy-3, delta: 0.1}", "TOY Cor 3 is a rate, not a bound; claim a slope of recon_h, with `theorem: toy-3` beside it"},
		{"bound: {theorem: toy-d, delta: 0.1}", "TOY Thm 5 needs d, which neither the grid nor one of its methods gives"},
		{"bound: {theorem: toy-2, delta: 0.1}", `TOY Thm 2 is about recon_l2; add "recon_l2" to measure`},
		{"bound: {theorem: toy-1, delta: 0.1, with: {k: 1, c: 1}}", `test.yaml:11:51: unknown parameter "k" in "with" of claim "c", on TOY Thm 1`},
		{"bound: {theorem: toy-1, delta: 0.1, where: {method: [nys, exact]}}", "TOY Thm 1 is about nystrom, not about the method \"exact\" (use: ekpca); pick by `where: {method: [nys]}`"},
		{"bound: {theorem: toy-4, delta: 0.1}", `TOY Thm 4 is about oja, not about the method "exact" (use: ekpca), "nys" (use: nystrom)`},
		{"theorem: toy-3\n    slope: {of: recon_h, over: n, equals: -1, within: 0.1}", "pick by `where: {method: [nys]}`"},
		{"theorem: toy-4\n    ratio: {of: recon_h, method: nys, to: exact, at_most: 2}", "TOY Thm 4 is about oja"},
		{"bound: {theorem: toy-1, delta: 0.1, with: {c: gama}}", `unknown name "gama"`},
	}
	for _, tt := range tests {
		text := strings.Replace(`name: theorems
seed: 1
repeats: 2
datasets: [{id: poly, use: series, decay: {power: 2}}]
grid: {n: [10, 20], ell: 2, gamma: 1}
methods: [{id: exact, use: ekpca, center: u}, {id: nys, use: nystrom, m: 5}]
measure: [recon_h]
claims:
  - id: c
    says: something
    CLAIM
`, "CLAIM", tt.claim, 1)
		spec := specOf(t, text)
		r := &Resolved{Spec: spec}
		var problems configs.Problems
		r.checkTheorems(theorems, &problems)
		problems.Add(spec.CheckNames(constantNames(spec)))
		err := problems.Err()
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s:\n%v\nwant %s", tt.claim, err, tt.want)
		}
	}
}

// resolves wants a spec to be refused with these words; empty for none.
func resolves(t *testing.T, want, text string) {
	t.Helper()
	spec := specOf(t, text)
	if _, err := Resolve(spec); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("%v\nwant %s; the spec:\n%s", err, want, text)
	}
}

// TestOptionsOfTheorems: a theorem about uniform landmarks says nothing of
// leverage scores, one about these must be told their level, and one about random
// features what bounds those that have no default.
func TestOptionsOfTheorems(t *testing.T) {
	for _, tt := range []struct{ method, claim, want string }{
		{"use: nystrom, m: 5", "bound: {theorem: nyk-4.1-iii, delta: 0.1}", ""},
		{"use: nystrom, m: 5, landmarks: leverage", "bound: {theorem: nyk-4.1-iii, delta: 0.1}",
			`NYK Thm 4.1 (iii) is about landmarks: uniform, not about the method "a" with landmarks: leverage`},
		{"use: nystrom, m: 5, landmarks: uniform, center: none", "theorem: nyk-4.2-iii\n    slope: {of: recon_h, over: n, equals: -1, within: 0.1}",
			`NYK Cor 4.2 (iii) is about center: u or v, not about the method "a" with center: none`},
		{"use: nystrom, m: 5, landmarks: {rule: uniform, replacement: true}", "bound: {theorem: nyk-4.1-iii, delta: 0.1}",
			"NYK Thm 4.1 (iii) is about landmarks: uniform, not about the method \"a\" with landmarks: uniform with replacement"},
		{"use: nystrom, m: 5, landmarks: {rule: uniform, replacement: true}", "bound: {theorem: kkm-lemma-1, delta: 0.1}", ""},
		{"use: nystrom, m: 5, landmarks: {rule: leverage, level: 0.01, replacement: true}", "bound: {theorem: kkm-lemma-3, delta: 0.1}",
			"KKM Lemma 3 needs `with: {level: …}`, t = γ/n of the leverage scores"},
		{"use: nystrom, m: 5, landmarks: {rule: leverage, level: 0.01}", "bound: {theorem: kkm-lemma-3, delta: 0.1, with: {level: 0.01}}",
			"KKM Lemma 3 is about landmarks: leverage with replacement"},
		{"use: nystrom, m: 5, landmarks: {rule: leverage, level: 0.01, replacement: true}", "bound: {theorem: kkm-lemma-3, delta: 0.1, with: {level: 0.02}}",
			`claim "c": level 0.02, but the landmarks of the method "a" have level 0.01`},
		{"use: nystrom, m: 5, landmarks: {rule: leverage, level: 0.01, replacement: true}", "bound: {theorem: kkm-lemma-3, delta: 0.1, with: {level: 0.01}}", ""},
		{"use: rff, features: mercer, m: 5, center: v", "bound: {theorem: rfk-2-i, delta: 0.1}", ""},
		{"use: rff, features: orthogonal, m: 5, center: v", "bound: {theorem: rfk-2-i, delta: 0.1}", "RFK Thm 2 (i) is about features: fourier or offset or mercer"},
		{"use: rff, features: offset, m: 5, center: v", "bound: {theorem: rfk-2-i, delta: 0.1}",
			`claim "c": with features: offset of the method "a" RFK Thm 2 (i) needs ` + "`with: {feature_bound: …}`"},
		{"use: rff, features: offset, m: 5, center: v", "bound: {theorem: rfk-2-i, delta: 0.1, with: {feature_bound: 2}}", ""},
	} {
		data, measures := "use: series, decay: {power: 2}", "recon_h, nystrom_residual, effective_dimension"
		if strings.HasPrefix(tt.method, "use: rff") {
			measures = "eigenspace_l2"
		}
		if strings.Contains(tt.method, "orthogonal") || strings.Contains(tt.method, "offset") {
			data = "use: gaussian, sigma: 1"
		}
		resolves(t, tt.want, strings.NewReplacer("DATA", data, "METHOD", tt.method, "MEASURES", measures, "CLAIM", tt.claim).Replace(`name: theorems
seed: 1
repeats: 2
datasets: [{id: a, DATA}]
grid: {n: [10, 20], ell: 2, theta: 1}
methods: [{id: a, METHOD}]
measure: [MEASURES]
claims:
  - id: c
    CLAIM
`))
	}
}

// TestSharedSamples: where every repeat has the same points, repeats are no draws
// of a sample. Lemma 1 of KKM is about landmarks, given the sample.
func TestSharedSamples(t *testing.T) {
	for _, tt := range []struct{ dataset, claim, want string }{
		{"sample: first", "bound: {theorem: nyk-4.1-iii, delta: 0.1}",
			`test.yaml:11:22: NYK Thm 4.1 (iii) is about independent samples, and every repeat of dataset "a" has the same points; take sample: random`},
		{"sample: random", "bound: {theorem: nyk-4.1-iii, delta: 0.1}", ""},
		{"sample: first", "bound: {theorem: nyk-4.1-iii, delta: 0.1, where: {dataset: b}}", ""},
		{"sample: first", "bound: {theorem: kkm-lemma-1, delta: 0.1}", ""},
	} {
		resolves(t, tt.want, strings.NewReplacer("SAMPLE", tt.dataset, "CLAIM", tt.claim).Replace(`name: samples
seed: 1
repeats: 2
datasets: [{id: a, use: csv, path: a.csv, population: self, SAMPLE}, {id: b, use: csv, path: a.csv, population: self}]
kernels: [{id: k, use: linear}]
grid: {n: [10, 20], ell: 2, m: 5}
methods: [{id: nys, use: nystrom}]
measure: [recon_h, nystrom_residual]
claims:
  - id: c
    CLAIM
`))
	}
}

// TestOwnBounds: a bound of the spec's own names what each row has.
func TestOwnBounds(t *testing.T) {
	for _, tt := range []struct{ bound, want string }{
		{`of: recon_h, at_most: "C*sqrt(log(n/delta)/n) + recon_h_floor + effective_dimension/n^gamma*alpha", with: {C: 2*gamma}`, ""},
		{`of: recon_h, at_most: 0.5`, ""},
		{`of: recon_h, at_most: 1/m, where: {method: nys}`, ""},
		{`of: recon_h, at_most: 1/m`, ""}, // about nys alone
		{`of: recon_h, at_most: C*recon_h_flor, with: {C: 2}`, `test.yaml:10:47: unknown name "recon_h_flor" in the bound of claim "c"; did you mean "recon_h_floor"?`},
		{`of: recon_h, at_most: C/n`, `test.yaml:10:47: unknown name "C" in the bound of claim "c"; known: D, alpha, delta, effective_dimension, effective_dimension_level, ell, gamma, k, kappa, m, n, recon_h, ` +
			"recon_h_floor, recon_h_mean, recon_h_projection, terms, trace; a parameter has its value under `with: {C: …}`"},
		{`of: recon_h, at_most: C/n, with: {C: 2, c: 1}`, `test.yaml:10:68: unknown parameter "c" in "with" of claim "c", on recon_h <= C/n with C = 2; did you mean "C"?`},
		{`of: recon_h, at_most: C/n, with: {C: 2/m}`, ""}, // about nys alone
		{`of: recon_h, at_most: C/n, with: {C: 2/m}, where: {method: exact}`, `the method "exact" has no m`},
		{`of: recon_h, at_most: m/n, with: {m: 2}`, `with: "m" has a value already, as a column, a constant or a metric: take another name`},
		{`of: recon_h, at_most: delta/n, with: {delta: 2}`, `with: "delta" has a value already`},
		{`of: recon_h, at_most: recon_h_floor/n, with: {recon_h_floor: 2}`, `with: "recon_h_floor" has a value already`},
		{`of: recon_h, at_most: C/n, with: {C: 2*recon_h}`, `test.yaml:10:62: expression "2*recon_h": unknown name "recon_h"`},
		{`of: recon_h, at_most: 2*recon_l2`, `test.yaml:10:47: claim "c" is about "recon_l2", which this spec does not measure; add "recon_l2" to measure`},
		{`of: recon_l2, at_most: 2`, `test.yaml:10:29: claim "c" is about "recon_l2", which this spec does not measure`},
		{`of: recon_g, at_most: 2`, `test.yaml:10:29: unknown metric "recon_g" in claim "c"; did you mean "recon_h"?`},
		{`of: recon_h, at_most: 2*d`, `test.yaml:10:47: unknown name "d" in the bound of claim "c"`},
		{`of: recon_h, at_least: 1/m, where: {method: [nys, exact]}`, `test.yaml:10:48: claim "c": the method "exact" has no m; pick by ` + "`where: {method: [nys]}`"},
		{`of: recon_h, at_most: k`, "no method of this spec has k; write a bound without it"},
		{`of: recon_h, at_least: 1/m, where: {method: exact}`, `the method "exact" has no m`},
	} {
		resolves(t, tt.want, strings.Replace(`name: own
seed: 1
repeats: 2
datasets: [{id: poly, use: series, decay: {power: 2}}]
grid: {n: [10, 20], ell: 2, gamma: 1, k: 3}
methods: [{id: exact, use: ekpca, center: u}, {id: nys, use: nystrom, m: 5}]
measure: [recon_h, effective_dimension]
claims:
  - id: c
    bound: {delta: 0.1, BOUND}
`, "BOUND", tt.bound, 1))
	}
}
