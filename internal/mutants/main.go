// Command mutants makes the mistakes of its list in mercer, one at a time, and tells
// who notices: the tests of the packages named with the mistake, the verdicts of smoke
// runs, and the comparison of these runs with results/reference. The tree stays as it
// is: go build and go test take the changed file by -overlay.
//
//	go run ./internal/mutants                    all, and write docs/mutants.md
//	go run ./internal/mutants -only 'kjl|oja'    those whose names match; writes nothing
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
	flag.Parse()
	pick, err := regexp.Compile(*only)
	if err == nil {
		err = run(pick, *only == "")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run tries the mutants that are picked, and writes the table of all.
func run(pick *regexp.Regexp, write bool) error {
	picked := slices.DeleteFunc(slices.Clone(list), func(m mutant) bool { return !pick.MatchString(m.name) })
	if len(picked) == 0 {
		return fmt.Errorf("no mutant matches %s", pick)
	}
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := unchanged(dir, picked); err != nil {
		return err
	}
	var findings []finding
	var escaped []string
	for _, m := range picked {
		begun := time.Now()
		f, err := try(filepath.Join(dir, m.name), m)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		fmt.Printf("%s (%.0f s)\n  tests:    %s\n  verdicts: %s\n  compare:  %s\n", m.name, time.Since(begun).Seconds(), f.tests, f.verdicts, f.compare)
		findings = append(findings, f)
		if len(f.noticed()) == 0 {
			escaped = append(escaped, m.name)
		}
	}
	if write {
		err = os.WriteFile("docs/mutants.md", []byte(table(findings)), 0o666)
	}
	if len(escaped) > 0 {
		err = errors.Join(err, fmt.Errorf("escaped: %s", strings.Join(escaped, ", ")))
	}
	return err
}

// unchanged fails where smoke runs of the tree as it is have violated claims or differ
// from the references: nothing could be said of mutants then.
func unchanged(dir string, picked []mutant) error {
	m := mutant{name: "unchanged"}
	for _, p := range picked {
		m.smokes = append(m.smokes, p.smokes...)
	}
	slices.Sort(m.smokes)
	m.smokes = slices.Compact(m.smokes)
	f, err := try(filepath.Join(dir, m.name), m)
	if err == nil && len(f.noticed()) > 0 {
		err = fmt.Errorf("without a mutant: verdicts: %s; compare: %s", f.verdicts, f.compare)
	}
	return err
}

// found are those that notice a mutant, of what was asked.
type found struct{ by, asked []string }

func (f found) String() string {
	if len(f.by) == 0 {
		return "none of " + strings.Join(f.asked, ", ")
	}
	return strings.Join(f.by, ", ")
}

// finding is who notices one mutant.
type finding struct {
	mutant
	tests, verdicts, compare found
}

// noticed names the kinds of check that notice it.
func (f finding) noticed() []string {
	var kinds []string
	for kind, by := range map[string]found{"tests": f.tests, "smoke verdicts": f.verdicts, "compare": f.compare} {
		if len(by.by) > 0 {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	return kinds
}

// try builds mercer with a mutant in dir, tests it, and runs its experiments.
func try(dir string, m mutant) (finding, error) {
	f := finding{mutant: m, tests: found{asked: m.tests}, verdicts: found{asked: m.smokes}, compare: found{asked: m.smokes}}
	overlay, err := m.overlay(dir)
	if err != nil {
		return f, err
	}
	program := filepath.Join(dir, "mercer")
	if out, err := exec.Command("go", "build", "-overlay", overlay, "-o", program, ".").CombinedOutput(); err != nil {
		return f, fmt.Errorf("%w\n%s", err, out)
	}
	for _, name := range m.tests {
		out, err := exec.Command("go", "test", "-overlay", overlay, "-vet=off", "-count=1", "-failfast", "-timeout=20m", name).CombinedOutput()
		if err == nil {
			continue
		}
		if f.tests.by = failures(name, string(out)); f.tests.by == nil {
			return f, fmt.Errorf("%s: %w\n%s", name, err, out)
		}
		break
	}
	results := filepath.Join(dir, "results")
	for _, name := range m.smokes {
		violated, err := smoke(program, results, name)
		if err != nil {
			return f, err
		}
		f.verdicts.by = append(f.verdicts.by, violated...)
	}
	f.compare.by, err = compared(program, results, m.smokes)
	return f, errors.Join(err, os.RemoveAll(dir))
}

// overlay writes the changed file to dir, and beside it the JSON that puts it in the
// place of the file.
func (m mutant) overlay(dir string) (string, error) {
	replace := map[string]string{}
	err := os.MkdirAll(dir, 0o777)
	if err == nil && m.file != "" {
		var source string
		if source, err = m.changed("."); err == nil {
			path := filepath.Join(dir, "changed.go")
			replace[m.file], err = path, os.WriteFile(path, []byte(source), 0o666)
		}
	}
	if err != nil {
		return "", err
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

// smoke runs an experiment and names its violated claims.
func smoke(program, results, name string) ([]string, error) {
	out, err := exec.Command(program, "run", name, "--profile", "smoke", "--results", results, "--skip-missing-data", "--quiet").CombinedOutput()
	if err == nil {
		return nil, nil
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return nil, err
	}
	if exit.ExitCode() != violatedClaim {
		fmt.Printf("%s: %s", name, out)
		return []string{fmt.Sprintf("%s exits with %d", name, exit.ExitCode())}, nil
	}
	text, err := exec.Command(program, "check", filepath.Join(results, name, "smoke"), "--json").Output()
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	var verdicts []struct{ Claim, Outcome string }
	if err := json.Unmarshal(text, &verdicts); err != nil {
		return nil, fmt.Errorf("check of %s: %w", name, err)
	}
	var claims []string
	for _, v := range verdicts {
		if claim := name + "/" + v.Claim; v.Outcome == "violated" && !slices.Contains(claims, claim) {
			claims = append(claims, claim)
		}
	}
	return claims, nil
}

// violatedClaim is the exit code of a run of which a claim is violated.
const violatedClaim = 3

// compared names the experiments with a regression against results/reference.
func compared(program, results string, names []string) ([]string, error) {
	var worse []string
	for _, name := range names {
		out, err := exec.Command(program, "compare", filepath.Join("results/reference", name, "smoke.jsonl"), filepath.Join(results, name, "smoke")).CombinedOutput()
		var exit *exec.ExitError
		switch {
		case err == nil:
		case errors.As(err, &exit) && exit.ExitCode() >= regressed:
			worse = append(worse, name)
		default:
			return nil, fmt.Errorf("compare of %s: %w\n%s", name, err, out)
		}
	}
	return worse, nil
}

// regressed is the exit code of a comparison that found something worse; 5 is of one
// that cannot say.
const regressed = 4
