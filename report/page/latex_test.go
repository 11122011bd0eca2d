package page

import (
	"testing"

	"mercer/report/format"
)

func TestLatexText(t *testing.T) {
	for text, want := range map[string]string{
		"0.1234 ± 0.0012":                          `$0.1234 \pm 0.0012$`,
		Strong("0.12 ± 0.01"):                      `$\mathbf{0.12 \pm 0.01}$`,
		"(1.23 ± 0.12)e-7":                         `$(1.23 \pm 0.12) \cdot 10^{-7}$`,
		"−0.12 ± 0.01":                             `$-0.12 \pm 0.01$`,
		"(−1.23 ± 0.12)e−7":                        `$(-1.23 \pm 0.12) \cdot 10^{-7}$`,
		"0.99 [0.98, 1.00] (4)":                    `$0.99 \; [0.98, 1.00]$ (4)`,
		Strong("−0.5 [−0.6, 1.0]"):                 `$\mathbf{-0.5} \; [-0.6, 1.0]$`,
		"1.5e-07":                                  `$1.5 \cdot 10^{-7}$`,
		"0.12 ± 0.01 (4)":                          `$0.12 \pm 0.01$ (4)`,
		"-3":                                       `$-3$`,
		Code("time_total"):                         `\texttt{time\_total}`,
		`50 % of #1 & \x{y}`:                       `50 \% of \#1 \& \textbackslash{}x\{y\}`,
		"At n = 225, ell = 5.":                     `At $n = 225$, $\ell = 5$.`,
		"theta = 0.5":                              `$\theta = 0.5$`,
		"column = 3, lambda = 1e-3, mn = 2":        `column = 3, $\lambda = 1 \cdot 10^{-3}$, mn = 2`,
		"σ ≈ 7, 2√n·m":                             `$\sigma$ $\approx$ 7, 2$\surd$n$\cdot$m`,
		"n ≤ ℓ":                                    `n $\le$ $\ell$`,
		"cost W(C, μ_test), m^{1/2} or n^(-theta)": `cost W(C, $\mu_{\mathrm{test}}$), $m^{1/2}$ or $n^{-theta}$`,
		"σ_X^2 of recon_h and n^theta":             `$\sigma_{X}^{2}$ of recon\_h and $n^{\theta}$`,
		format.None:                                `--`,
		Strong(Code("a")) + " of":                  `\texttt{a} of`,
	} {
		if got := latexText(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Long names of columns are stacked, symbols and equations are not; a table beyond a column of
// a two-column page takes both.
func TestLatexHeader(t *testing.T) {
	head := []string{Code("n"), "θ", "Nyström", "random features", "population's PCA (reference)", "Nyström, m = ℓ (own m)", Code("a long program")}
	const want = `$n$ & $\theta$ & Nyström & \shortstack[r]{random\\features} & \shortstack[r]{population's\\PCA\\(reference)} & \shortstack[r]{Nyström,\\m = $\ell$ (own m)} & \texttt{a long program} \\` + "\n"
	if got := latexHeader(head); got != want {
		t.Errorf("got  %swant %s", got, want)
	}
	row := []string{"10", "0.248 ± 0.011", "0.251 ± 0.011", "0.2515 ± 0.0096"}
	narrow := []string{Code("m"), "Nyström", "random features", "K-JL"}
	if got := floatFor(narrow, [][]string{row}); got != "table" {
		t.Errorf("four columns are a %s", got)
	}
	if got := floatFor(append(narrow, "k-means"), [][]string{append(row, row[1])}); got != "table*" {
		t.Errorf("five columns are a %s", got)
	}
}
