//go:build unix

package cmd

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mercer/results"
	"mercer/runner/batch"
	"mercer/runner/batch/script"
	"mercer/runner/plan"
)

// twoHundred has 200 records.
const twoHundred = `name: two-hundred
seed: 5
repeats: 25
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid: {n: [20, 30], ell: [2, 3], m: [8]}
methods: [{id: ekpca, use: ekpca, center: u}, {id: nystrom, use: nystrom}]
measure: [recon_h]
`

// jobScript is a run that --engine script has cut into shards.
type jobScript struct {
	*testing.T
	dir  string // of the spec, with a blank in its name
	text string // what submit said
}

func newJobScript(t *testing.T, spec string, args ...string) jobScript {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "my runs")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "spec.yaml"), []byte(spec), 0o666); err != nil {
		t.Fatal(err)
	}
	j := jobScript{T: t, dir: dir}
	j.text = j.mercer(0, append([]string{"submit", "spec.yaml", "--engine", "script", "--out", "run"}, args...)...)
	return j
}

func (j jobScript) mercer(code int, args ...string) string {
	j.Helper()
	c := mercerCommand(j.dir, args...)
	text, err := c.CombinedOutput()
	if c.ProcessState.ExitCode() != code {
		j.Fatalf("mercer %v: %v, want exit code %d\n%s", args, err, code, text)
	}
	return string(text)
}

// command is one that sees no array task but that of env.
func (j jobScript) command(env []string, name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = j.TempDir() // schedulers start jobs anywhere
	c.Env = slices.DeleteFunc(mercerCommand(j.dir).Env, func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.ContainsFunc(script.Variables, func(v script.Variable) bool { return v.Name == name })
	})
	c.Env = append(c.Env, env...)
	return c
}

func (j jobScript) path() string { return filepath.Join(j.dir, "run", batch.Folder, script.File) }

// task runs the script as an array task.
func (j jobScript) task(code int, says string, env ...string) {
	j.Helper()
	c := j.command(env, j.path())
	text, err := c.CombinedOutput()
	if c.ProcessState.ExitCode() != code || !strings.Contains(string(text), says) {
		j.Errorf("%v: %v, want exit code %d and %q\n%s", env, err, code, says, text)
	}
}

// TestJobScript: the tasks of six schedulers' arrays, each numbered in its way, make the
// records of a local run.
func TestJobScript(t *testing.T) {
	j := newJobScript(t, twoHundred, "--shards", "10")
	for _, want := range []string{"10 shards, 0-9", "sbatch --array=0-9 ", "qsub -J 0-9 ", "qsub -S /bin/sh -t 1-10 ", "bsub -J 'mercer[1-10]' ", "hq submit --array 0-9 "} {
		if !strings.Contains(j.text, want) {
			t.Errorf("no %q in\n%s", want, j.text)
		}
	}
	j.task(2, "which shard?")
	j.task(2, "which shard?", "SGE_TASK_ID=undefined")
	j.task(2, "--index -1: the plan has shards 0 to 9", "LSB_JOBINDEX=0") // which is no array
	j.task(2, "--index 10: the plan has shards 0 to 9", "PBS_ARRAY_INDEX=10")
	for shard, env := range [][]string{
		{"SLURM_ARRAY_TASK_ID=0", "PBS_ARRAY_INDEX=7"},
		{"PBS_ARRAY_INDEX=1"},
		{"PBS_ARRAY_INDEX=3", "MERCER_TASK_BASE=1"},
		{"SGE_TASK_ID=4"},
		{"SGE_TASK_ID=undefined", "LSB_JOBINDEX=5"},
		{"HQ_TASK_ID=5"},
		{"JOB_COMPLETION_INDEX=6"},
		{"SGE_TASK_ID=17", "MERCER_TASK_BASE=10"},
	} {
		j.task(0, fmt.Sprintf("shard %d of 10, ", shard), env...)
	}
	j.task(0, "continuing: ", "SGE_TASK_ID=4")
	text := j.mercer(0, "status", "run", "--all")
	if !strings.Contains(text, "8 of 10 shards are complete") || strings.Contains(text, "Slurm") {
		t.Errorf("status:\n%s", text)
	}
	text = j.mercer(0, "submit", "run")
	if !strings.Contains(text, "sbatch --array=8-9 ") || !strings.Contains(text, "bsub -J 'mercer[9-10]' ") {
		t.Errorf("to submit:\n%s", text)
	}
	text = j.mercer(1, "merge", "run")
	if !strings.Contains(text, "shard 8: 0 of ") {
		t.Errorf("merging too early says:\n%s", text)
	}
	for _, shard := range []string{"8", "9"} {
		if text, err := j.command(nil, j.path(), shard).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	j.mercer(0, "merge", "run")
	j.mercer(0, "run", "spec.yaml", "--out", "local", "--quiet")
	sameExport(t, j.dir, "run", "local")
}

// TestJobScriptRefuses what a script cannot do.
func TestJobScriptRefuses(t *testing.T) {
	j := newJobScript(t, twoHundred, "--dry-run")
	if _, err := os.Stat(filepath.Join(j.dir, "run")); err == nil || !strings.Contains(j.text, "#!/bin/sh\n") {
		t.Errorf("a dry run writes, or says\n%s", j.text)
	}
	for says, args := range map[string][]string{
		"a script cannot ask for them":        {"--time", "5"},
		"does not see the tasks of a script":  {"--wait"},
		"--cpus -1: must not be negative":     {"--cpus", "-1"},
		`--engine "bash": known are script a`: {"--engine", "bash"},
	} {
		if text := j.mercer(2, append([]string{"submit", "spec.yaml", "--engine", "script", "--out", "run"}, args...)...); !strings.Contains(text, says) {
			t.Errorf("%v: no %q in\n%s", args, says, text)
		}
	}
	j.mercer(0, "submit", "spec.yaml", "--engine", "script", "--out", "run")
	if text := j.mercer(2, "submit", "run", "--time", "5"); !strings.Contains(text, "a script cannot ask for them") {
		t.Errorf("again:\n%s", text)
	}
}

// TestJobScriptTwice: two tasks that compute the same shard at once, of which one is
// killed, make its records.
func TestJobScriptTwice(t *testing.T) {
	j := newJobScript(t, strings.Replace(twoHundred, "repeats: 25", "repeats: 400", 1), "--shards", "1")
	first, second := j.command(nil, j.path(), "0"), j.command(nil, j.path(), "0")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	records := filepath.Join(j.dir, "run", batch.Folder, "shards", "0000", results.RecordsFile)
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if info, err := os.Stat(records); err == nil && info.Size() > 0 {
			break
		}
	}
	said := new(strings.Builder)
	second.Stdout, second.Stderr = said, said
	if err := second.Start(); err != nil {
		t.Fatal(err)
	}
	first.Process.Kill()
	first.Wait()
	if err := second.Wait(); err != nil || !strings.Contains(said.String(), "continuing: ") {
		t.Errorf("the second task: %v\n%s", err, said)
	}
	j.mercer(0, "merge", "run")
	j.mercer(0, "run", "spec.yaml", "--out", "local", "--quiet")
	sameExport(t, j.dir, "run", "local")
}

// TestGNUParallel computes the shards of the script by GNU parallel, as submit says.
func TestGNUParallel(t *testing.T) {
	version, err := exec.Command("parallel", "--version").Output()
	if err != nil || !strings.HasPrefix(string(version), "GNU parallel") {
		t.Skip("SKIPPED: no GNU parallel (Debian: parallel)")
	}
	j := newJobScript(t, twoHundred, "--shards", "10")
	for line := range strings.Lines(j.text) {
		if _, line, found := strings.Cut(line, "GNU parallel"); found {
			if text, err := j.command(nil, "sh", "-c", line).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
		}
	}
	j.mercer(0, "merge", "run")
	j.mercer(0, "run", "spec.yaml", "--out", "local", "--quiet")
	sameExport(t, j.dir, "run", "local")
}

// inRounds has a claim on the edge, which needs three looks, and a target that is found beside them.
const inRounds = `name: rounds
seed: 7
repeats: {from: 4, to: 16, until: decided}
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid: {n: [60], ell: [2], m: [3, 40]}
methods: [{id: exact, use: ekpca, center: u}, {id: nystrom, use: nystrom}, {id: six, use: nystrom, m: 6}]
measure: [recon_h]
targets: [{id: least-m, find: m, over: n, such_that: {ratio: {of: recon_h, method: nystrom, to: exact, at_most: 1.1}}}]
claims: [{id: edge, value: {of: recon_h, where: {method: six}, at_most: 0.5}}]
`

// TestJobScriptInRounds: repeats that are added until verdicts are decided are submitted in
// rounds. Each computes what the merged records ask for, and nothing twice; at the end there
// are the records of a local run.
func TestJobScriptInRounds(t *testing.T) {
	t.Parallel()
	j := newJobScript(t, inRounds, "--shards", "2")
	rounds := 0
	for text := j.text; !strings.Contains(text, "nothing to submit"); text = j.mercer(0, "submit", "run") {
		frozen, err := plan.ReadFrozen(filepath.Join(j.dir, "run", batch.Folder, batch.FrozenFile))
		if rounds++; err != nil || rounds > 9 {
			t.Fatalf("round %d: %v\n%s", rounds, err, text)
		}
		for shard := range frozen.Shards {
			j.task(0, fmt.Sprintf("shard %d of ", shard), fmt.Sprintf("PBS_ARRAY_INDEX=%d", shard))
		}
		j.mercer(0, "merge", "run")
	}
	j.mercer(0, "run", "spec.yaml", "--out", "local", "--quiet")
	if sameExport(t, j.dir, "run", "local"); rounds < 3 {
		t.Errorf("%d rounds, want 3 or more", rounds)
	}
	computed := 0
	files, _ := filepath.Glob(filepath.Join(j.dir, "run", batch.Folder, "shards", "*", results.RecordsFile))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		computed += bytes.Count(text, []byte("\n"))
	}
	if run, err := results.Load(filepath.Join(j.dir, "run")); err != nil || computed != len(run.Records) {
		t.Errorf("%v, %d records were computed, and there are %d", err, computed, len(run.Records))
	}
}
