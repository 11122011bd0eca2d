//go:build system

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestSetupAction runs the shell steps of the setup-mercer action as a workflow would: they
// end with mercer on the PATH.
func TestSetupAction(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join(".github", "actions", "setup-mercer"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Runs struct {
			Steps []struct{ ID, Run string }
		}
	}
	if err := yaml.Unmarshal(text, &action); err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	output, path := filepath.Join(temp, "output"), filepath.Join(temp, "path")
	outputs := map[string]string{}
	for _, step := range action.Runs.Steps {
		for name, value := range outputs {
			step.Run = strings.ReplaceAll(step.Run, "${{ "+name+" }}", value)
		}
		if err := os.WriteFile(output, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		shell := exec.Command("bash", "-eo", "pipefail", "-c", step.Run)
		shell.Dir = temp
		shell.Env = append(os.Environ(), "GITHUB_ACTION_PATH="+dir, "GITHUB_OUTPUT="+output, "GITHUB_PATH="+path, "RUNNER_TEMP="+temp)
		if text, err := shell.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s\n%s", err, step.Run, text)
		}
		lines, err := os.ReadFile(output)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(lines)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			outputs["steps."+step.ID+".outputs."+name] = value
		}
	}
	added, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command(filepath.Join(strings.TrimSpace(string(added)), "mercer"), "list").CombinedOutput(); err != nil || !strings.Contains(string(text), "nystrom-kpca-rates") {
		t.Errorf("%v\n%s", err, text)
	}
	if outputs["steps.source.outputs.sets"] == "" {
		t.Error("no key of the data sets' cache")
	}
}

// TestWorkflowOfOthers gives the workflow that docs/compare.md has for other repositories to
// actionlint. The repository and the tag of mercer, which a reader fills in, stand there once.
func TestWorkflowOfOthers(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("docs", "compare.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, workflow, found := strings.Cut(string(text), "```yaml\n# .github/workflows/mercer.yml\n")
	workflow, _, ended := strings.Cut(workflow, "```")
	if !found || !ended || strings.Count(string(text), "setup-mercer@") != 1 {
		t.Fatal("docs/compare.md has no workflow, or names the action twice")
	}
	const actionlint = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"
	if text, err := exec.Command("go", "run", actionlint, "-version").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no %s: %v\n%s", actionlint, err, text)
	}
	lint := exec.Command("go", "run", actionlint, "-")
	lint.Stdin = strings.NewReader(workflow)
	if text, err := lint.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}
