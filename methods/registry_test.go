package methods_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"mercer/methods"
)

// TestEveryMethodIsInTheRegistry: options with a method Method are those of an entry,
// and of each entry the parameters of its plain use make a method.
func TestEveryMethodIsInTheRegistry(t *testing.T) {
	registered := map[string]bool{}
	for use, entry := range methods.Registry {
		options := entry.New()
		registered[reflect.TypeOf(options).Elem().Name()] = true
		decoded(t, use, "{"+entry.Plain+"}", "")
		if (entry.Label == "") != (use == "exec") || entry.Doc == "" || entry.Reference == "" || entry.Cost == "" || entry.Accuracy == "" || entry.Version == "" || options.Traits().Shape == "" || len(options.Traits().Uses) == 0 {
			t.Errorf("%s: the entry is not whole: %+v", use, entry)
		}
	}
	for _, name := range receivers(t, "Method") {
		if !registered[name] {
			t.Errorf("%s is of no entry of the Registry (methods/registry.go)", name)
		}
	}
}

// receivers are the types of this package that have an exported method of a name.
func receivers(t *testing.T, name string) []string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != name {
				continue
			}
			if star, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
				types = append(types, star.X.(*ast.Ident).Name)
			}
		}
	}
	return types
}

// TestEveryMethodHasATestOfItsOwn: a test beside the conformance suite makes its options.
func TestEveryMethodHasATestOfItsOwn(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	for _, file := range files {
		if strings.Contains(file, "conformance") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tests.Write(source)
	}
	for use, entry := range methods.Registry {
		if name := reflect.TypeOf(entry.New()).Elem().Name(); !strings.Contains(tests.String(), name+"{") {
			t.Errorf("%s: no test but the conformance suite has %s: compare it with an independent computation", use, name)
		}
	}
}
