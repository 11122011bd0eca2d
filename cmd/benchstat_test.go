//go:build system && unix

package cmd

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// paced is a spec of a program that sleeps as long as $PACE says.
const paced = `name: paced
seed: 3
repeats: 1
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid: {n: [5], ell: [1, 2]}
methods: [{id: mine, use: exec, command: [sh, "{dir}/mine.sh"], model: subspace}]
measure: [recon_h, time]
profiles: {timing: {repeats: 2}}
`

// TestBenchstatRecipe: two programs in turns, of which one sleeps 0.2 s longer in each fit, by
// the commands of docs/compare.md: benchstat shows that every cell takes longer.
func TestBenchstatRecipe(t *testing.T) {
	r := newRecipe(t, "Times of two programs")
	module := found(t, `go run (golang.org/x/perf)/cmd/benchstat@`, r.code) + "@" + found(t, `cmd/benchstat@(\S+)`, r.code)
	if text, err := exec.Command("go", "mod", "download", module).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no module proxy here, benchstat is not run: %v\n%s", err, text)
	}
	r.write("my.yaml", paced)
	r.write("mine.sh", strings.NewReplacer("\techo", "\tsleep ${PACE:-0}\n\techo", "ANSWER", `{"indices":[0],"coef":[[1]],"values":[1]}`).Replace(subspaceProgram))
	text, err := r.run(strings.Replace(r.code, "./mercer-new run", "PACE=0.2 ./mercer-new run", 1))
	slower := regexp.MustCompile(`(?m)^Fit/data=poly2/kernel=series/method=mine/n=5/ell=[12].* \+\d[\d.]*% \(p=0\.0[0-4]\d n=10\)$`).FindAllString(text, -1)
	if err != nil || len(slower) != 2 || !strings.Contains(text, "sec/op") {
		t.Fatalf("%v\n%s", err, text)
	}
}
