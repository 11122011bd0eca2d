//go:build unix

package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// recipe is the shell code of a section of docs/compare.md, in a folder that stands for /tmp
// and the working directory.
type recipe struct {
	*testing.T
	dir, code string
}

func newRecipe(t *testing.T, section string) recipe {
	t.Helper()
	text, err := os.ReadFile("../docs/compare.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, program := range []string{"mercer", "mercer-old", "mercer-new"} {
		if err := os.Symlink(os.Args[0], filepath.Join(dir, program)); err != nil {
			t.Fatal(err)
		}
	}
	code := found(t, "(?s)\n## "+regexp.QuoteMeta(section)+"\n.*?```sh\n(.*?)```", string(text))
	return recipe{t, dir, strings.ReplaceAll(code, "/tmp/", dir+"/")}
}

func (r recipe) write(name, text string) {
	r.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o666); err != nil {
		r.Fatal(err)
	}
}

// run runs shell code with mercer in $PATH.
func (r recipe) run(code string) (string, error) {
	c := exec.Command("sh", "-e", "-c", code)
	c.Dir = r.dir
	c.Env = append(mercerCommand(r.dir).Env, "PATH="+r.dir+":"+os.Getenv("PATH"), "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	text, err := c.CombinedOutput()
	return string(text), err
}

// bisected runs a program whose subspace is the span of the points that commits change.
const bisected = `name: mine
seed: 3
repeats: 8
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid: {n: 20, ell: 2}
methods: [{id: mine, use: exec, command: [sh, "{dir}/mine.sh"], model: subspace}]
measure: [recon_h]
`

const subspaceProgram = `while echo '{"ready":2}'; read -r request; do
	echo 'ANSWER'
done
`

// TestBisectRecipe: git bisect run, by the script of docs/compare.md, finds the one of eight
// commits that makes a program worse, among others that change its answer for neither better nor
// worse, or break the spec.
func TestBisectRecipe(t *testing.T) {
	if lookPath("git") == "" {
		t.Skip("SKIPPED: no git here, the recipe is not run")
	}
	r := newRecipe(t, "Which commit was it?")
	const good, bad = `{"indices":[0,1],"coef":[[1,0],[0,1]],"values":[1,1]}`, `{"indices":[0],"coef":[[1]],"values":[1]}`
	commit := func(subject, spec, answer string) {
		t.Helper()
		r.write("my.yaml", spec)
		r.write("mine.sh", strings.Replace(subspaceProgram, "ANSWER", answer, 1))
		r.write("notes", subject)
		if text, err := r.run("git add my.yaml mine.sh notes; git commit -qm '" + subject + "'"); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	if text, err := r.run("git init -qb main"); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	commit("first", bisected, good)
	if text, err := r.run("git tag v1.2"); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	commit("notes", bisected, good)
	commit("other order", bisected, strings.Replace(good, "[0,1]", "[1,0]", 1))
	commit("broken spec", strings.Replace(bisected, "seed", "sed", 1), good)
	commit("back", bisected, good)
	commit("culprit", bisected, bad)
	commit("still bad", bisected, bad)
	commit("last", bisected, bad)
	text, err := r.run(r.code)
	if err != nil || !regexp.MustCompile(`(?s)[0-9a-f]{40} is the first bad commit\n.*\n    culprit\n`).MatchString(text) {
		t.Fatalf("%v\n%s", err, text)
	}
	if !strings.Contains(text, `unknown key "sed"`) {
		t.Errorf("the commit with a broken spec was not tried:\n%s", text)
	}
}
