package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayImport lists, for each package, the siblings that its code (tests apart)
// may import. A package that is missing here has not been thought about.
var mayImport = map[string][]string{
	"mercer":                             {"cmd"},
	"mercer/cmd":                         {"configs", "data", "data/fetch", "experiments", "internal/claims", "internal/compare", "internal/kernel", "internal/linalg", "internal/metrics", "internal/process", "internal/sizes", "internal/theory", "methods", "report", "results", "runner", "runner/batch", "runner/batch/slurm"},
	"mercer/experiments":                 {},
	"mercer/configs":                     {"internal/sizes"},
	"mercer/runner/batch":                {"configs", "results", "runner", "runner/batch/slurm"},
	"mercer/runner/batch/slurm":          {},
	"mercer/runner/batch/slurmtest":      {},
	"mercer/internal/linalg":             {"internal/cost", "internal/linalg/openblas", "internal/linalg/threads", "internal/linalg/vector"},
	"mercer/internal/linalg/openblas":    {},
	"mercer/internal/linalg/threads":     {},
	"mercer/internal/linalg/vector":      {"internal/linalg/threads"},
	"mercer/internal/linalg/backendtest": {"internal/linalg", "internal/linalg/openblas"},
	"mercer/internal/cost":               {},
	"mercer/internal/bench/scale":        {},
	"mercer/internal/bench/peers":        {"data/fetch", "internal/kernel", "internal/linalg", "methods", "methods/lloyd"},
	"mercer/methods/lloyd":               {"internal/cost", "internal/linalg/threads"},
	"mercer/internal/process":            {},
	"mercer/results":                     {"internal/sizes", "internal/linalg/threads", "internal/regular"},
	"mercer/internal/regular":            {},
	"mercer/internal/kernel":             {"configs", "internal/kernel/sobol", "internal/linalg", "internal/linalg/threads", "internal/linalg/vector"},
	"mercer/internal/kernel/sobol":       {},
	"mercer/data":                        {"configs", "data/fetch", "data/files", "data/generate", "internal/cost", "internal/kernel", "internal/linalg"},
	"mercer/data/files":                  {"internal/regular"},
	"mercer/data/fetch":                  {"data/files", "internal/regular"},
	"mercer/data/generate":               {},
	"mercer/methods":                     {"configs", "data", "internal/cost", "internal/kernel", "internal/linalg", "internal/linalg/threads", "internal/sizes", "methods/exec", "methods/landmark", "methods/lloyd"},
	"mercer/methods/exec":                {"configs", "data/files", "internal/kernel", "internal/process", "internal/regular"},
	"mercer/methods/landmark":            {"internal/cost", "internal/kernel", "internal/linalg", "methods/lloyd"},
	"mercer/methods/methodtest":          {"data", "internal/kernel", "internal/linalg", "methods"},
	"mercer/internal/metrics":            {"data", "internal/cost", "internal/kernel", "internal/linalg", "internal/linalg/threads", "methods"},
	"mercer/internal/theory":             {"internal/sizes"},
	"mercer/internal/compare/trend":      {},
	"mercer/internal/claims": {"configs", "internal/sizes", "internal/theory", "results"},
	"mercer/internal/compare": {"internal/claims", "internal/compare/trend", "internal/sizes", "results"},
	"mercer/report": {"configs", "internal/claims", "internal/compare", "internal/metrics", "internal/sizes", "report/figure", "report/format", "report/page", "report/sections", "results"},
	"mercer/runner": {"configs", "data", "internal/cost", "internal/kernel", "internal/linalg", "internal/linalg/threads", "internal/metrics", "internal/process", "internal/sizes", "internal/theory", "methods", "methods/exec", "results"},
	"mercer/internal/sizes":              {},
	"mercer/report/sections":             {"internal/claims", "internal/compare", "internal/metrics", "results", "report/figure", "report/format", "report/page"},
	"mercer/report/page":                 {"report/figure", "report/format"},
	"mercer/report/figure":               {"internal/claims", "internal/compare", "configs", "results", "report/format"},
	"mercer/report/format":               {"internal/claims", "results"},
	"mercer/report/reporttest":           {"internal/claims", "configs", "results", "internal/theory"},
}

// TestImports holds the rule that records flow one way.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		allowed, ok := mayImport[p.ImportPath]
		if !ok {
			t.Errorf("%s is not in mayImport: say there what it may import", p.ImportPath)
			continue
		}
		for _, path := range p.Imports {
			if sibling, own := strings.CutPrefix(path, "mercer/"); own && !slices.Contains(allowed, sibling) {
				t.Errorf("%s imports %s", p.ImportPath, path)
			}
		}
	}
}

// TestNoGlobals looks through all code: random numbers come from streams that
// are passed in, never from the global source or the first math/rand, and there
// is no init function.
func TestNoGlobals(t *testing.T) {
	constructors := []string{"New", "NewPCG", "NewChaCha8", "NewZipf", "Rand", "Source", "PCG", "ChaCha8", "Zipf"}
	files := token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		random := false
		for _, spec := range file.Imports {
			switch name, _ := strconv.Unquote(spec.Path.Value); name {
			case "math/rand":
				t.Errorf("%s imports math/rand; use math/rand/v2 with a stream", path)
			case "math/rand/v2":
				random = true
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Name.Name == "init" && n.Recv == nil {
					t.Errorf("%s: init function", files.Position(n.Pos()))
				}
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && random && x.Name == "rand" && x.Obj == nil && !slices.Contains(constructors, n.Sel.Name) {
					t.Errorf("%s: rand.%s uses the global source", files.Position(n.Pos()), n.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
