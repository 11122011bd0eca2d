package slurm

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mercer/runner/batch"
)

// TestQueue reads lines as Slurm 22.05 prints them.
func TestQueue(t *testing.T) {
	got, err := parseQueue("7|3|RUNNING|n1|None|/my runs/a|b\n8|N/A|PENDING||Dependency|/x\n7|4|PENDING||job requeued in held state|/x\n\n")
	want := []batch.Task{
		{ID: "8", Shard: -1, State: "PENDING", Reason: "Dependency", Waiting: true, Live: true, Dir: "/"},
		{ID: "7_3", Shard: 3, State: "RUNNING", Live: true, Node: "n1", Dir: "/my runs"},
		{ID: "7_4", Shard: 4, State: "PENDING", Reason: "job requeued in held state", Waiting: true, Live: true, Dir: "/", Note: "held: scontrol release 7_4"},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for state, live := range map[string]bool{"PENDING": true, "COMPLETING": true, "COMPLETED": false, "TIMEOUT": false, "CANCELLED": false, "NODE_FAIL": false, "PREEMPTED": false} {
		if isLive(state) != live {
			t.Errorf("%s: live is %v", state, !live)
		}
	}
	if _, err := parseQueue("slurm_load_jobs error"); err == nil {
		t.Error("what is no queue is read")
	}
}

func TestAmounts(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"90": 90 * time.Minute, "90:30": 90*time.Minute + 30*time.Second, "1:02:03": time.Hour + 2*time.Minute + 3*time.Second,
		"2-0": 48 * time.Hour, "1-12:30": 36*time.Hour + 30*time.Minute, "1-0:0:1": 24*time.Hour + time.Second,
	} {
		if got, err := parseTime(text); err != nil || got != want {
			t.Errorf("time %s: %v, %v, want %v", text, got, err, want)
		}
	}
	for _, bad := range []string{"", "0", "4h", "-1", "1:2:3:4", "1-", "1-2:3:4:5", "+5", "1.5"} {
		if got, err := parseTime(bad); err == nil {
			t.Errorf("time %q is %v", bad, got)
		}
	}
	for d, want := range map[time.Duration]string{time.Second: "0-00:01:00", 25*time.Hour + 61*time.Second: "1-01:02:00"} {
		if got := formatTime(d); got != want {
			t.Errorf("%v is written %s, want %s", d, got, want)
		}
	}
	if got := warningOption(100 * time.Hour); !strings.HasSuffix(got, "@65535") {
		t.Errorf("a warning longer before than Slurm takes: %s", got)
	}
	for text, want := range map[string]int64{"0": 0, "100": 100 << 20, "8G": 8 << 30, "1t": 1 << 40, "512K": 512 << 10} {
		if got, err := parseMemory(text); err != nil || got != want {
			t.Errorf("memory %s: %d, %v, want %d", text, got, err, want)
		}
	}
	for _, bad := range []string{"", "8GiB", "-1", "1.5G", "999999999999T", "80%"} {
		if got, err := parseMemory(bad); err == nil {
			t.Errorf("memory %q is %d", bad, got)
		}
	}
}

// TestScript has bash read what is quoted.
func TestScript(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("SKIPPED: no bash")
	}
	words := []string{"printf", `%s\n`, "a b", "it's", `"$HOME"`, "", "line\nbreak", "#x", "é", raw(`"$TASK"`), raw(`"${1:-0}"`)}
	s := script{
		Comment: "one\ntouch /not-a-comment", Options: []string{"--mem=1G", "--comment=two words"},
		Ignore: "USR1", Setup: "TASK=7; kill -USR1 $$", Env: []string{"MERCER_DATA=/my data/it's"}, Command: words,
	}
	text := s.text()
	for _, want := range []string{"# touch /not-a-comment\n", "#SBATCH --comment='two words'\n", "export MERCER_DATA='/my data/it'\\''s'\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	c := exec.Command(bash, "-s", "40")
	c.Dir, c.Stdin = t.TempDir(), strings.NewReader(text)
	out, err := c.CombinedOutput()
	if want := "a b\nit's\n\"$HOME\"\n\nline\nbreak\n#x\né\n7\n40\n"; err != nil || string(out) != want {
		t.Errorf("%v: bash reads %q, want %q", err, out, want)
	}
}

// TestAbsent: without the commands, errors say so.
func TestAbsent(t *testing.T) {
	t.Setenv("PATH", filepath.Join(t.TempDir(), "nothing"))
	if offer, err := (Engine{}).Available(t.Context(), batch.Settings{}, ""); offer.Queue != "Slurm" || offer.Shards != usualMost || !errors.Is(err, batch.ErrAbsent) || !strings.Contains(err.Error(), "no sbatch in $PATH") {
		t.Error(err)
	}
	if _, err := (Engine{}).Live(t.Context(), "x"); err == nil {
		t.Error("a queue without squeue")
	}
}

// fake puts a program of a name into the path that writes its environment to a file
// and then does what the lines say.
func fake(t *testing.T, name, lines string) (environment func() string) {
	t.Helper()
	dir := t.TempDir()
	text := "#!/bin/sh\nenv | sort > " + dir + "/environment\n" + lines + "\n"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return func() string {
		text, err := os.ReadFile(filepath.Join(dir, "environment"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
}

// TestEnvironment: the user's account and the like reach sbatch, and nothing that
// changes what scripts say, where jobs go or what squeue shows.
func TestEnvironment(t *testing.T) {
	set := map[string]bool{ // whether a command may see it
		"SBATCH_ACCOUNT": true, "SBATCH_QOS": true, "SBATCH_PARTITION": true, "SBATCH_CONSTRAINT": true, "SBATCH_RESERVATION": true, "SLURM_CONF": true,
		"SBATCH_TIMELIMIT": false, "SBATCH_MEM_PER_CPU": false, "SBATCH_NO_REQUEUE": false, "SBATCH_WAIT": false, "SBATCH_CLUSTERS": false,
		"SLURM_CLUSTERS": false, "SQUEUE_FORMAT": false,
	}
	for name := range set {
		t.Setenv(name, "1")
	}
	sees := map[string]func() string{"sbatch": fake(t, "sbatch", "echo '17;east'"), "squeue": fake(t, "squeue", "")}
	if id, err := sbatch(t.Context(), []string{"--account=math", "array.sh"}); err != nil || id != "17" {
		t.Error(id, err)
	}
	if tasks, err := (Engine{}).Live(t.Context(), "x"); err != nil || len(tasks) > 0 {
		t.Error(tasks, err)
	}
	for command, seen := range sees {
		for name, want := range set {
			if got := strings.Contains("\n"+seen(), "\n"+name+"=1\n"); got != want {
				t.Errorf("%s sees %s: %v", command, name, got)
			}
		}
	}
	fake(t, "sbatch", "echo Submitted batch job 17")
	if id, err := sbatch(t.Context(), []string{"array.sh"}); err == nil {
		t.Errorf("no job id is %q", id)
	}
}

// TestHere: a job's processors, memory and task; outside of a job there are none.
func TestHere(t *testing.T) {
	if p := Here(); p.CPUs != 0 || p.Memory != 0 || p.Restarted || p.Task != "" || p.Requeue != nil {
		t.Errorf("outside of a job: %+v", p)
	}
	for name, value := range map[string]string{
		"SLURM_CPUS_PER_TASK": "3", "SLURM_MEM_PER_NODE": "2048", "SLURMD_NODENAME": "n1", "SLURM_RESTART_COUNT": "1", "SLURM_ARRAY_JOB_ID": "7", "SLURM_ARRAY_TASK_ID": "3",
	} {
		t.Setenv(name, value)
	}
	p := Here()
	if p.CPUs != 3 || p.Memory != 2<<30 || p.Node != "n1" || !p.Restarted || p.Task != "7_3" {
		t.Errorf("in a job: %+v", p)
	}
	asked := filepath.Join(t.TempDir(), "asked")
	fake(t, "scontrol", `echo "$*" > `+asked)
	if err := p.Requeue(t.Context()); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(asked); string(text) != "requeue 7_3\n" {
		t.Errorf("scontrol is asked %q", text)
	}
}

// TestOwnArguments: in whatever way sbatch reads them.
func TestOwnArguments(t *testing.T) {
	for _, own := range []string{"--array=0-3", "-a0-3", "-Jx", "--wra=x", "--clusters=x", "--cluster=x", "-Mx", "--", "-D", "--job-name"} {
		if _, _, err := check(batch.Settings{Args: []string{own}}); err == nil {
			t.Errorf("%s is let through", own)
		}
	}
	args := []string{"--account=math", "-Amath-Ja", "-pJ", "--constraint=icelake", "--wait-all-nodes=1", "-Q", "--wckey=a", "-x", "-C[a|M]"}
	if _, _, err := check(batch.Settings{Args: args}); err != nil {
		t.Error(err)
	}
}
