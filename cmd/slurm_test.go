//go:build system && linux

package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"mercer/results"
	"mercer/runner/batch"
)

const quickSpec = `
name: quick
seed: 9
repeats: 24
datasets:
  - {id: poly2, use: series, decay: {power: 2}}
grid: {n: [100, 200], ell: [2, 5], m: [40]}
methods:
  - {id: ekpca, use: ekpca, center: u}
  - {id: nystrom, use: nystrom}
  - {id: oja, use: rf-oja, features: mercer, schedule: adaoja}
measure: [recon_h, recon_l2]
claims:
  - {id: nystrom-is-near, says: "", ratio: {of: recon_h, method: nystrom, to: ekpca, at_most: 4}}
plots:
  - {id: points, kind: scatter, where: {n: 200, ell: 5}}
`

// slowSpec has shards of some seconds, of which a test can catch hold.
var slowSpec = strings.NewReplacer("name: quick", "name: slow", "repeats: 24", "repeats: 64", "[100, 200]", "[300, 400, 500, 600]", "n: 200", "n: 600").Replace(quickSpec)

// sleepySpec has a method that does not come to an end the first time.
const sleepySpec = `
name: sleepy
seed: 1
repeats: 1
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid: {n: [20], ell: [1]}
methods: [{id: sleeps, use: exec, command: [./sleeps.sh], model: subspace}]
measure: [recon_h]
`

const sleepyProgram = `#!/bin/sh
echo '{"ready":2}'
here=$(dirname "$0")
[ -e "$here/slept" ] || { touch "$here/slept"; exec sleep 600; }
echo '{"indices": [0], "coef": [[1]], "values": [0.5]}'
`

// slurmRun is a directory, with a blank in its name, in which a test submits specs.
type slurmRun struct {
	*testing.T
	cluster *cluster
	dir     string
}

// mercer runs a command line and wants an exit code.
func (r *slurmRun) mercer(code int, args ...string) string {
	r.Helper()
	begun := time.Now()
	defer func() {
		r.Logf("%s: %.1f s for mercer %v", begun.Format(time.TimeOnly), time.Since(begun).Seconds(), args)
	}()
	c := mercerCommand(r.dir, args...)
	text, err := c.CombinedOutput()
	if c.ProcessState.ExitCode() != code {
		r.Fatalf("mercer %v: %v, want exit code %d\n%s\n%s", args, err, code, text, r.cluster.logs())
	}
	return string(text)
}

// export is the run's numbers without times, and its points.
func (r *slurmRun) export(run string) string {
	r.Helper()
	out, err := mercerCommand(r.dir, "export", run, "--no-times").Output()
	if err != nil {
		r.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(r.dir, run, results.PointsFolder, "*.csv"))
	if err != nil {
		r.Fatal(err)
	}
	for _, file := range files {
		points, err := os.ReadFile(file)
		if err != nil {
			r.Fatal(err)
		}
		out = append(append(out, filepath.Base(file)...), points...)
	}
	return string(out)
}

// await waits for something.
func (r *slurmRun) await(what string, done func() bool) {
	r.Helper()
	begun := time.Now()
	defer func() { r.Logf("%s: %.1f s for %s", begun.Format(time.TimeOnly), time.Since(begun).Seconds(), what) }()
	for end := time.Now().Add(150 * time.Second); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			queue, _ := r.cluster.try("squeue", "--array", "--states=all")
			r.Fatalf("waited in vain for %s\n%s\n%s", what, queue, r.cluster.logs())
		}
	}
}

// jobs are the ids of the jobs that a run's jobs.json names.
func (r *slurmRun) jobs(run string) []string {
	var j struct{ Submitted []batch.Job }
	text, err := os.ReadFile(filepath.Join(r.dir, run, batch.Folder, batch.JobsFile))
	if err != nil || json.Unmarshal(text, &j) != nil {
		return nil
	}
	var ids []string
	for _, s := range j.Submitted {
		ids = append(ids, s.ID)
	}
	return ids
}

// state is what Slurm says of a task.
func (r *slurmRun) state(array string, number int) string {
	text, _ := r.cluster.try("squeue", "--noheader", "--array", "--states=all", "--jobs="+array, "--format=%K %T")
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == strconv.Itoa(number) {
			return f[1]
		}
	}
	return ""
}

// TestSlurm runs specs on a real Slurm of this machine, and takes it apart. It waits for most
// of a minute, while others compute.
func TestSlurm(t *testing.T) {
	t.Parallel()
	cluster := startCluster(t, 2, 4)
	dir := filepath.Join(t.TempDir(), "my runs")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"quick.yaml": quickSpec, "slow.yaml": slowSpec, "rounds.yaml": inRounds, "sleepy.yaml": sleepySpec, "sleeps.sh": sleepyProgram} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("array", func(t *testing.T) { testArray(&slurmRun{t, cluster, dir}) })
	t.Run("rounds", func(t *testing.T) { testRounds(&slurmRun{t, cluster, dir}) })
	t.Run("faults", func(t *testing.T) { testFaults(&slurmRun{t, cluster, dir}) })
}

// testArray: 8 shards on two nodes make the records of a local run, bit for bit,
// though the front end is killed as soon as they are submitted and the spec is
// submitted again.
func testArray(r *slurmRun) {
	front := mercerCommand(r.dir, "submit", "quick.yaml", "--out", "q 1", "--shards", "8", "--wait", "--setup", "sleep 2")
	if err := front.Start(); err != nil {
		r.Fatal(err)
	}
	r.await("the jobs", func() bool { return len(r.jobs("q 1")) == 2 })
	if err := front.Process.Kill(); err != nil {
		r.Fatal(err)
	}
	front.Wait()
	again := r.mercer(0, "submit", "quick.yaml", "--out", "q 1")
	if !strings.Contains(again, "already queued: 8 shards, 0-7") || len(r.jobs("q 1")) != 2 {
		r.Errorf("the second submit says:\n%s\njobs %v", again, r.jobs("q 1"))
	}
	if other := r.mercer(0, "submit", "quick.yaml", "--out", "q 2", "--dry-run"); !strings.Contains(other, "is queued for "+filepath.Join(r.dir, "q 1")+" too") {
		r.Errorf("a submit elsewhere says:\n%s", other)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "q 2")); err == nil {
		r.Error("a dry run writes")
	}
	text := r.mercer(0, "submit", "q 1", "--wait")
	if !strings.Contains(text, "already queued") || !strings.Contains(text, "288 of 288 records are stored, 0 of them failed") || !strings.Contains(text, "holds") {
		r.Errorf("waiting says:\n%s", text)
	}
	r.mercer(0, "run", "quick.yaml", "--out", "local", "--quiet")
	if points, _ := filepath.Glob(filepath.Join(r.dir, "q 1", results.PointsFolder, "*.csv")); len(points) < 2 {
		r.Errorf("points: %v", points)
	}
	if got, want := r.export("q 1"), r.export("local"); got != want {
		r.Errorf("on Slurm:\n%.3000s\nlocally:\n%.3000s", got, want)
	}
	var logs []byte
	files, _ := filepath.Glob(filepath.Join(r.dir, "q 1", batch.Folder, batch.LogFolder, "shard-*.log"))
	for _, file := range files {
		log, _ := os.ReadFile(file)
		logs = append(logs, log...)
	}
	if len(files) != 8 || !bytes.Contains(logs, []byte("on node n1")) || !bytes.Contains(logs, []byte("on node n2")) {
		r.Errorf("logs of %d shards:\n%s", len(files), logs)
	}
	report, _ := filepath.Glob(filepath.Join(r.dir, "q 1", batch.Folder, batch.LogFolder, "report-*.log"))
	if len(report) != 1 {
		r.Errorf("logs of the report job: %v", report)
	}
}

// testRounds: repeats that are added until verdicts are decided, round by round: the first by
// hand, the others by a submit that waits. They are those of a local run, bit for bit.
func testRounds(r *slurmRun) {
	r.mercer(0, "submit", "rounds.yaml", "--out", "rounds", "--shards", "2")
	r.await("the report", func() bool {
		m, err := results.ReadManifest(filepath.Join(r.dir, "rounds"))
		return err == nil && m.Finished != ""
	})
	if text := r.mercer(0, "status", "rounds"); !strings.Contains(text, "16 of 16 records are stored") || !strings.Contains(text, "the next round") {
		r.Errorf("status after the first round:\n%s", text)
	}
	if text := r.mercer(0, "merge", "rounds"); !strings.Contains(text, "next: mercer submit rounds\n") {
		r.Errorf("merge after the first round:\n%s", text)
	}
	text := r.mercer(0, "submit", "rounds", "--wait")
	if !strings.Contains(text, "32 of 32 records") || !strings.Contains(text, "68 of 68 records") || !strings.Contains(text, "nothing to submit") {
		r.Errorf("the other rounds:\n%s", text)
	}
	r.mercer(0, "run", "rounds.yaml", "--out", "local-rounds", "--quiet")
	if got, want := r.export("rounds"), r.export("local-rounds"); got != want {
		r.Errorf("in rounds on Slurm:\n%.3000s\nlocally:\n%.3000s", got, want)
	}
}

// testFaults stops the shards of a run in their middle and does something else to
// each: its process is killed while the controller is down, it is requeued by hand,
// warned of its time limit, cancelled, and lost with its node; another meets its
// limit in a cell that does not come to an end. What Slurm does not bring back by itself, another submit does, and the records are those of a
// local run, bit for bit.
func testFaults(r *slurmRun) {
	r.mercer(0, "submit", "sleepy.yaml", "--out", "sleepy", "--time", "1")
	sleepy := r.jobs("sleepy")[0]
	local := mercerCommand(r.dir, "run", "slow.yaml", "--out", "local-slow", "--quiet")
	r.mercer(0, "submit", "slow.yaml", "--out", "faults", "--shards", "8")
	array := r.jobs("faults")[0]
	binary := filepath.Join(r.dir, "faults", batch.Folder, batch.Binary)
	if real, err := filepath.EvalSymlinks(binary); err == nil {
		binary = real
	}
	const killed, requeued, warned, cancelled, lost, last = 0, 1, 2, 3, 4, 4
	pid := map[int]int{}
	r.await("shards that have begun", func() bool {
		for shard := range last + 1 {
			if pid[shard] == 0 && begun(filepath.Join(r.dir, "faults"), shard) {
				process := r.cluster.task(array, shard, binary)
				if process == 0 || syscall.Kill(process, syscall.SIGSTOP) != nil {
					r.Fatalf("shard %d was too quick to be caught", shard)
				}
				pid[shard] = process
			}
		}
		return len(pid) == last+1
	})
	task := func(shard int) string { return fmt.Sprintf("%s_%d", array, shard) }
	r.cluster.stopController()
	syscall.Kill(pid[killed], syscall.SIGKILL)
	r.cluster.startController()
	r.cluster.run("scontrol", "requeue", task(requeued))
	r.cluster.run("scancel", task(cancelled))
	r.await("a sleeping program", func() bool { return exists(filepath.Join(r.dir, "slept")) })
	r.cluster.run("scontrol", "update", "JobId="+sleepy+"_0", "EndTime=now+1")
	r.cluster.run("scontrol", "update", "JobId="+task(warned), "EndTime=now+80")
	if err := local.Start(); err != nil { // Slurm looks at its clock every half a minute
		r.Fatal(err)
	}
	r.await("the warned shard in the queue", func() bool { return r.state(array, warned) == "PENDING" })
	r.await("the time limit", func() bool { return r.state(sleepy, 0) == "TIMEOUT" })
	r.await("the killed shard", func() bool { return r.state(array, killed) == "FAILED" })
	r.await("the cancelled shard", func() bool { return r.state(array, cancelled) == "CANCELLED" })
	node := nodeOf(pid[lost])
	r.cluster.loseNode(node)
	// Slurm puts it back into the queue, unless its end was reported before the node's.
	lostAs := ""
	r.await("the lost shard in the queue", func() bool {
		lostAs = r.state(array, lost)
		return lostAs == "PENDING" || lostAs == "FAILED"
	})

	text := r.mercer(0, "status", "faults")
	for shard, says := range map[int]string{killed: "FAILED", requeued: "", warned: "PENDING", cancelled: "CANCELLED", lost: lostAs} {
		if !regexp.MustCompile(fmt.Sprintf(`(?m)^ +%d +\|.*%s`, shard, says)).MatchString(text) {
			r.Errorf("shard %d, %s:\n%s", shard, says, text)
		}
	}
	text = r.mercer(1, "merge", "faults")
	if !strings.Contains(text, "shard 0: ") || !strings.Contains(text, "CANCELLED") || !strings.Contains(text, "mercer submit") {
		r.Errorf("merging too early says:\n%s", text)
	}
	// Slurm lets two minutes pass before what was requeued may start; a node does not
	// start a job again in the second in which it ended it.
	time.Sleep(3 * time.Second)
	for _, shard := range []int{requeued, warned, lost} {
		r.cluster.try("scontrol", "update", "JobId="+task(shard), "StartTime=now")
	}
	text = r.mercer(0, "submit", "faults", "--wait")
	if !strings.Contains(text, "submitted job") || !strings.Contains(text, "1536 of 1536 records are stored, 0 of them failed") {
		r.Errorf("resuming says:\n%s", text)
	}
	r.cluster.startNode(node)
	if text = r.mercer(1, "merge", "sleepy"); !strings.Contains(text, "TIMEOUT (TimeLimit)") {
		r.Errorf("merging what met its time limit says:\n%s", text)
	}
	r.mercer(0, "submit", "sleepy", "--wait")
	r.mercer(0, "run", "sleepy.yaml", "--out", "local-sleepy", "--quiet")
	if err := local.Wait(); err != nil {
		r.Fatalf("local run: %v", err)
	}
	for run, undisturbed := range map[string]string{"faults": "local-slow", "sleepy": "local-sleepy"} {
		if got, want := r.export(run), r.export(undisturbed); got != want {
			r.Errorf("%s, after the faults:\n%.3000s\nlocally:\n%.3000s", run, got, want)
		}
	}
	run, err := results.Load(filepath.Join(r.dir, "faults"))
	if err != nil {
		r.Fatal(err)
	}
	starts, written := map[string]int{}, 0
	for _, s := range run.Manifest.Starts {
		starts[s.Source]++
		written += s.Written
	}
	for shard := range last + 1 {
		if source := fmt.Sprintf("shard %d", shard); starts[source] < 2 {
			r.Errorf("%s was started %d times, want 2 at least", source, starts[source])
		}
	}
	if written > len(run.Records) {
		r.Errorf("%d records were written, and there are %d: some were made twice", written, len(run.Records))
	}
}

// begun says that a shard has stored a record.
func begun(run string, shard int) bool {
	info, err := os.Stat(filepath.Join(run, batch.Folder, "shards", fmt.Sprintf("%04d", shard), results.RecordsFile))
	return err == nil && info.Size() > 0
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// nodeOf is the node of Slurm that a process belongs to.
func nodeOf(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	for variable := range strings.SplitSeq(string(text), "\x00") {
		if node, ok := strings.CutPrefix(variable, "SLURMD_NODENAME="); ok {
			return node
		}
	}
	return ""
}
