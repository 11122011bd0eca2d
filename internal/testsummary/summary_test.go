package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// module is a small module with a package for each way in which one can end.
var module = map[string]string{
	"go.mod": "module small\n\ngo 1.26\n",
	"good/good_test.go": `package good

import "testing"

func TestGood(t *testing.T)  { t.Log("not shown"); t.Log("SKIPPED in part: no banknotes") }
func TestA(t *testing.T)     { t.Skip("SKIPPED: no chromium") }
func TestB(t *testing.T)     { t.Run("sub", func(t *testing.T) { t.Skip("SKIPPED: no chromium\ninstall it") }) }
`,
	"plain/plain.go": "package plain\n",
	"bad/bad_test.go": `package bad

import "testing"

func TestFine(t *testing.T) { t.Log("not shown") }
func TestBad(t *testing.T)  { t.Run("sub", func(t *testing.T) { t.Error("1 is not 2"); println("stderr") }) }
`,
	"crash/crash_test.go": `package crash

import ("os"; "testing")

func TestExit(t *testing.T) { println("last words"); os.Exit(3) }
`,
	"broken/broken_test.go": "package broken\n\nvar x int = \"text\"\n",
}

// TestSummary runs the real go test over a module: packages that pass have one line,
// what fails is shown, skipped tests are listed with their reasons, and the exit code
// is that of the tests.
func TestSummary(t *testing.T) {
	dir := t.TempDir()
	for name, text := range module {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	var out, errs strings.Builder
	if code := run([]string{"./good"}, &out, &errs); code != 0 || errs.Len() > 0 {
		t.Errorf("exit code %d, standard error %q", code, &errs)
	}
	want := `ok  	small/good	0.1s

Skipped, 3 in all: no banknotes (good.TestGood in part); no chromium (good.TestA, good.TestB/sub).
`
	if diff := cmp.Diff(want, withoutTimes(out.String())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	out.Reset()
	if code := run([]string{"./..."}, &out, &errs); code != 1 || !strings.Contains(errs.String(), "go test: exit status 1") {
		t.Errorf("exit code %d, standard error %q", code, &errs)
	}
	for _, part := range []string{
		"    bad_test.go:6: 1 is not 2\n", "stderr\n", "--- FAIL: TestBad/sub", "--- FAIL: TestBad (0.1s)\n", "FAIL\tsmall/bad\t0.1s\n",
		"last words\n", "FAIL\tsmall/crash\t0.1s\n",
		"cannot use \"text\"", "FAIL\tsmall/broken [build failed]\n",
		"ok  \tsmall/good\t0.1s\n", "\n\nSkipped, 3 in all: ",
	} {
		if !strings.Contains(withoutTimes(out.String()), part) {
			t.Errorf("no %q in\n%s", part, &out)
		}
	}
	if strings.Contains(out.String(), "not shown") {
		t.Errorf("output of tests that pass is shown:\n%s", &out)
	}

	out.Reset()
	if run([]string{"./plain"}, &out, &errs); out.String() != "?   \tsmall/plain\t[no test files]\n\nNo test was skipped.\n" {
		t.Errorf("nothing was skipped, and it says %q", &out)
	}
}

// withoutTimes replaces what differs from run to run.
func withoutTimes(text string) string {
	text = regexp.MustCompile(`\d+\.\d+s`).ReplaceAllString(text, "0.1s")
	return strings.ReplaceAll(text, "\t(cached)", "\t0.1s")
}
