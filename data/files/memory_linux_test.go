package files

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestPeakMemory: a process that reads a text file, into all the memory that it may take
// or into less than the file wants, takes no more than that and what any process takes.
func TestPeakMemory(t *testing.T) {
	const memory, process = 64 << 20, 32 << 20
	if load := os.Getenv("PEAK_LOAD"); load != "" {
		err := loaders(Opener{Memory: memory}, t.TempDir())[load](os.Getenv("PEAK_FILE"))
		if err != nil && !strings.Contains(err.Error(), "of memory, more than the 64.0 MiB that there are") {
			t.Error(err)
		}
		status, err := os.ReadFile("/proc/self/status")
		if err != nil {
			t.Fatal(err)
		}
		_, peak, _ := strings.Cut(string(status), "VmHWM:") // that of Rusage counts what the process was forked from
		kilobytes, err := strconv.Atoi(strings.Fields(peak)[0])
		if err != nil || kilobytes<<10 > memory+process {
			t.Errorf("%d KiB were taken under a limit of %d", kilobytes, memory>>10)
		}
		t.Logf("peak %d KiB", kilobytes)
		return
	}
	for _, tt := range []struct {
		load, text string
		megabytes  int // of text
	}{
		{"csv", "1,2,3,4\n", 7}, // 28 MiB of numbers, and as much garbage
		{"csv", "1,2,3,4\n", 9},
		{"csv", "0.123456789012345,0.234567890123456\n", 40}, // more garbage than numbers
		{"libsvm", "1 1:1 2:2 3:3 4:4\n", 13},
		{"libsvm", "1 1:1 2:2 3:3 4:4\n", 15},
	} {
		c := exec.Command(os.Args[0], "-test.run=^TestPeakMemory$", "-test.v")
		c.Env = append(os.Environ(), "PEAK_LOAD="+tt.load, "PEAK_FILE="+bomb(t, "", tt.text, tt.megabytes))
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s, %d MiB of %q: %v\n%s", tt.load, tt.megabytes, tt.text, err, out)
		} else {
			t.Logf("%s", out)
		}
	}
}
