package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// leaves are packages that import no sibling and that all others may import.
var leaves = []string{"internal/cost", "internal/lists", "internal/misuse", "internal/plain", "internal/regular", "internal/sizes"}

// rooms lists, for each package, the siblings besides the leaves that its code
// (tests apart) may import. A package that is missing here has not been thought
// about.
const rooms = `
.: cmd
cmd: configs configs/source data data/fetch experiments experiments/templates internal/claims internal/compare internal/facts internal/kernel internal/linalg internal/metrics internal/process internal/theory methods methods/exec report report/format report/views results runner runner/adaptive runner/plan runner/populations runner/targets runner/verdicts
configs:
configs/source: configs
data/fetch: data/files
data/files:
data/generate:
data: configs data/fetch data/files data/generate internal/counts internal/kernel internal/linalg methods/exec
experiments/templates: configs data/files
experiments:
methods/exec: configs data/files internal/kernel internal/process
methods/landmark: configs data/files internal/counts internal/kernel internal/linalg methods/exec methods/lloyd
methods/kernels: internal/kernel
methods/measures: internal/metrics
methods/lloyd: internal/counts internal/linalg internal/linalg/threads internal/linalg/vector
methods: configs data internal/counts internal/kernel internal/linalg internal/linalg/threads methods/exec methods/landmark methods/lloyd
report/figure: configs internal/claims internal/inference report/format results
report/format: internal/claims results
report/page: report/figure report/format
report/views: configs internal/claims internal/inference report/figure report/format results
report/reporttest: configs internal/claims results
report: configs internal/claims internal/theory report/figure report/format report/page report/views results
results: configs internal/linalg/threads
runner/adaptive: internal/claims results runner/plan runner/targets runner/verdicts
runner/targets: configs internal/claims results
runner/plan: configs configs/source data internal/kernel internal/metrics internal/theory methods methods/exec results
runner/verdicts: configs internal/claims internal/facts results runner/plan runner/populations runner/targets
runner/populations: configs configs/source data internal/facts runner/plan
runner: configs data data/fetch internal/kernel internal/linalg internal/linalg/threads internal/metrics internal/process methods methods/exec methods/landmark results runner/plan
internal/bench/peers: data/fetch data/files internal/kernel internal/linalg methods methods/lloyd results
internal/claims: configs internal/facts internal/inference internal/powerlaw internal/theory results
internal/compare: configs internal/claims internal/inference results
internal/cost:
internal/counts:
internal/facts: internal/theory results
internal/kernel: configs internal/linalg internal/linalg/threads internal/linalg/vector methods/exec
internal/inference:
internal/lists:
internal/linalg/blastest:
internal/linalg/backendtest: internal/linalg internal/linalg/openblas
internal/linalg/openblas:
internal/linalg/threads:
internal/linalg/vector: internal/linalg/threads
internal/linalg: internal/linalg/openblas internal/linalg/threads internal/linalg/vector
internal/metrics: data internal/kernel internal/linalg internal/linalg/threads internal/lists methods methods/exec methods/landmark
internal/misuse:
internal/mutants:
internal/plain:
internal/powerlaw: internal/inference
internal/process:
internal/regular:
internal/sizes:
internal/theory: configs internal/lists
`

// mayImport is the table of rooms, by package.
func mayImport() map[string][]string {
	table := map[string][]string{}
	for line := range strings.Lines(rooms) {
		if room, siblings, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			table[strings.TrimSuffix("mercer/"+room, "/.")] = append(strings.Fields(siblings), leaves...)
		}
	}
	return table
}

// TestYAML: specs and profiles are read in one place, and what judges a run needs no YAML.
func TestYAML(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{.Imports}}", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	allowed := []string{"mercer/configs/source"}
	for line := range strings.Lines(string(out)) {
		path, imports, _ := strings.Cut(line, " ")
		if strings.Contains(imports, "gopkg.in/yaml.v3") && !slices.Contains(allowed, path) {
			t.Errorf("%s imports YAML; configs/source reads it", path)
		}
	}
}

// TestWall: what judges, compares, shows and exports a run has its folder alone. Not even
// through others does it import what computes, or what reads specs.
func TestWall(t *testing.T) {
	readers := []string{"./results", "./internal/claims", "./internal/compare", "./report"}
	out, err := exec.Command("go", append([]string{"list", "-deps"}, readers...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	beyond := regexp.MustCompile(`^(mercer/(data|methods|runner|internal/kernel|internal/metrics|configs/source)(/.*)?|gopkg\.in/yaml\.v3)$`)
	for line := range strings.Lines(string(out)) {
		if path := strings.TrimSpace(line); beyond.MatchString(path) {
			t.Errorf("%v import %s", readers, path)
		}
	}
}

// TestImports holds the rule that records flow one way.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	decoder, table := json.NewDecoder(strings.NewReader(string(out))), mayImport()
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
		allowed, ok := table[p.ImportPath]
		if !ok {
			t.Errorf("%s is not in rooms: say there what it may import", p.ImportPath)
			continue
		}
		if slices.Contains(leaves, strings.TrimPrefix(p.ImportPath, "mercer/")) {
			allowed = nil
		}
		for _, path := range p.Imports {
			if sibling, own := strings.CutPrefix(path, "mercer/"); own && !slices.Contains(allowed, sibling) {
				t.Errorf("%s imports %s", p.ImportPath, path)
			}
		}
	}
}

// TestContributingNamesTests: the tests that CONTRIBUTING.md names are there, and its files.
func TestContributingNamesTests(t *testing.T) {
	text, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	err = filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		code.Write(source)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(string(text), -1)
	if len(named) < 10 {
		t.Errorf("only %d tests are named", len(named))
	}
	for _, match := range named {
		if !strings.Contains(code.String(), "func "+match[1]+"(t *testing.T)") {
			t.Errorf("there is no %s", match[1])
		}
	}
	for _, match := range regexp.MustCompile("`([\\w/]+\\.go)`").FindAllStringSubmatch(string(text), -1) {
		found, err := filepath.Glob(match[1])
		inside, _ := filepath.Glob("*/*/" + match[1]) // named beside its package
		if err != nil || len(found)+len(inside) == 0 {
			t.Errorf("there is no %s", match[1])
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
