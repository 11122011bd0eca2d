package runner

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"mercer/linalg"
)

// peakCase is the environment variable that makes this test binary the process
// of one case.
const peakCase = "MERCER_TEST_PEAK"

// peak is what one case took, in bytes.
type peak struct {
	Estimate, Grown int64
	Problem         string
}

// TestPeakOfOneCase runs the spec of the environment variable, in a process of
// its own, and prints how much the resident memory grew by at its peak over what
// the process held once the plan was made.
func TestPeakOfOneCase(t *testing.T) {
	text := os.Getenv(peakCase)
	if text == "" {
		t.Skip("the process of one case of TestEstimatesAgainstPeaks")
	}
	if _, err := linalg.Use(); err != nil {
		t.Fatal(err)
	}
	plan := planOf(t, text, "")
	var p peak
	for _, g := range plan.Groups {
		p.Estimate = max(p.Estimate, g.Memory.Total())
	}
	p.Estimate += plan.SharedBytes
	runtime.GC()
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		t.Fatal(err)
	}
	before := resident(t)
	run, _ := runIn(t, t.TempDir(), plan, Options{Workers: 1, Memory: 8 << 30})
	p.Grown = resident(t) - before
	for _, r := range run.Records {
		if r.Status != "ok" {
			p.Problem = fmt.Sprintf("%s: %s", r.Status, r.Reason)
		}
	}
	out, _ := json.Marshal(p)
	fmt.Printf("\npeak: %s\n", out)
}

// resident is the most memory of this process that was resident since it was
// last reset.
func resident(t *testing.T) int64 {
	t.Helper()
	kib, err := strconv.ParseInt(strings.Fields(procField("/proc/self/status", "VmHWM"))[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kib << 10
}

// measure runs a spec in a process of its own.
func measure(t *testing.T, spec string) peak {
	t.Helper()
	command := exec.Command(os.Args[0], "-test.run=^TestPeakOfOneCase$", "-test.v")
	command.Env = append(os.Environ(), peakCase+"="+spec)
	out, err := command.CombinedOutput()
	_, line, found := strings.Cut(string(out), "\npeak: ")
	line, _, _ = strings.Cut(line, "\n")
	var p peak
	if err != nil || !found || json.Unmarshal([]byte(line), &p) != nil {
		t.Logf("%v\n%s", err, out)
		p.Problem = "died"
	}
	return p
}
