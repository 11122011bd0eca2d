package cmd

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const tutorial = "../docs/tutorial.md"

var update = flag.Bool("update", false, "rewrite what the commands of docs/tutorial.md print")

// commandBlock is a block of commands, each after "$ ", with what they print; a line of three
// dots stands for anything.
var commandBlock = regexp.MustCompile("(?s)```console\n(.*?)```")

// TestTutorial runs the commands of docs/tutorial.md in order.
func TestTutorial(t *testing.T) {
	path, err := filepath.Abs(tutorial)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	copyFile(t, filepath.Join(filepath.Dir(path), "wine.csv"), "wine.csv")
	if err := os.WriteFile("wine.yaml", yamlBlock.FindSubmatch(text)[1], 0o600); err != nil {
		t.Fatal(err)
	}
	shell := &shell{}
	got := commandBlock.ReplaceAllStringFunc(string(text), func(block string) string {
		var b strings.Builder
		for _, line := range strings.Split(block, "\n") {
			command, found := strings.CutPrefix(line, "$ ")
			if !found {
				continue
			}
			fmt.Fprintf(&b, "%s\n%s", line, shell.run(t, command))
		}
		if kept, _, long := strings.Cut(block, "\n...\n"); long && strings.HasPrefix("```console\n"+b.String(), kept) {
			return block
		}
		return "```console\n" + b.String() + "```"
	})
	if *update {
		copyFile(t, "results/wine/paper/report/figures/rate.svg", filepath.Join(filepath.Dir(path), "wine.svg"))
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := strings.Split(string(text), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(want) || line != want[i] {
			t.Fatalf("%s:%d: the commands print another text (make generate):\n%s", tutorial, i+1, line)
		}
	}
}

// shell runs commands, mercer in this process, and knows the last exit code.
type shell struct{ code int }

func (s *shell) run(t *testing.T, command string) string {
	var out, complaints bytes.Buffer
	command, file, redirected := strings.Cut(command, " > ")
	words := strings.Fields(command)
	switch {
	case command == "echo $?":
		return fmt.Sprintln(s.code)
	case words[0] == "mercer":
		s.code = Main(words[1:], nil, &out, &complaints)
	default:
		text, err := exec.Command("sh", "-c", command).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command, err, text)
		}
		out.Write(text)
	}
	if s.code != exitOK && s.code != exitViolated {
		t.Fatalf("%s exits with %d:\n%s", command, s.code, complaints.String())
	}
	if redirected {
		if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return ""
	}
	return out.String()
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
