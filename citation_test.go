package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

type author struct {
	Name   string
	Family string `yaml:"family-names"`
	Given  string `yaml:"given-names"`
}

// citation has the keys of the Citation File Format 1.2.0 that CITATION.cff uses.
type citation struct {
	Version    string `yaml:"cff-version"`
	Message    string
	Title      string
	Type       string
	Abstract   string
	Authors    []author
	License    string
	Keywords   []string
	References []struct {
		Type, Title string
		Authors     []author
		Year        int
	}
}

// TestCitation: the keys that the format demands are there, no other than it knows, and
// the papers are those of the experiments in docs/papers.md.
func TestCitation(t *testing.T) {
	text, err := os.ReadFile("CITATION.cff")
	if err != nil {
		t.Fatal(err)
	}
	decoder := yaml.NewDecoder(strings.NewReader(string(text)))
	decoder.KnownFields(true)
	var c citation
	if err := decoder.Decode(&c); err != nil {
		t.Fatal(err)
	}
	if c.Version != "1.2.0" || c.Message == "" || c.Title == "" || len(c.Authors) == 0 {
		t.Errorf("a key that the format demands is missing: %+v", c)
	}
	papers, err := page("docs/papers.md")
	if err != nil {
		t.Fatal(err)
	}
	cited := map[string]bool{}
	for _, r := range c.References {
		if r.Type == "" || r.Title == "" || len(r.Authors) == 0 {
			t.Errorf("%+v has no type, title or author", r)
			continue
		}
		cited[r.Authors[0].Family] = true
	}
	experiments, _, _ := strings.Cut(papers, "\n## Rules and features")
	for _, first := range regexp.MustCompile(`\| (\w+) (?:& \w+|et al\.)`).FindAllStringSubmatch(experiments, -1) {
		if !cited[first[1]] {
			t.Errorf("the paper of %s is not cited", first[1])
		}
	}
	if len(cited) != 5 {
		t.Errorf("papers cited: %v", cited)
	}
}
