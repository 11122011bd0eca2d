package data

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/configs/source"
	programs "mercer/methods/exec"
)

// drawing is a data set of a program with these parameters, which ends with the test.
func drawing(t *testing.T, dir, parameters string) Dataset {
	t.Helper()
	o := Registry["exec"].New().(*ExecOptions)
	if _, err := must(source.Params("dataset", "exec", parameters)).Bind(o, nil); err != nil {
		t.Fatal(err)
	}
	commands := programs.Commands{}
	if _, err := programs.FindAll(dir, o, commands); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := commands.Close(); err != nil {
			t.Error(err)
		}
	})
	return must(o.Open(Context{}))
}

// sampleFails is why a sample cannot be drawn.
func sampleFails(d Dataset, n int) error {
	draw, err := d.Draw(repeat(1))
	if err == nil {
		_, _, err = draw.Sample(n)
	}
	return err
}

// inPython has points x_ij = seed + part + 100i + j, classes i mod 3 and responses 10i.
const inPython = `
import numpy as np
from mercer import serve
def data(p):
    i = np.arange(p.n)
    base = p.seed + (0.5 if p.part == "population" else 0)
    return {"points": base + 100 * i[:, None] + np.arange(p.dim), "labels": i % 3, "responses": 10.0 * i}
serve(data=data)
`

const inR = `
data <- function(p) {
    i <- seq_len(p$n) - 1
    base <- p$seed + if (p$part == "population") 0.5 else 0
    list(points = base + outer(100 * i, seq_len(p$dim) - 1, "+"), labels = i %% 3 + 1, responses = 10 * i)
}
`

// TestExecData: points, classes and responses are what the program gives for the stream of the
// repeat, in Python and in R; the sample of n is the beginning of more.
func TestExecData(t *testing.T) {
	examples := must(filepath.Abs("../methods/exec/examples"))
	for language, command := range map[string]string{"python": `[/usr/bin/python3, "{dir}/mine.py"]`, "R": fmt.Sprintf(`[Rscript, "%s/mercer.R", "{dir}/mine.R"]`, examples)} {
		t.Run(language, func(t *testing.T) {
			if language == "R" && exec.Command("Rscript", "--version").Run() != nil || language == "python" && exec.Command("/usr/bin/python3", "-c", "import numpy").Run() != nil {
				t.Skip("SKIPPED: no Rscript, or no python3 with numpy, here")
			}
			dir := t.TempDir()
			for name, text := range map[string]string{"mine.py": "import sys\nsys.path.insert(0, '" + examples + "')\n" + inPython, "mine.R": inR} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			d := drawing(t, dir, "{command: "+command+", dim: 2, draws: 9, classes: 3, response: true, population: {held_out: 4}}")
			draw := must(d.Draw(repeat(1)))
			x, labels, err := draw.Sample(7)
			if err != nil {
				t.Fatal(err)
			}
			y := draw.(Supervised).Responses(5)
			held, heldLabels := draw.HeldOut()
			first := x.At(0, 0)
			if x.At(6, 1) != first+601 || !slices.Equal(labels, []int{0, 1, 2, 0, 1, 2, 0}) || y.Sample.At(4, 0) != 40 || y.Sample.RawMatrix().Rows != 5 || y.Unit != 1 {
				t.Errorf("points %v, classes %v, responses %v", mat.Formatted(x), labels, y)
			}
			if n, _ := held.Dims(); n != 4 || held.At(0, 0) == first || !slices.Equal(heldLabels, []int{0, 1, 2, 0}) || y.HeldOut.At(3, 0) != 30 {
				t.Errorf("held out %v, classes %v, responses %v", mat.Formatted(held), heldLabels, y.HeldOut)
			}
			rows, _, err := must(d.Draw(repeat(1))).Rows(3)
			if err != nil || !mat.Equal(View(rows, 0, 3), x.Slice(0, 3, 0, 2)) {
				t.Errorf("the rows of 3 points are not the first of 7, error %v", err)
			}
			if again, _, _ := must(d.Draw(repeat(2))).Sample(1); again.At(0, 0) == first {
				t.Error("another repeat has the same points")
			}
			if c := d.Constants(); c["D"] != 2 || c["classes"] != 3 {
				t.Errorf("constants %v", c)
			}
		})
	}
}

// answeringWith are the parameters of a program that gives one answer.
func answeringWith(answer string) string {
	return `{command: [sh, -c, 'while echo ''{"ready":2}''; read -r r; do echo ''` + answer + `''; done'], dim: 1, draws: 4}`
}

// TestExecDataFaults: what a program may not give.
func TestExecDataFaults(t *testing.T) {
	for answer, says := range map[string]string{
		`{"points":[[1],[2],[3]]}`:                  "4 points: points: an array of 3×1: want 4×1",
		`{"points":[[1,2],[2,3],[3,4],[4,5]]}`:      "points: an array of 4×2: want 4×1",
		`{"points":[[1],[2],[3],[4]],"labels":[0]}`: `unknown key "labels"`,
		`{}`:                              "points is missing",
		`{"points":[[1],[2],[3],[null]]}`: "null is no finite number",
	} {
		if err := sampleFails(drawing(t, ".", answeringWith(answer)), 4); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want one that says %q", answer, err, says)
		}
	}
	if err := sampleFails(drawing(t, ".", answeringWith(`{"points":[[1],[2],[3],[4]]}`)), 5); err == nil || !strings.Contains(err.Error(), "a program that draws 4: raise draws") {
		t.Errorf("error %v", err)
	}
	if err := (&ExecOptions{Options: programs.Options{Command: []string{"sh"}}, Population: PopulationOption{Kind: "self"}}).Validate(); err == nil || !strings.Contains(err.Error(), "take {held_out: N}") {
		t.Errorf("error %v", err)
	}
}
