//go:build system

package cmd

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestReadmeIsTheDemo runs what make demo runs. The README's table is what check prints of
// it, and the words of the README's figure are those of the report's: title, description, and
// the outlines of axes, labels and legend, the only paths with arcs (Q). Numbers may differ by 1 %, more than rounding on another processor and less than any
// change of the experiment.
func TestReadmeIsTheDemo(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	run := mercerCommand(".", "run", "atoms-rates", "--profile", "smoke", "--results", root, "--quiet")
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	dir := filepath.Join(root, "atoms-rates", "smoke")
	out, err := mercerCommand(".", "check", dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	readme := string(readFile(t, "../README.md"))
	_, shown, _ := strings.Cut(readme, "<!-- verdicts -->\n```\n")
	shown, _, found := strings.Cut(shown, "```\n<!-- end verdicts -->")
	if !found {
		t.Fatal("README.md has no table of verdicts")
	}
	before, printed, _ := strings.Cut(string(out), "| Claim ")
	printed, _, _ = strings.Cut(before[strings.LastIndex(before, "\n+")+1:]+"| Claim "+printed, "next: ")
	sameWords(t, "the README's table", strings.Fields(shown), strings.Fields(printed))
	texts := regexp.MustCompile(`>[^<>]+</(title|desc|text)>`)
	words := func(path string) []string { return texts.FindAllString(string(readFile(t, path)), -1) }
	figure := words(filepath.Join(dir, "report", "figures", "plot-rates.svg"))
	if len(figure) < 10 {
		t.Errorf("the demo's figure has %d words, want a title, a description and those of axes and legend", len(figure))
	}
	sameWords(t, "docs/atoms-rates.svg", words("../docs/atoms-rates.svg"), figure)
}

// sameWords compares words; those with numbers in them, such as "[−0.25214,", by these.
func sameWords(t *testing.T, what string, got, want []string) {
	t.Helper()
	number := func(s string) (float64, error) {
		return strconv.ParseFloat(strings.ReplaceAll(strings.Trim(s, "[],"), "−", "-"), 64)
	}
	if len(got) != len(want) {
		t.Fatalf("%s has %d words, the demo %d: make figures renews it", what, len(got), len(want))
	}
	for i, w := range want {
		x, first := number(got[i])
		y, second := number(w)
		if near := first == nil && second == nil && math.Abs(x-y) <= 0.01*math.Abs(y); !near && got[i] != w {
			t.Errorf("%s has %q, the demo %q: make figures renews it", what, got[i], w)
		}
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
}
