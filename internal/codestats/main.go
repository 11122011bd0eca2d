// Command codestats prints how large the code is and how densely it is written: one
// row each for the harness, which is in the folders that it is given and those below
// them, for the rest, and for the tests.
//
//	go run ./internal/codestats cmd configs runner
//
// A function is as long as the lines from func to its last brace. The share of comments
// is that of the lines with nothing but a comment, among all that are not blank.
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

// part sums up the files of a part.
type part struct {
	name             string
	files            []int // lines of each
	functions        []int // lines of each
	all              int   // lines
	comments, filled int   // lines with nothing but a comment; lines that are not blank
}

func main() {
	harness, rest, tests := part{name: "the harness"}, part{name: "the rest"}, part{name: "tests"}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		in := func(folder string) bool { return strings.HasPrefix(filepath.ToSlash(path), folder+"/") }
		switch {
		case strings.HasSuffix(path, "_test.go"):
			return tests.add(path)
		case slices.ContainsFunc(os.Args[1:], in):
			return harness.add(path)
		}
		return rest.add(path)
	})
	if err == nil {
		err = printParts(harness, rest, tests)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// add counts a file.
func (p *part) add(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, text, parser.ParseComments)
	if err != nil {
		return err
	}
	line := func(pos token.Pos) int { return fset.Position(pos).Line }
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			p.functions = append(p.functions, line(f.End())-line(f.Pos())+1)
		}
	}
	lines := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	p.files, p.all = append(p.files, len(lines)), p.all+len(lines)
	for _, l := range lines {
		p.filled += min(1, len(bytes.TrimSpace(l)))
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			at := fset.Position(c.Pos())
			if before := lines[at.Line-1][:at.Column-1]; len(bytes.TrimSpace(before)) == 0 {
				p.comments += line(c.End()) - at.Line + 1
			}
		}
	}
	return nil
}

func printParts(parts ...part) error {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "lines\tfiles\tmedian file\tlongest\tfunctions\tmedian\t90 % up to\tcomments\t")
	for _, p := range parts {
		slices.Sort(p.files)
		slices.Sort(p.functions)
		fmt.Fprintf(table, "%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f %%\t  %s\n",
			p.all, len(p.files), quantile(p.files, 50), quantile(p.files, 100),
			len(p.functions), quantile(p.functions, 50), quantile(p.functions, 90), 100*float64(p.comments)/float64(max(1, p.filled)), p.name)
	}
	return table.Flush()
}

// quantile is the smallest of sorted numbers that so many percent do not exceed.
func quantile(sorted []int, percent int) int {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)*percent+99)/100-1]
}
