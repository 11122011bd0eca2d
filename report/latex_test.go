package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/report/format"
	"mercer/report/reporttest"
	"mercer/report/views"
	"mercer/results"
)

// TestWriteLatex: a table with its caption, the best in bold, and only the metrics
// that are asked for.
func TestWriteLatex(t *testing.T) {
	var rows []results.Row
	for repeat := range 4 {
		for _, method := range []string{"good", "bad_one"} {
			for _, n := range []int{50, 100} {
				v := 1/float64(n) + 0.0001*float64(repeat)
				if method != "good" {
					v *= 2 + 0.01*float64(repeat)
				}
				rows = append(rows, results.Row{ID: method, At: reporttest.At("dataset", "x", "kernel", "rbf", "method", method, "n", fmt.Sprint(n)),
					Repeat: repeat, Status: results.OK, Metrics: map[string]float64{"recon_h": v, "rank": 3}})
			}
		}
	}
	run := reporttest.RunOf([]string{"n"}, rows...)
	run.Dir, run.Manifest.Profile, run.Spec.Title, run.Spec.Name = "results/ab/smoke", "smoke", "A & B", "ab"
	var b strings.Builder
	if err := WriteLatex(&b, run, []string{"recon_h"}); err != nil {
		t.Fatal(err)
	}
	const want = `% A & B. Needs \usepackage{booktabs,graphicx}.

\begin{table}
\centering
\setlength{\tabcolsep}{4pt}\setlength{\belowcaptionskip}{4pt}
\caption{Means over 4 repeats $\pm$ half-width of the 95 \% t interval, or [a, b] where it ends at the least or greatest possible value. recon\_h: reconstruction error R. Bold: better than every other method at its place, references apart (paired tests, p $<$ 0.05 after Holm).}
\label{tab:ab-0}
\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%
\begin{tabular}{@{}rlr@{}}
\toprule
\texttt{n} & Method & \texttt{recon\_h} \\
\midrule
50 & bad\_one & 0.04060 $\pm$ 0.00083 \\
50 & good & \textbf{0.02015 $\pm$ 0.00021} \\
100 & bad\_one & 0.02045 $\pm$ 0.00062 \\
100 & good & \textbf{0.01015 $\pm$ 0.00021} \\
\bottomrule
\end{tabular}}
\end{table}
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := WriteLatex(&b, run, []string{"recon_l2"}); err == nil || !strings.Contains(err.Error(), `unknown metric "recon_l2"`) {
		t.Errorf("an unknown metric: %v", err)
	}
}

func TestLatexText(t *testing.T) {
	for cell, want := range map[views.Cell]string{
		{Text: "0.1234 ± 0.0012"}:                   `0.1234 $\pm$ 0.0012`,
		{Text: "0.12 ± 0.01 (4)", Mark: views.Best}: `\textbf{0.12 $\pm$ 0.01 (4)}`,
		{Text: "(−1.23 ± 0.12)e−7"}:                 `($-$1.23 $\pm$ 0.12)$\cdot 10^{-7}$`,
		{Text: "1.5e12"}:                            `1.5$\cdot 10^{12}$`,
		{Text: `50 % of #1 & \x{y}`}:                `50 \% of \#1 \& \textbackslash{}x\{y\}`,
		{Text: "At n = 225, ell = 5."}:              `At n = 225, ell = 5.`,
		{Text: "σ ≈ 7, 2√n·m"}:                      `$\sigma$ $\approx$ 7, 2$\surd$n$\cdot$m`,
		{Text: "time_total", Mark: views.Code}:      `\texttt{time\_total}`,
		{Text: format.None}:                         `--`,
	} {
		if got := latexCell(cell); got != want {
			t.Errorf("%v: %s, want %s", cell, got, want)
		}
	}
}
