//go:build system

package cmd

import "testing"

// TestSabotageSystem is TestSabotage for the experiments that take longer.
func TestSabotageSystem(t *testing.T) {
	sabotaged(t, []sabotage{
		{
			name: "ℓ landmarks in place of n^θ log n", experiment: "atoms-rates",
			cuts:  []string{"atoms: 2000", "atoms: 300", "ell: [5, 10, 18, 32, 56, 100]", "ell: [5, 10, 18]", "repeats: 20", "repeats: 5"},
			claim: "as-good-as-exact", method: "nystrom/ekpca",
			mistake: []string{"min(n, ceil(n^theta * log(n)))", "ell"},
		},
		{
			name: "K_mm^(-1) in place of its root", experiment: "nystrom-kpca-rates",
			cuts:  []string{"n: [250, 500, 1000, 2000, 4000]", "n: [250, 500, 1000]", "repeats: 30", "repeats: 4"},
			claim: "near-floor", method: "nystrom",
			use: "nystrom", by: withFit(rootless),
		},
		{
			name: "ℓ landmarks on atoms", experiment: "nyk-cor42-atoms",
			cuts:  []string{"atoms: 1200", "atoms: 300", "1199.5", "299.5", "ell: [5, 10, 20, 40, 72, 120]", "ell: [5, 10, 20]", "repeats: 10", "repeats: 6"},
			claim: "as-good-as-exact", method: "nystrom/ekpca",
			mistake: []string{"theta < 1 ? ceil(n^theta * log(n)) : ceil(n/log(n) * log(n/log(n)))", "ell"},
		},
		{
			name: "ℓ landmarks on atoms, in L²", experiment: "nyk-cor45-atoms",
			cuts:  []string{"atoms: 720", "atoms: 300", "ell: [5, 10, 20, 40, 72]", "ell: [5, 10, 20]", "repeats: 250", "repeats: 6"},
			claim: "as-good-as-exact", method: "nystrom/ekpca",
			mistake: []string{"ceil(n^min(theta, alpha/(2*alpha-1)) * log(n))", "ell"},
		},
		{
			name: "the variance of features on atoms doubled", experiment: "rfk-thm2-atoms",
			cuts:  []string{"n: [1e2, 1e3, 1e4, 1e5, 1e6, 1e10]\n  m: [1e2, 1e3, 1e4, 1e5, 1e6, 1e7]", "n: [1e2, 1e4, 1e5, 1e10]\n  m: [1e2, 1e3, 1e4, 1e5]", "n: [1e4, 1e5, 1e6, 1e10], m: 1e3", "n: [1e4, 1e5, 1e10], m: 1e3", "[1e2, 1e4, 1e5, 1e6]", "[1e2, 1e4, 1e5]", "repeats: 1200", "repeats: 60"},
			claim: "rate-ii", method: "rff",
			use: "rff", by: withFit(doubled),
		},
		{
			name: "the root of the rows of a sketch", experiment: "kjl-thm1",
			cuts:  []string{"n: [512, 2048, 8192, 32768, 131072]", "n: [512, 1448, 4096]", "repeats: 300", "repeats: 60"},
			claim: "sum", method: "kjl",
			mistake: []string{"32*(n/512)^gamma", "32*(n/512)^(gamma/2)"},
		},
		{
			name: "a bandwidth too wide", experiment: "kjl-fig1",
			cuts:  []string{"n: 5000", "n: 1000", "repeats: 40", "repeats: 10"},
			claim: "rings-apart", method: "kjl",
			mistake: []string{"bandwidth: {quantile: 0.25}", "bandwidth: {quantile: 0.95}"},
		},
		{
			name: "a cluster too few", experiment: "kkm-thm1",
			cuts:  []string{"n: [64, 128, 256, 512, 1024]", "n: [64, 128, 256]", "n: [256, 512, 1024]", "n: 256", "n != 1024", "n != 256", "n: 1024}", "n: 256}", "repeats: 60", "repeats: 5"},
			claim: "closed-form", method: "exact",
			mistake: []string{"\n  k: 5\n", "\n  k: 4\n"},
		},
		{
			name: "features of order n^(1/4)", experiment: "skp-cor43",
			cuts:  []string{"held_out: 3000", "held_out: 1000", "n: [256, 1024, 4096, 16384]", "n: [256, 1024, 4096]", "n: [1024, 4096, 16384]", "n: [1024, 4096]", "repeats: 60", "repeats: 40"},
			claim: "erm", method: "erm",
			mistake: []string{"m: \"ceil(n^0.5*log(n))\"", "m: \"ceil(16*n^0.25)\""},
		},
	})
}
