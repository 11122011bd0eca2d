// Command mutants makes the mistakes of its list in mercer, one at a time, and tells
// who notices: the tests of the packages named with the mistake, the verdicts of smoke
// runs, and the comparison of these runs with results/reference. The tree stays as it
// is: go build and go test take the changed file by -overlay.
//
//	go run ./internal/mutants                    all, and write docs/mutants.md
//	go run ./internal/mutants -continue          the same after a stop
//	go run ./internal/mutants -only 'kjl|oja'    those whose names match; no table
//
// It exits with 1 where a mistake escapes all three, or where something is wrong
// without a mistake: all experiments are run on the unchanged tree first.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	only := flag.String("only", "", "mutants whose names match this regular expression (default: all)")
	again := flag.Bool("continue", false, "take what an earlier run left in bin/mutants as it is: for one that was stopped")
	flag.Parse()
	pick, err := regexp.Compile(*only)
	if err == nil {
		err = run(pick, *again)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run tries the mutants that are picked, and writes the table where that is all.
func run(pick *regexp.Regexp, again bool) error {
	picked := slices.DeleteFunc(slices.Clone(list), func(m mutant) bool { return !pick.MatchString(m.name) })
	if len(picked) == 0 {
		return fmt.Errorf("no mutant matches %s", pick)
	}
	f, err := outcome(unchanged(picked), again)
	if err == nil && len(f.noticed()) > 0 {
		err = errors.New("there is no telling: something is wrong without a mutant")
	}
	var findings []finding
	var escaped []string
	for _, m := range picked {
		if err != nil {
			return err
		}
		f, err = outcome(m, again)
		if findings = append(findings, f); len(f.noticed()) == 0 {
			escaped = append(escaped, m.name)
		}
	}
	if err == nil && len(findings) == len(list) {
		err = os.WriteFile("docs/mutants.md", []byte(table(findings)), 0o666)
	}
	if err == nil && len(escaped) > 0 {
		err = fmt.Errorf("escaped: %s", strings.Join(escaped, ", "))
	}
	return err
}

// unchanged is no mutant: no claim may be violated by it, nothing may differ from the
// references.
func unchanged(picked []mutant) mutant {
	m := mutant{name: "unchanged"}
	for _, p := range picked {
		m.smokes = append(m.smokes, p.smokes...)
	}
	slices.Sort(m.smokes)
	m.smokes = slices.Compact(m.smokes)
	return m
}

// outcome tries a mutant, prints who notices it, and keeps that for a run that goes on.
func outcome(m mutant, again bool) (finding, error) {
	var f finding
	path, begun := filepath.Join("bin/mutants", m.name+".json"), time.Now()
	if text, err := os.ReadFile(path); !again || err != nil || json.Unmarshal(text, &f) != nil || f.Mutant != fmt.Sprint(m) {
		dir, err := os.MkdirTemp("", "mutant")
		if err != nil {
			return f, err
		}
		defer os.RemoveAll(dir)
		if f, err = try(dir, m); err != nil {
			return f, fmt.Errorf("%s: %w", m.name, err)
		}
		text, err := json.Marshal(f)
		if err = errors.Join(err, os.MkdirAll("bin/mutants", 0o777), os.WriteFile(path, text, 0o666)); err != nil {
			return f, err
		}
	}
	fmt.Printf("%s (%.0f s)\n  tests:    %s\n  verdicts: %s\n  compare:  %s\n", m.name, time.Since(begun).Seconds(), f.Tests, f.Verdicts, f.Compare)
	return f, nil
}

// found are those that notice a mutant, of what was asked.
type found struct{ By, Asked []string }

func (f found) String() string {
	switch {
	case len(f.Asked) == 0:
		return "not asked"
	case len(f.By) == 0:
		return "none of " + strings.Join(f.Asked, ", ")
	}
	return strings.Join(f.By, ", ")
}

// finding is who notices one mutant.
type finding struct {
	Mutant                   string // as it was, and all that was asked
	Name, Says               string
	Tests, Verdicts, Compare found
}

// The kinds of check.
const byTests, byVerdicts, byCompare = "tests", "smoke verdicts", "compare"

// noticed names the kinds of check that notice it.
func (f finding) noticed() []string {
	var kinds []string
	for kind, by := range map[string]found{byTests: f.Tests, byVerdicts: f.Verdicts, byCompare: f.Compare} {
		if len(by.By) > 0 {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	return kinds
}

// try builds mercer with a mutant in dir, tests it, and runs its experiments.
func try(dir string, m mutant) (finding, error) {
	f := finding{fmt.Sprint(m), m.name, m.says, found{Asked: m.tests}, found{Asked: m.smokes}, found{Asked: m.smokes}}
	overlay, err := m.overlay(dir)
	if err != nil {
		return f, err
	}
	program := filepath.Join(dir, "mercer")
	if out, code, err := output("go", "build", "-overlay", overlay, "-o", program, "."); code != 0 || err != nil {
		return f, errors.Join(err, fmt.Errorf("it does not compile:\n%s", out))
	}
	for _, name := range m.tests {
		out, code, err := output("go", "test", "-overlay", overlay, "-vet=off", "-count=1", "-failfast", "-timeout=20m", name)
		if f.Tests.By = failures(name, out); err != nil || code != 0 && f.Tests.By == nil {
			return f, errors.Join(err, fmt.Errorf("%s:\n%s", name, out))
		} else if code != 0 {
			break
		}
	}
	for _, name := range m.smokes {
		if err := f.smoke(program, filepath.Join(dir, "results"), name); err != nil {
			return f, fmt.Errorf("%s: %w", name, err)
		}
	}
	return f, nil
}

// output is what a program prints, and its exit code.
func output(program string, args ...string) (string, int, error) {
	c := exec.Command(program, args...)
	out, err := c.CombinedOutput()
	if errors.As(err, new(*exec.ExitError)) {
		err = nil
	}
	return string(out), c.ProcessState.ExitCode(), err
}

// overlay writes the changed file to dir, and beside it the JSON that puts it in the
// place of the file.
func (m mutant) overlay(dir string) (string, error) {
	replace := map[string]string{}
	if m.file != "" {
		source, err := m.changed(".")
		if err != nil {
			return "", err
		}
		replace[m.file] = filepath.Join(dir, "changed.go")
		if err := os.WriteFile(replace[m.file], []byte(source), 0o666); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	path := filepath.Join(dir, "overlay.json")
	return path, errors.Join(err, os.WriteFile(path, text, 0o666))
}

// changed is the mutant's file with the mistake.
func (m mutant) changed(root string) (string, error) {
	source, err := os.ReadFile(filepath.Join(root, m.file))
	if err != nil {
		return "", err
	}
	if count := strings.Count(string(source), m.old); count != 1 {
		return "", fmt.Errorf("%s has %d times, not once:\n%s", m.file, count, m.old)
	}
	return strings.Replace(string(source), m.old, m.new, 1), nil
}

var failed = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// failures are the tests of a package that failed or did not end; nil where it does not
// compile.
func failures(name, out string) []string {
	var tests []string
	for _, match := range failed.FindAllStringSubmatch(out, -1) {
		tests = append(tests, match[1])
	}
	if tests == nil && strings.Contains(out, "panic:") {
		return []string{"panic in " + name}
	}
	return tests
}

// Exit codes of mercer: of a run of which a claim is violated, and of a comparison that is
// refused, because seeds, data or versions differ and repeats are too few for tests, and
// that finds something worse, or cannot say.
const violatedClaim, refused, regressed = 3, 2, 4

// smoke runs an experiment, and adds its violated claims and whether it became worse than
// the reference.
func (f *finding) smoke(program, results, name string) error {
	dir := filepath.Join(results, name, "smoke")
	_, code, err := output(program, "run", name, "--profile", "smoke", "--out", dir, "--skip-missing-data", "--quiet")
	switch {
	case err != nil:
		return err
	case code == violatedClaim:
		out, _ := exec.Command(program, "check", dir, "--json").Output() // exits with violatedClaim too
		var verdicts []struct {
			Claim, Outcome string
			Control        bool
		}
		if err := json.Unmarshal(out, &verdicts); err != nil {
			return err
		}
		wrong := map[bool]string{false: "violated", true: "holds"} // of a claim, and of a control
		for _, v := range verdicts {
			if claim := name + "/" + v.Claim; v.Outcome == wrong[v.Control] && !slices.Contains(f.Verdicts.By, claim) {
				f.Verdicts.By = append(f.Verdicts.By, claim)
			}
		}
	case code != 0:
		f.Verdicts.By = append(f.Verdicts.By, fmt.Sprintf("%s exits with %d", name, code))
	}
	out, code, err := output(program, "compare", filepath.Join("results/reference", name, "smoke.jsonl"), dir)
	switch {
	case code >= regressed:
		f.Compare.By = append(f.Compare.By, name)
	case code == refused:
		f.Compare.By = append(f.Compare.By, name+" (refused)")
	case code != 0:
		err = errors.Join(err, errors.New(out))
	}
	return err
}
