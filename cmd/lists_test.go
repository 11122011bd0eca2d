package cmd

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestLists: docs/methods.md and the like are what the registries say; -update writes them.
func TestLists(t *testing.T) {
	for _, kind := range []string{"methods", "measures", "theorems", "data", "kernels"} {
		list, err := listings[kind]()
		if err != nil {
			t.Fatal(err)
		}
		text := introductions[kind] + markdownText(list)
		file := "../docs/" + kind + ".md"
		if *update {
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if had, err := os.ReadFile(file); err != nil || string(had) != text {
			t.Errorf("%s is out of date: make generate (%v)", file, err)
		}
	}
}

// introductions stand before the lists of docs.
var introductions = map[string]string{
	"kernels": "# Kernels\n\n[Examples](spec.md#kernels): a length scale for each coordinate (ARD), sums and products, networks of infinite " +
		"width (arc-cosine, NTK), histograms (chi2), a kernel matrix of your own (`use: precomputed`).\n\n",
}

// firstWord is an ordinary word at the beginning: not m or tr, no name with an underscore and
// no function before its argument.
var firstWord = regexp.MustCompile(`^(a|[a-z]{3,})[ ,'-]`)

// markdownText is a section an item. A description begins with a capital letter, if it begins
// with a word.
func markdownText(list []item) string {
	var sections []string
	for _, i := range list {
		doc := i.Doc
		if firstWord.MatchString(doc) {
			doc = strings.ToUpper(doc[:1]) + doc[1:]
		}
		text := fmt.Sprintf("## %s\n\n%s.\n\n", i.Name, doc)
		for _, aspect := range aspects {
			if i.About[aspect] != "" {
				text += fmt.Sprintf("- %s: %s\n", aspect, i.About[aspect])
			}
		}
		for _, c := range i.Checks {
			text += fmt.Sprintf("- checked by `%s`\n", c)
		}
		for _, p := range i.Parameters {
			name, rest, _ := strings.Cut(p, ": ")
			text += fmt.Sprintf("- `%s`: %s\n", name, rest)
		}
		sections = append(sections, text)
	}
	return strings.Join(sections, "\n")
}
