//go:build system && unix

package cmd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// systemPython is the interpreter that Debian's packages of Python are for.
const systemPython = "/usr/bin/python3"

// TestWheel installs what make wheel builds into an empty virtual environment, without an index,
// and runs the README's example there. In one that has the system's numpy it runs the example of
// docs/python.md, and python/tests.
func TestWheel(t *testing.T) {
	t.Parallel()
	if out, err := exec.Command(systemPython, "-c", "import venv, ensurepip").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no %s with venv (Debian: python3-venv), the Python package is not tested: %v\n%s", systemPython, err, out)
	}
	dir := t.TempDir()
	var wheels []string
	for _, dist := range []string{"one", "two"} {
		runs(t, "..", "make", "wheel", "DIST="+filepath.Join(dir, dist))
		found, err := filepath.Glob(filepath.Join(dir, dist, "mercer-*-py3-none-*.whl"))
		if err != nil || len(found) != 1 {
			t.Fatalf("wheels %v, error %v", found, err)
		}
		wheels = append(wheels, found[0])
	}
	if filepath.Base(wheels[0]) != filepath.Base(wheels[1]) || !bytes.Equal(readFile(t, wheels[0]), readFile(t, wheels[1])) {
		t.Error("two builds differ")
	}

	empty := environment(t, wheels[0])
	readme := string(readFile(t, "../README.md"))
	write(t, filepath.Join(dir, "my.yaml"), found(t, "(?s)\n## A spec\n.*?```yaml\n(.*?)```", readme))
	example := found(t, "(?s)\n## From Python\n.*?```python\n(.*?)```", readme)
	write(t, filepath.Join(dir, "readme.py"), example+"assert isinstance(rows, list) and len(rows) == 64, rows\n")
	out := runs(t, dir, filepath.Join(empty, "python"), "readme.py")
	for _, says := range []string{"| as-good-as-exact |", "\nrate holds -0.2", "/report/index.html\n"} {
		if !strings.Contains(out, says) {
			t.Errorf("the README's example does not print %q:\n%s", says, out)
		}
	}
	if out := runs(t, dir, filepath.Join(empty, "mercer"), "list"); !strings.Contains(out, "atoms-rates") {
		t.Errorf("the command of the package prints %s", out)
	}

	t.Run("functions", func(t *testing.T) { functionsOf(t, dir, wheels[0]) })
}

// functionsOf tests functions of the process, where numpy is.
func functionsOf(t *testing.T, dir, wheel string) {
	whole := environment(t, wheel, "--system-site-packages")
	if exec.Command(filepath.Join(whole, "python"), "-c", "import numpy").Run() != nil {
		t.Skipf("SKIPPED: no numpy for %s (Debian: python3-numpy), functions are not tested", systemPython)
	}
	example := found(t, "(?s)```python\n(.*?)```", string(readFile(t, "../docs/python.md")))
	write(t, filepath.Join(dir, "docs.py"), example+"assert run.returncode == 0 and len(run.table()) == 24 and '<iframe srcdoc=' in run._repr_html_()\nfrom mercer import serve\n")
	if out := runs(t, dir, filepath.Join(whole, "python"), "docs.py"); strings.Count(out, "| holds ") != 4 {
		t.Errorf("the example of docs/python.md prints %s", out)
	}
	tests, err := filepath.Abs("../python/tests/package_test.py")
	if err != nil {
		t.Fatal(err)
	}
	runs(t, dir, filepath.Join(whole, "python"), tests)
}

// environment is the folder of programs of a virtual environment with a wheel.
func environment(t *testing.T, wheel string, options ...string) string {
	t.Helper()
	dir := t.TempDir()
	runs(t, dir, systemPython, append([]string{"-m", "venv", dir}, options...)...)
	runs(t, dir, filepath.Join(dir, "bin", "pip"), "install", "--no-index", wheel)
	return filepath.Join(dir, "bin")
}

// runs is what a program prints, which must succeed. Of a make that runs the tests it knows
// nothing.
func runs(t *testing.T, dir, program string, arguments ...string) string {
	t.Helper()
	c := exec.Command(program, arguments...)
	c.Dir = dir
	c.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "MAKE") || strings.HasPrefix(v, "MFLAGS") })
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", program, arguments, err, out)
	}
	return string(out)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
