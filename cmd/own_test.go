package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// ownExample is a folder with the program and the spec of a section of docs/exec.md beside
// mercer.py.
func ownExample(t *testing.T, heading string) (dir, spec string) {
	t.Helper()
	pythonWithNumpy(t)
	text, err := os.ReadFile("../docs/exec.md")
	if err != nil {
		t.Fatal(err)
	}
	section := found(t, "(?s)\n## "+heading+"\n(.*?)\n## ", string(text))
	dir = t.TempDir()
	for name, content := range map[string]string{
		"mercer.py": succeeds(t, "init", "--exec", "py"),
		"mine.py":   found(t, "(?s)```python\n(.*?)```", section),
		"spec.yaml": found(t, "(?s)```yaml\n(.*?)```", section),
	} {
		if strings.Count(content, "\n") > 25 && name != "mercer.py" {
			t.Errorf("%s has more than 25 lines", name)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, filepath.Join(dir, "spec.yaml")
}

// TestOwnExamples runs the example of each section of docs/exec.md about what a program does
// beside a method: it validates without its program being run, its claims hold, its numbers are
// the same with one worker, with two and in processes of their own, and nothing is computed again.
func TestOwnExamples(t *testing.T) {
	for _, heading := range []string{"All in one file", "Kernels of your own", "Landmarks of your own", "Measures of your own", "Data of your own"} {
		t.Run(heading, func(t *testing.T) {
			dir, spec := ownExample(t, heading)
			path := os.Getenv("PATH")
			if err := os.Mkdir(filepath.Join(dir, "bin"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "bin", "python3"), []byte("#!/bin/sh\n> "+dir+"/ran\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			t.Setenv("PATH", filepath.Join(dir, "bin")+string(filepath.ListSeparator)+path)
			succeeds(t, "validate", spec)
			succeeds(t, "plan", spec)
			if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
				t.Error("validate or plan has run the program")
			}

			t.Setenv("PATH", path)
			var exported []string
			for i, args := range [][]string{{"--workers", "1"}, {"--workers", "2"}, {"--isolate", "process"}} {
				out := filepath.Join(dir, "out"+string(rune('0'+i)))
				run := append([]string{"run", spec, "--quiet", "--strict", "--out", out}, args...)
				succeeds(t, run...)
				exported = append(exported, succeeds(t, "export", out, "--no-times"))
				if exported[i] != exported[0] {
					t.Errorf("by %q:\n%s\nby one worker:\n%s", args, exported[i], exported[0])
				}
				before, err := os.ReadFile(filepath.Join(out, "records.jsonl"))
				if err != nil {
					t.Fatal(err)
				}
				succeeds(t, run...)
				after, err := os.ReadFile(filepath.Join(out, "records.jsonl"))
				if err != nil || string(after) != string(before) {
					t.Errorf("records are not what they were, %v", err)
				}
			}
			if heading == "All in one file" {
				parts := []string{filepath.Join(dir, "part1"), filepath.Join(dir, "part2")}
				for i, part := range parts {
					succeeds(t, "run", spec, "--quiet", "--out", part, "--shard", []string{"1/2", "2/2"}[i])
				}
				whole := filepath.Join(dir, "whole")
				succeeds(t, "merge", parts[0], parts[1], "--out", whole)
				if got := succeeds(t, "export", whole, "--no-times"); got != exported[0] {
					t.Errorf("of two shards:\n%s\nof one run:\n%s", got, exported[0])
				}
			}
			if failed := regexp.MustCompile(",(failed|timeout|skipped),").FindString(exported[0]); failed != "" {
				t.Errorf("rows are %s:\n%s", failed, exported[0])
			}
		})
	}
}

// TestAllOfMine: the example in one file has at most 12 lines, and numbers of its kernel and its
// measure are those of the built-in ones. Both kernels differ by 1e-16 of values near 1, and
// eigenpairs of 20 landmarks, apart by 1e-3 of the largest, by 1e-12.
func TestAllOfMine(t *testing.T) {
	dir, spec := ownExample(t, "All in one file")
	program, err := os.ReadFile(filepath.Join(dir, "mine.py"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(strings.ReplaceAll(string(program), "\n\n", "\n"), "\n"); lines > 12 {
		t.Errorf("the example has %d lines, want 12 at most", lines)
	}
	out := filepath.Join(dir, "out")
	succeeds(t, "run", spec, "--quiet", "--out", out)
	seen := map[string]float64{}
	for row := range strings.Lines(succeeds(t, "export", out, "--format", "jsonl")) {
		var read struct {
			At      struct{ Method string }
			Repeat  int
			Metrics map[string]float64
		}
		if err := json.Unmarshal([]byte(row), &read); err != nil {
			t.Fatal(err)
		}
		place := fmt.Sprint(read.At.Method, read.Repeat)
		for metric, v := range map[string]float64{"captured": read.Metrics["captured"], "skp_objective": read.Metrics["skp_objective"]} {
			if first, again := seen[place]; again && math.Abs(v-first) > 1e-8*first || v <= 0 {
				t.Errorf("%s at %s is %v, want %v", metric, place, v, first)
			}
			seen[place] = v
		}
	}
	if len(seen) != 6 {
		t.Errorf("%d places, want 6", len(seen))
	}
}

// ownKinds are specs with a program P in each place but that of a method, and how it fails by its
// answers.
var ownKinds = map[string]struct{ spec, shape, shapeSays, nan, nanSays string }{
	"kernel": {
		`kernels: [{id: mine, use: exec, P}]`,
		`{"kernel":[[1,2,3]]}`, "kernel of 20×20 points: kernel: an array of 1×3: want 20×20", `{"kernel":[[1,null]]}`, "null is no finite number",
	},
	"data": {
		`datasets: [{id: mine, use: exec, dim: 1, draws: 20, P}]
kernels: [{id: rbf, use: gaussian, sigma: 1, form: two-sigma-squared}]`,
		`{"points":[[1,2,3]]}`, "20 points: points: an array of 1×3: want 20×1", `{"points":[[null]]}`, "null is no finite number",
	},
	"measure": {
		`measure: [eigenvalues, {id: mine, use: exec, outputs: {mine: less}, P}]
kernels: [{id: rbf, use: gaussian, sigma: 1, form: two-sigma-squared}]`,
		`{"metrics":{"yours":1}}`, "is not among the outputs that the spec names", `{"metrics":{"mine":NaN}}`, "invalid character 'N'",
	},
	"landmarks": {
		`kernels: [{id: rbf, use: gaussian, sigma: 1, form: two-sigma-squared}]
methods: [{id: nystrom, use: nystrom, landmarks: {exec: {P}}}]`,
		`{"indices":[[1,2]]}`, "landmarks by exec: indices: must be the name of a .npy file, or a list of numbers", `{"indices":[1,null]}`, "null is no finite number",
	},
}

// TestOwnFaults: whatever a program does in whatever place, its rows fail with the reason, the run
// goes on, and nothing stays behind.
func TestOwnFaults(t *testing.T) {
	for kind, own := range ownKinds {
		for name, fault := range map[string]struct{ does, status, says string }{
			"exits":         {"exit 3", "failed", "exit status 3"},
			"is killed":     {"kill -9 $$", "failed", "signal: killed"},
			"prints":        {"echo garbage", "failed", "`garbage` is no JSON object"},
			"another shape": {"echo '" + own.shape + "'", "failed", own.shapeSays},
			"NaN":           {"echo '" + own.nan + "'", "failed", own.nanSays},
			"hangs":         {"sleep 600", "timeout", "no answer within timeout: 1s"},
			"says why":      {`echo '{"error":"no luck"}'`, "failed", "the program reports: no luck"},
		} {
			if kind == "data" && name == "hangs" { // rows of a repeat that cannot be drawn have failed
				fault.status = "failed"
			}
			t.Run(kind+" "+name, func(t *testing.T) {
				dir := t.TempDir()
				tmp := filepath.Join(dir, "tmp")
				program := filepath.Join(dir, "p.sh")
				spec := `
name: faults
seed: 1
repeats: 2
datasets: [{id: moons, use: crescent-full-moon}]
grid: {n: [20], m: [5], ell: [1]}
methods: [{id: ekpca, use: ekpca, center: u}]
measure: [eigenvalues]
`
				for _, line := range strings.Split(own.spec, "\n") { // in place of the key's own
					key, _, _ := strings.Cut(line, ":")
					spec = regexp.MustCompile("(?m)^"+key+":.*\n").ReplaceAllString(spec, "") + line + "\n"
				}
				spec = strings.ReplaceAll(spec, "P}", `command: [sh, "{dir}/p.sh"], timeout: 1s}`)
				for path, text := range map[string]string{program: "while echo '{\"ready\":2}'; read -r request; do " + fault.does + "; done\n", filepath.Join(dir, "faults.yaml"): spec} {
					if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				if err := os.Mkdir(tmp, 0o700); err != nil {
					t.Fatal(err)
				}
				t.Setenv("TMPDIR", tmp)
				var out, complaints bytes.Buffer
				if code := Main([]string{"run", filepath.Join(dir, "faults.yaml"), "--quiet", "--out", filepath.Join(dir, "out")}, nil, &out, &complaints); code != 1 {
					t.Fatalf("exit code %d: %s%s", code, out.String(), complaints.String())
				}
				rows := succeeds(t, "export", filepath.Join(dir, "out"), "--format", "jsonl")
				for row := range strings.Lines(rows) {
					if !strings.Contains(row, `"status":"`+fault.status+`"`) || !strings.Contains(row, fault.says) {
						t.Errorf("want %s with %q: %s", fault.status, fault.says, row)
					}
				}
				if strings.Count(rows, "\n") != 2 {
					t.Errorf("%d rows, want 2", strings.Count(rows, "\n"))
				}
				if left, _ := filepath.Glob(filepath.Join(tmp, "mercer-exec-*")); left != nil {
					t.Errorf("left: %q", left)
				}
			})
		}
	}
}

// ownMeasures has measures of its own beside built-in ones with the same values.
const ownMeasures = `
name: own
seed: 4
repeats: 2
datasets:
  - {id: mixture, use: gaussian-mixture, population: {held_out: 150}}
kernels: [{id: rbf, use: gaussian, sigma: 2, form: two-sigma-squared}]
grid: {n: [60], ell: [1, 3], k: [3], m: [10], d: [2]}
methods:
  - {id: ekpca, use: ekpca, center: none}
  - {id: clusters, use: nystrom-embedding, landmarks: uniform, kmeans: {}}
  - {id: ridge, use: krr, ridge: 0.01}
measure:
  - skp_objective
  - purity
  - class_error
  - id: mine
    use: exec
    command: COMMAND
    outputs: {objective: {better: more, label: objective of mine}, pure: more, pure_test: more, wrong: less, absent: none}
`

var ownMeasureIn = map[string]string{
	"Python": `
import numpy as np
from mercer import serve
def pure(part):
    return sum(np.bincount(part.labels[part.clusters == c]).max() for c in set(part.clusters)) / len(part.X)
def measure(p):
    assert p.held_out.X.shape[0] == 150 and p.sample.X.shape[0] == p.n == 60 and p.sample.responses is None
    if p.sample.clusters is not None:
        return {"pure": pure(p.sample), "pure_test": pure(p.held_out), "absent": None}
    if p.held_out.predictions is not None:
        values = p.held_out.predictions
        values = np.hstack([np.zeros_like(values), values]) if values.shape[1] == 1 else values
        return {"wrong": np.mean(values.argmax(axis=1) != p.held_out.labels)}
    assert p.sample.coordinates.shape == (60, p.ell)
    return {"objective": (p.held_out.coordinates ** 2).sum(axis=1).mean()}
serve(measure=measure)
`,
	"R": `
pure <- function(part) sum(apply(table(part$clusters, part$labels), 1, max)) / nrow(part$X)
measure <- function(p) {
    stopifnot(nrow(p$held_out$X) == 150, nrow(p$sample$X) == p$n, min(p$sample$labels) == 1)
    if (!is.null(p$sample$clusters)) return(list(pure = pure(p$sample), pure_test = pure(p$held_out), absent = NULL))
    values <- p$held_out$predictions
    if (!is.null(values)) {
        if (ncol(values) == 1) values <- cbind(0, values)
        return(c(wrong = mean(max.col(values, "first") != p$held_out$labels), absent = NA))
    }
    list(objective = mean(rowSums(p$held_out$coordinates^2)))
}
`,
}

// TestOwnMeasures: measures in numpy and in R have the values of the built-in ones that have the
// same definition. Sums of 150 terms differ by 1e-14 of them.
func TestOwnMeasures(t *testing.T) {
	for _, l := range languages {
		t.Run(l.name, func(t *testing.T) {
			l.need(t)
			dir := t.TempDir()
			command := map[string]string{"Python": `[python3, "{dir}/mine.py"]`, "R": `[Rscript, "{dir}/mercer.R", "{dir}/mine.R"]`}[l.name]
			for name, text := range map[string]string{l.helper: succeeds(t, "init", "--exec", strings.TrimPrefix(filepath.Ext(l.helper), ".")), l.file: ownMeasureIn[l.name], "own.yaml": strings.ReplaceAll(ownMeasures, "COMMAND", command)} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			out := filepath.Join(dir, "out")
			succeeds(t, "run", filepath.Join(dir, "own.yaml"), "--quiet", "--out", out)
			compared := 0
			for row := range strings.Lines(succeeds(t, "export", out, "--format", "jsonl")) {
				var read struct {
					Metrics  map[string]float64
					Warnings []string
				}
				if err := json.Unmarshal([]byte(row), &read); err != nil {
					t.Fatal(err)
				}
				for own, built := range map[string]string{"objective": "skp_objective", "pure": "purity", "pure_test": "purity_test", "wrong": "class_error"} {
					want, has := read.Metrics[built]
					got, gave := read.Metrics[own]
					if has != gave || math.Abs(got-want) > 1e-12 {
						t.Errorf("%s is %v, %s is %v: %s", own, got, built, want, row)
					} else if has {
						compared++
					}
				}
				if !strings.Contains(row, "no value of absent: the program gave none") {
					t.Errorf("no warning of what is absent: %s", row)
				}
			}
			if compared != 2*(2+2+1) {
				t.Errorf("%d values are compared, want 10", compared)
			}
		})
	}
}

// TestWrongOwnMeasures: what is wrong with a measure shows at its line, and nothing is written.
func TestWrongOwnMeasures(t *testing.T) {
	for measure, says := range map[string]string{
		`{id: mine, use: exec, command: [sh], outputs: {Mine: less}}`:                                                      `2:5: measure "mine": outputs: "Mine": take another name`,
		`{id: mine, use: exec, command: [sh], outputs: {recon_h: less}}`:                                                   `outputs: "recon_h": take another name`,
		`{id: mine, use: exec, command: [sh], outputs: {mine: lower}}`:                                                     `unknown value "lower"`,
		`{id: mine, use: exec, command: [sh], outputs: {}}`:                                                                `outputs: name a number`,
		`{id: mine, use: exec, command: [sh]}`:                                                                             `missing key "outputs"`,
		`{id: mine, use: exec, outputs: {mine: less}}`:                                                                     `missing key "command"`,
		`{id: mine, use: program, command: [sh], outputs: {mine: less}}`:                                                   `unknown measure "program"`,
		`{id: recon_h, use: exec, command: [sh], outputs: {mine: less}}`:                                                   `measure "recon_h": its id is the name of a measure`,
		`{id: mine, use: exec, command: ["{dir}/none.py"], outputs: {mine: less}}`:                                         `measure "mine": program "{dir}/none.py": there is no file`,
		`{use: exec, command: [sh], outputs: {mine: less}}`:                                                                `missing key "id"`,
		"{id: a, use: exec, command: [sh], outputs: {x: less}}\n  - {id: b, use: exec, command: [sh], outputs: {x: less}}": `3:5: measure "b": its id is the name of a measure, or one of its outputs`,
	} {
		spec := filepath.Join(t.TempDir(), "wrong.yaml")
		text := "measure:\n  - " + measure + "\nname: wrong\nseed: 1\nrepeats: 1\ndatasets: [{id: s, use: series, decay: {power: 2}}]\ngrid: {n: [20], ell: [1]}\nmethods: [{id: ekpca, use: ekpca, center: u}]\n"
		if err := os.WriteFile(spec, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, complaints bytes.Buffer
		if code := Main([]string{"run", spec, "--out", spec + ".d"}, nil, &out, &complaints); code != 2 || !strings.Contains(complaints.String(), says) {
			t.Errorf("%s: exit code %d, want 2 with %q:\n%s", measure, code, says, complaints.String())
		}
		if _, err := os.Stat(spec + ".d"); err == nil {
			t.Errorf("%s: something is written", measure)
		}
	}
}

// TestOwnMeasureKeys: a label and a direction change no row, the program does.
func TestOwnMeasureKeys(t *testing.T) {
	dir := t.TempDir()
	rows := func(comment, outputs string) int { // in the folder, after a run
		for name, text := range map[string]string{"mine.sh": `while echo '{"ready":2}'; read -r r; do echo '{"metrics":{"mine":1}}'; done #` + comment, "keys.yaml": `
name: keys
seed: 1
repeats: 1
datasets: [{id: s, use: series, decay: {power: 2}}]
grid: {n: [20], ell: [1]}
methods: [{id: ekpca, use: ekpca, center: u}]
measure: [{id: mine, use: exec, command: [sh, "{dir}/mine.sh"], outputs: {mine: ` + outputs + `}}]
`} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		succeeds(t, "run", filepath.Join(dir, "keys.yaml"), "--quiet", "--out", filepath.Join(dir, "out"))
		records, err := os.ReadFile(filepath.Join(dir, "out", "records.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(records), `"id":"`)
	}
	for i, run := range []struct {
		comment, outputs string
		want             int
	}{{"", "less", 1}, {"", "{better: more, label: of mine}", 1}, {"edited", "less", 2}} {
		if got := rows(run.comment, run.outputs); got != run.want {
			t.Errorf("run %d leaves %d rows, want %d", i, got, run.want)
		}
	}
}

// TestMissingPrograms: a program that is not there is found when a spec is validated, planned or
// run, at its line.
func TestMissingPrograms(t *testing.T) {
	const none = `command: ["{dir}/none.py"]`
	for part, says := range map[string]string{
		"kernels: [{id: mine, use: exec, " + none + "}]":                                                   `1:42: kernel "mine": program "{dir}/none.py": there is no file`,
		"datasets: [{id: mine, use: exec, dim: 1, draws: 20, " + none + "}]":                               `1:62: dataset "mine": program "{dir}/none.py": there is no file`,
		`methods: [{id: mine, use: nystrom, landmarks: {exec: ["{dir}/none.py"]}}]`:                        `1:11: method "mine": program "{dir}/none.py": there is no file`,
		`methods: [{id: mine, use: nystrom, landmarks: {file: none.npy}}]`:                                 `1:11: method "mine": landmarks: none.npy: `,
		"kernels: [{id: mine, use: sum, of: [{use: linear}, {use: exec, " + none + "}]}]":                  `1:11: kernel "mine": program "{dir}/none.py": there is no file`,
		"kernels: [{id: mine, use: exec, command: [sh], timeout: -1}]":                                     `"timeout" of kernel "mine"`,
		"datasets: [{id: mine, use: exec, dim: 1, draws: 20, command: [sh], population: self}]":            `dataset "mine": population: self`,
		"datasets: [{id: mine, use: exec, draws: 20, command: [sh]}]":                                      `missing key "dim"`,
		"kernels: [{id: rbf, use: gaussian, bandwidth: {median: 1}, form: sigma-squared}]\n# of a program": `give sigma`,
	} {
		spec := filepath.Join(t.TempDir(), "missing.yaml")
		text := "name: missing\nseed: 1\nrepeats: 1\ngrid: {n: [20], m: [5], ell: [1]}\nmeasure: [eigenvalues]\n"
		for key, line := range map[string]string{
			"datasets": "[{id: d, use: exec, dim: 1, draws: 20, command: [sh]}]", "kernels": "[{id: rbf, use: gaussian, sigma: 1, form: sigma-squared}]", "methods": "[{id: e, use: ekpca, center: u}]",
		} {
			if !strings.HasPrefix(part, key) {
				text += key + ": " + line + "\n"
			}
		}
		if err := os.WriteFile(spec, []byte(part+"\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"validate", "plan", "run"} {
			var out, complaints bytes.Buffer
			if code := Main([]string{command, spec}, nil, &out, &complaints); code != 2 || !strings.Contains(complaints.String(), says) {
				t.Errorf("%s %s: exit code %d, want 2 with %q:\n%s", command, part, code, says, complaints.String())
			}
		}
	}
}

// TestOwnMeasureOfResponses: a regression that hardly smooths runs through the responses of its
// sample, to a ten-thousandth of their deviation, and its error at held-out points is the built-in
// one, to 1e-10 of it.
func TestOwnMeasureOfResponses(t *testing.T) {
	languages[0].need(t)
	dir := t.TempDir()
	table, rng := "x,y,z\n", rand.New(rand.NewPCG(5, 0))
	for range 60 {
		x, y := rng.Float64(), rng.Float64()
		table += fmt.Sprintf("%v,%v,%v\n", x, y, 100+10*math.Sin(6*x)*y)
	}
	for name, text := range map[string]string{
		"mercer.py": succeeds(t, "init", "--exec", "py"),
		"table.csv": table,
		"mine.py": `
import numpy as np
from mercer import serve
def measure(p):
    wrong = lambda part: np.sqrt(np.mean((part.predictions[:, 0] - part.responses) ** 2))
    return {"trained": wrong(p.sample), "tested": wrong(p.held_out), "spread": p.sample.responses.std()}
serve(measure=measure)
`,
		"other.py": "from mercer import serve\nserve(measure=lambda p: {'nothing': float('nan')})\n",
		"own.yaml": `
name: own
seed: 4
repeats: 2
datasets: [{id: table, use: csv, path: table.csv, response: z, split: {test: 0.3}}]
kernels: [{id: rough, use: laplace, sigma: 0.5}]
grid: {n: N}
methods: [{id: ridge, use: krr, ridge: 1e-9}]
measure:
  - rmse
  - {id: mine, use: exec, command: [python3, "{dir}/mine.py"], outputs: {trained: less, tested: less, spread: none}}
  - {id: other, use: exec, command: [python3, "{dir}/other.py"], outputs: {nothing: less}}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out")
	succeeds(t, "run", filepath.Join(dir, "own.yaml"), "--quiet", "--out", out)
	rows := 0
	for row := range strings.Lines(succeeds(t, "export", out, "--format", "jsonl")) {
		var read struct{ Metrics map[string]float64 }
		if err := json.Unmarshal([]byte(row), &read); err != nil {
			t.Fatal(err)
		}
		m := read.Metrics
		if rows++; !(m["spread"] > 1) || !(m["trained"] < 1e-4*m["spread"]) || !(m["rmse"] > 0.01) || math.Abs(m["tested"]-m["rmse"]) > 1e-10*m["rmse"] {
			t.Errorf("%v", m)
		}
	}
	if rows != 2 {
		t.Errorf("%d rows", rows)
	}
}
