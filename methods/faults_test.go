//go:build unix

package methods_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mercer/internal/kernel"
	"mercer/methods"
)

const goodAnswer = `{"indices":[0],"coef":[[1]],"values":[0]}`

// faults are what programs of the table of errors in docs/exec.md do at a fit, by the
// beginning of their row.
var faults = []struct{ row, script, says string }{
	{"exits with a status", `exit 3`, "exit status 3"},
	{"exits with a status", `echo '` + goodAnswer + `'; exit 3`, "exit status 3"},
	{"dies of a signal", `kill -SEGV $$`, "segmentation fault"},
	{"ends before", `exit 0`, "the program ended without an answer"},
	{"does not answer", `sleep 600`, "no answer within timeout: 2s"},
	{"does not answer", `echo '` + goodAnswer + `'; sleep 600`, "no answer within timeout: 2s"},
	{"is not ready", "", "TestStartFails of package exec, which may set the 2 minutes"},
	{"prints a line", `echo Loading`, "answer `Loading` is no JSON object"},
	{"prints a line", `echo '{"coeff":[1]}'`, `unknown key "coeff"`},
	{"prints a line", `head -c 5000000 /dev/zero`, "more than 4 MiB"},
	{"prints a second", `echo '` + goodAnswer + `'; echo again`, "printed `again`"},
	{"closes its output", `exec >&-; sleep 600`, "closed its standard output"},
	{"leaves out an array", `echo '{"indices":[0],"values":[0]}'; continue`, "coef is missing"},
	{"leaves out an array", `echo '{"indices":[0],"coef":[1],"values":[0]}'; continue`, "coef: must be the name of a .npy file, or a list of rows of numbers"},
	{"leaves out an array", `echo '{"indices":[0],"coef":"/etc/passwd","values":[0]}'; continue`, "stay in the scratch directory"},
	{"leaves out an array", `ln -s /etc/passwd c.npy; echo '{"indices":[0],"coef":"c.npy","values":[0]}'; continue`, "is a link"},
	{"answers with", `echo '{"error":"singular"}'; continue`, "the program reports: singular"},
}

// inShell serves fits; one with m = 1 does a fault, the others answer with the process.
func inShell(t *testing.T, fault string) methods.Method {
	t.Helper()
	script := `while echo '{"ready":2}'; read -r request; do
	case $request in *'"m":1,'*) ` + fault + `;; esac
	echo '{"indices":[0],"coef":[[1]],"values":['$$']}'
done`
	o := asks("subspace", "sh", "-c", script)
	if strings.Contains(fault, "600") {
		o.Timeout = 2 * time.Second
	}
	return opened(t, o)
}

func served(ctx context.Context, program methods.Method, m int) (pid float64, err error) {
	model, err := program.Fit(ctx, methods.Sample{
		X: uniformPoints(1, 5, 2), Kernel: kernel.NewGaussian(1), Sizes: methods.Sizes{N: 5, M: m, Ell: 1},
	}, newRand(1))
	if err != nil {
		return 0, err
	}
	return model.(*methods.Subspace).Values[0], nil
}

// TestTableOfErrors does what each row of the table of errors in docs/exec.md says: the fit
// fails for the reason of the row, and the process serves on in the last two rows alone.
func TestTableOfErrors(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "exec.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| the program | reason |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")
	noScratchLeft(t)
	for i, row := range rows {
		tested := false
		for _, f := range faults {
			if !strings.HasPrefix(row, "| "+f.row) {
				continue
			}
			if tested = true; f.script == "" {
				continue
			}
			t.Run(f.row+": "+f.says, func(t *testing.T) {
				program := inShell(t, f.script)
				before, err := served(t.Context(), program, 2)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := served(t.Context(), program, 1); err == nil || !strings.Contains(err.Error(), f.says) {
					t.Errorf("error %v, want one that says %q", err, f.says)
				}
				after, err := served(t.Context(), program, 2)
				if serves := i >= len(rows)-2; err != nil || (after == before) != serves {
					t.Errorf("error %v, the same process after the fault: %v, want %v", err, after == before, serves)
				}
			})
		}
		if !tested {
			t.Errorf("no program does what the row says: %s", row)
		}
	}
}
