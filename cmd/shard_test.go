//go:build unix

package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"mercer/results"
	"mercer/runner/batch"
	"mercer/runner/batch/slurm"
	"mercer/runner/plan"
)

// shardSpec reads a file, which a test may change.
const shardSpec = `
name: shards
seed: 5
repeats: 6
datasets:
  - {id: points, use: csv, path: points.csv, population: {held_out: 20}}
kernels: [{id: k, use: gaussian, bandwidth: {median: 1}, form: two-sigma-squared}]
grid: {n: [20, 30], ell: [2], m: [8]}
methods:
  - {id: ekpca, use: ekpca, center: u}
  - {id: nystrom, use: nystrom}
measure: [recon_h]
`

// fakeSlurm writes commands that answer as Slurm's do, and keep what they are asked.
func fakeSlurm(t *testing.T, dir string) (env string) {
	t.Helper()
	for name, text := range map[string]string{
		"sbatch":   `for word; do echo "$word"; done >> "$(dirname "$0")/asked"; echo >> "$(dirname "$0")/ids"; echo "$(wc -l < "$(dirname "$0")/ids");cluster"`,
		"squeue":   `cat "$(dirname "$0")/queue" 2>/dev/null || true`,
		"scontrol": `case "$*" in "show config") printf "%-24s= %s\\n" MaxArraySize 8;; *) echo "scontrol $*" >> "$(dirname "$0")/asked";; esac`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return "PATH=" + dir + string(filepath.ListSeparator) + os.Getenv("PATH")
}

// TestShards goes the way of a submitted run without a cluster: an array of as
// many shards as MaxArraySize allows, shards by their script, and a merge; and what is refused on
// the way.
func TestShards(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "a b")
	bin := filepath.Join(dir, "bin")
	if err := os.MkdirAll(bin, 0o777); err != nil {
		t.Fatal(err)
	}
	var points strings.Builder
	points.WriteString("x,y\n")
	for i := range 60 {
		fmt.Fprintf(&points, "%d.5,%d\n", i*i%17, i*7%13)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("points.csv", points.String())
	write("shards.yaml", shardSpec)
	path := fakeSlurm(t, bin)
	mercer := func(code int, says string, env []string, args ...string) string {
		t.Helper()
		c := mercerCommand(dir, args...)
		c.Env = append(append(c.Env, path), env...)
		text, err := c.CombinedOutput()
		if c.ProcessState.ExitCode() != code || !strings.Contains(string(text), says) {
			t.Errorf("mercer %v: %v, want exit code %d and %q\n%s", args, err, code, says, text)
		}
		return string(text)
	}
	mercer(1, "no sbatch in $PATH; log in to", []string{"PATH=" + dir}, "submit", "shards.yaml", "--out", "run")
	if _, err := os.Stat(filepath.Join(dir, "run")); err == nil {
		t.Error("a refused submit writes")
	}
	for says, args := range map[string][]string{
		`--engine "pbs": known are script and slurm`: {"--engine", "pbs"},
		`--time: "soon" is no time limit`:            {"--time", "soon"},
		`--mem: "8GiB" is no memory`:                 {"--mem", "8GiB"},
		"--shards -1: must not be negative":          {"--shards", "-1"},
		`--sbatch-arg "--array=1-3": must be`:        {"--sbatch-arg=--array=1-3"},
		"mercer itself half a GiB":                   {"--mem", "100M"},
		"unknown flag: --memory":                     {"--memory", "1GiB"},
		"has a control character":                    {"--out", "line\nfeed"},
	} {
		mercer(2, says, nil, append([]string{"submit", "shards.yaml", "--out", "run"}, args...)...)
	}
	mercer(2, "was not submitted: it has no", nil, "status", mustRun(t, dir, "local"))

	mercer(0, "note: 7 shards instead of 9, the most", nil, "submit", "shards.yaml", "--out", "run", "--shards", "9", "--max-parallel", "4", "--sbatch-arg=--account=m", "--mem", "3G", "--setup", "true", "--cell-timeout", "10m", "--filter", "repeat >= 0")
	asked, err := os.ReadFile(filepath.Join(bin, "asked"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"--array=0-6%4", "--account=m", "--dependency=afterany:1", "--chdir=" + filepath.Join(dir, "run", "batch")} {
		if !strings.Contains(string(asked), want+"\n") {
			t.Errorf("sbatch is not asked for %s:\n%s", want, asked)
		}
	}
	var frozen plan.Frozen
	if frozen, err = plan.ReadFrozen(filepath.Join(dir, "run", "batch", batch.FrozenFile)); err != nil || frozen.Command != "mercer run shards.yaml --profile paper --out '"+filepath.Join(dir, "run")+"' --cell-timeout 10m0s --filter 'repeat >= 0'" {
		t.Errorf("command %q, %v", frozen.Command, err)
	}
	// The queue knows all but shards 1 and 6.
	name, slurmDir := "", filepath.Join(dir, "run", "batch")
	for line := range strings.Lines(string(asked)) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), "--job-name="); ok && name == "" {
			name = v
		}
	}
	if !strings.HasPrefix(name, "mercer-shards-") {
		t.Errorf("jobs are called %q", name)
	}
	var queue strings.Builder
	for shard, state := range []string{"PENDING", "FAILED", "RUNNING", "PENDING", "PENDING", "SUSPENDED"} {
		fmt.Fprintf(&queue, "1|%d|%s||None|%s\n", shard, state, slurmDir)
	}
	write("bin/queue", queue.String())
	text := mercer(0, "already queued: 5 shards, 0,2-5", nil, "submit", "run", "--dry-run", "--time", "5")
	if strings.Count(text, "--time=5 --signal=B:USR1@60 ") != 1 || !strings.Contains(text, "--array=1,6%4") {
		t.Errorf("to be submitted:\n%s", text)
	}
	mercer(0, "unknown to Slurm", nil, "status", "run")
	// What is queued keeps its scripts and its plan; the rest takes what is given now.
	again := []string{"submit", "shards.yaml", "--out", "run", "--filter", "repeat >= 0", "--dry-run"}
	for says, args := range map[string][]string{
		`--setup: shards of`: {"--setup", "false"}, `--cpus: shards of`: {"--cpus", "2"}, `are queued with "10m0s"`: {"--cell-timeout", "11m"},
	} {
		mercer(2, says, nil, append(again, args...)...)
	}
	same := append(again, "--max-parallel", "4", "--sbatch-arg=--account=m", "--mem", "3G", "--setup", "true", "--cell-timeout", "10m")
	for _, args := range [][]string{again, same} {
		text := mercer(0, "--array=1,6%4", nil, args...)
		if strings.Contains(text, "#SBATCH") || !strings.Contains(text, "--account=m") {
			t.Errorf("to be submitted beside what is queued:\n%s", text)
		}
	}
	mercer(0, "--mem=4G", nil, append(again, "--mem", "4G")...)
	mercer(0, "--account=n", nil, append(again, "--sbatch-arg=--account=n")...)
	mercer(2, "--filter: run was submitted with a fixed value", nil, "submit", "run", "--filter", "repeat > 0")
	// A frozen plan that is damaged is never trusted.
	p := filepath.Join(slurmDir, batch.FrozenFile)
	text = strings.Replace(readText(t, p), frozen.Digest, "1234", 1)
	write("run/batch/plan.json", text)
	mercer(1, `is broken: "1234" is no digest`, nil, "status", "run")
	mercer(1, "and their plan "+p+" cannot be read: scancel", nil, again...)
	write("bin/queue", "")
	mercer(0, `note: frozen plan`, nil, "submit", "shards.yaml", "--out", "run", "--filter", "repeat >= 0", "--dry-run")
	if err := frozen.Write(p); err != nil {
		t.Fatal(err)
	}

	shard := func(code int, says string, index int, env ...string) {
		t.Helper()
		c := mercerCommand(slurmDir)
		c.Path, c.Args = "/bin/bash", []string{"bash", filepath.Join(slurmDir, slurm.ArrayScript)}
		c.Env = append(append(c.Env, path, fmt.Sprintf("SLURM_ARRAY_TASK_ID=%d", index)), env...)
		text, err := c.CombinedOutput()
		if c.ProcessState == nil || c.ProcessState.ExitCode() != code || !strings.Contains(string(text), says) {
			t.Errorf("shard %d: %v, want exit code %d and %q\n%s", index, err, code, says, text)
		}
	}
	write("points.csv", points.String()+"1,1\n")
	shard(1, `data set "points" is another than when the run was submitted`, 0)
	write("points.csv", points.String())
	mercer(2, "the plan has shards 0 to 6", nil, "shard", "--plan", "run/batch/plan.json", "--index", "7")
	binary := filepath.Join(slurmDir, batch.Binary)
	original, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(binary, append(original, 0), 0o777); err != nil { // as a rebuild in place
		t.Fatal(err)
	}
	shard(1, "is not the mercer that the run was submitted with", 0)
	mercer(1, "is not the mercer that the run was submitted with", nil, "submit", "run")
	if err := os.WriteFile(binary, original, 0o777); err != nil {
		t.Fatal(err)
	}
	for index := range 6 {
		shard(0, "records, took", index)
	}
	shard(0, "continuing: 3 of 3 records are done", 2)
	mercer(1, "shard 6: 0 of", nil, "merge", "run")
	if text := mercer(1, "shard 6: 0 of", []string{"PATH=" + dir}, "merge", "run"); strings.Contains(text, "note:") {
		t.Errorf("a note about Slurm where there is none:\n%s", text)
	}
	shard(0, "records, took", 6)
	mercer(0, "24 of 24 records are stored, 0 of them failed", nil, "merge", "run")
	mercer(0, "nothing to submit: all 24 records", nil, "submit", "run")
	sameExport(t, dir, "run", "local")

	// Runs made elsewhere: parts of one plan make a whole, others are refused.
	mercer(0, "", nil, "run", "shards.yaml", "--out", "part", "--filter", "repeat < 3", "--quiet")
	write("other.yaml", strings.Replace(shardSpec, "seed: 5", "seed: 6", 1))
	mercer(0, "", nil, "run", "other.yaml", "--out", "other", "--quiet")
	mercer(2, "is of another plan: 24 of its 24 records are not in the run: its spec is another", nil, "merge", "local", "other")
	mercer(0, "24 of 24 records are stored, 0 of them failed; 24 are new", nil, "merge", "whole", "local", "part")
	mercer(2, "whole is the run itself", nil, "merge", "whole", "part", "./whole")
	before := readText(t, filepath.Join(dir, "whole", results.ManifestFile))
	mercer(0, "; 0 are new", nil, "merge", "whole", "./local", "part", filepath.Join(dir, "local"), "bin/../part")
	if after := readText(t, filepath.Join(dir, "whole", results.ManifestFile)); after != before {
		t.Errorf("a second merge makes of\n%s\n%s", before, after)
	}
	sameExport(t, dir, "whole", "local")
	if run, err := results.Load(filepath.Join(dir, "whole")); err != nil || len(run.Manifest.Starts) != 2 || run.Manifest.Starts[0].Source != filepath.Join(dir, "local") {
		t.Errorf("starts %+v, %v", run.Manifest.Starts, err)
	}
}

// TestCommand: the command to continue has what was given, and forgets nothing.
func TestCommand(t *testing.T) {
	for given, want := range map[string]string{
		"--profile smoke --fresh -q":                                                     "mercer run s.yaml --profile smoke",
		"--skip-missing-data --cell-timeout 5m":                                          "mercer run s.yaml --profile paper --cell-timeout 5m0s --skip-missing-data",
		"--cell-memory 20% --isolate process --memory 4GiB --stream=false -w 3 --strict": "mercer run s.yaml --profile paper --cell-memory 20% --isolate process --memory 4GiB --stream=false --strict --workers 3",
		"--results /r --threads 2 --stream":                                              "mercer run s.yaml --profile paper --results /r --stream --threads 2",
		"--results /r --out o":                                                           "mercer run s.yaml --profile paper --out o",
	} {
		c := new(cobra.Command)
		f := new(runFlags)
		f.register(c)
		if err := c.ParseFlags(strings.Fields(given)); err != nil {
			t.Fatal(err)
		}
		if got := f.command(c, "s.yaml"); got != want {
			t.Errorf("%s:\n%s, want\n%s", given, got, want)
		}
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// mustRun runs the spec on this machine.
func mustRun(t *testing.T, dir, out string) string {
	t.Helper()
	if text, err := mercerCommand(dir, "run", "shards.yaml", "--out", out, "--quiet").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

func sameExport(t *testing.T, dir, got, want string) {
	t.Helper()
	var texts [2]string
	for i, run := range []string{got, want} {
		text, err := mercerCommand(dir, "export", run, "--no-times").Output()
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	if texts[0] != texts[1] {
		t.Errorf("%s exports\n%.2000s\nand %s\n%.2000s", got, texts[0], want, texts[1])
	}
}
