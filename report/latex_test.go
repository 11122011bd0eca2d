package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/report/reporttest"
	"mercer/report/sections"
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
					Repeat: repeat, Status: results.OK, Metrics: results.NewMetrics(map[string]float64{"recon_h": v, "rank": 3})})
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
% ` + sections.BoldRule + `

\begin{table}
\centering
\setlength{\tabcolsep}{4pt}\setlength{\belowcaptionskip}{4pt}
\caption{Reconstruction error R (\texttt{recon\_h}). Mean over 4 repeats of profile smoke $\pm$ half-width of its 95 \% t interval. Bold: better than every other method of its row (paired tests, p $<$ 0.05 after Holm).}
\label{tab:ab-smoke-x-recon_h}
\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%
\begin{tabular}{@{}rrr@{}}
\toprule
$n$ & \texttt{bad\_one} & \texttt{good} \\
\midrule
$50$ & $0.04060 \pm 0.00083$ & $\mathbf{0.02015 \pm 0.00021}$ \\
$100$ & $0.02045 \pm 0.00062$ & $\mathbf{0.01015 \pm 0.00021}$ \\
\bottomrule
\end{tabular}}
\end{table}
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := WriteLatex(&b, run, []string{"recon_l2"}); err == nil || !strings.Contains(err.Error(), "rank, recon_h") {
		t.Errorf("an unknown metric: %v", err)
	}
	if err := WriteLatex(&b, run, []string{"recon_h", "recon_h"}); err == nil || !strings.Contains(err.Error(), `"recon_h" is given twice`) {
		t.Errorf("a metric given twice: %v", err)
	}
}
