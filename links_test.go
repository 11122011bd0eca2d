package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var (
	fence    = regexp.MustCompile("(?s)(^|\n)```.*?\n```")
	link     = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	pageName = regexp.MustCompile(`\bdocs/[\w-]+\.md(#[\w-]+)?`)
)

// page is a Markdown file without its blocks of code.
func page(path string) (string, error) {
	text, err := os.ReadFile(path)
	return fence.ReplaceAllString(string(text), "\n"), err
}

// anchor is the name by which Markdown's readers, GitHub's first, let one link to a heading.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(heading))
}

// anchors are those of a page; of headings that are alike, the second ends in -1.
func anchors(text string) []string {
	var names []string
	seen := map[string]int{}
	for _, match := range heading.FindAllStringSubmatch(text, -1) {
		name := anchor(match[1])
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s-%d", name, seen[name]-1)
		}
		names = append(names, name)
	}
	return names
}

// follow tells why the link target in the file path leads nowhere. Names of files
// are compared by letter, as on Linux: macOS and Windows would find others too.
func follow(path, target string) error {
	name, part, hasPart := strings.Cut(target, "#")
	if name != "" {
		path = filepath.Join(filepath.Dir(path), filepath.FromSlash(name))
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	if base := filepath.Base(path); base != ".." && !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == base }) {
		return fmt.Errorf("there is no %s", path)
	}
	if !hasPart {
		return nil
	}
	text, err := page(path)
	if err == nil && !slices.Contains(anchors(text), part) {
		err = fmt.Errorf("%s has no heading #%s", path, part)
	}
	return err
}

// markdown are the pages for readers: reports that tests compare with are none.
func markdown(t *testing.T) []string {
	var paths []string
	for _, pattern := range []string{"*.md", "docs/*.md", "results/reference/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no pages like %s: %v", pattern, err)
		}
		paths = append(paths, found...)
	}
	return paths
}

// TestLinks follows all links of the pages to files and headings. It asks no server.
func TestLinks(t *testing.T) {
	followed := 0
	for _, path := range markdown(t) {
		text, err := page(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(match[1], "://") {
				continue
			}
			followed++
			if err := follow(path, match[1]); err != nil {
				t.Errorf("%s: %s: %v", path, match[1], err)
			}
		}
	}
	if followed < 100 {
		t.Errorf("only %d links were found", followed)
	}
}

// TestPagesThatFilesName: pages that code, specs and other pages name, as in "see
// docs/spec.md", are there.
func TestPagesThatFilesName(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !slices.Contains([]string{".go", ".md", ".yaml", ".txtar", ".tmpl"}, filepath.Ext(path)) || path == "links_test.go" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, target := range pageName.FindAllString(string(text), -1) {
			if err := follow("README.md", target); err != nil {
				t.Errorf("%s: %s: %v", path, target, err)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFollow(t *testing.T) {
	for target, works := range map[string]bool{
		"docs/faults.md": true, "docs/faults.md#exit-codes": true, "experiments/": true, "docs/../LICENSE": true,
		"docs/none.md": false, "docs/faults.md#none": false, "docs/Faults.md": false, "#none": false, "none/x.md": false,
	} {
		if err := follow("README.md", target); (err == nil) != works {
			t.Errorf("%s: %v", target, err)
		}
	}
	headings := "# A `code` & more\n## Where n ≥ 10\n## Where n ≥ 10\n"
	if got, want := strings.Join(anchors(headings), " "), "a-code--more where-n--10 where-n--10-1"; got != want {
		t.Errorf("anchors %s, not %s", got, want)
	}
}

// TestIndex: docs/index.md leads to every page of docs.
func TestIndex(t *testing.T) {
	index, err := page(filepath.Join("docs", "index.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join("docs", "*.md"))
	if err != nil || len(pages) < 20 {
		t.Fatal(len(pages), err)
	}
	for _, path := range pages {
		if name := filepath.Base(path); name != "index.md" && !strings.Contains(index, "("+name+")") {
			t.Errorf("docs/index.md has no link to %s", name)
		}
	}
}
