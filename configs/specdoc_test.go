package configs

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

const specDoc = "../docs/spec.md"

// keyTable is a table of docs/spec.md, between its marks.
var keyTable = regexp.MustCompile(`(?s)<!-- keys: ([a-z]+) -->\n.*?<!-- end -->`)

// TestSpecKeys: docs/spec.md has the keys of each part of a spec, once.
func TestSpecKeys(t *testing.T) {
	text, err := os.ReadFile(specDoc)
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]string{}
	for _, m := range mappings() {
		tables[m.Name] = tableOfKeys(m)
	}
	missing := maps.Clone(tables)
	want := keyTable.ReplaceAllStringFunc(string(text), func(old string) string {
		name := keyTable.FindStringSubmatch(old)[1]
		if missing[name] == "" {
			t.Errorf("%s has a table of keys %q, which no part of a spec has, or has it twice", specDoc, name)
		}
		delete(missing, name)
		return tables[name]
	})
	for name := range missing {
		t.Errorf("%s has no table of the keys of %q", specDoc, name)
	}
	switch {
	case want == string(text) || t.Failed():
	case *Update:
		if err := os.WriteFile(specDoc, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the tables of keys in %s are out of date: make generate", specDoc)
	}
}

func tableOfKeys(m mapping) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- keys: %s -->\n| key | takes | what it is |\n|---|---|---|\n", m.Name)
	for _, k := range m.Keys {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k.Name, k.Takes, strings.ReplaceAll(k.Doc, "|", `\|`))
	}
	return b.String() + "<!-- end -->"
}

// mapping is a part of a spec whose keys are fields of a struct.
type mapping struct {
	Name string
	Keys []key // its own; what stands under them is another mapping
}

// mappings lists the parts of a spec, each kind of claim under its name. Datasets,
// kernels, methods and the grid are not among them: their keys are free.
func mappings() []mapping {
	list := []mapping{mappingFor[Spec]("spec"), mappingFor[Repeats]("repeats"), mappingFor[Claim]("claim")}
	for _, f := range kindFields() {
		list = append(list, mappingOf(f.key, f.typ.Elem()))
	}
	return append(list, mappingFor[Plot]("plot"), mappingFor[Axes]("axes"), mappingFor[TheoryCurve]("curve"),
		mappingFor[Mark]("mark"), mappingFor[Ranking]("ranking"), mappingFor[Budget]("budget"), mappingFor[Target]("target"), mappingFor[Statement]("statement"), mappingFor[Overlay]("profile"), mappingFor[Answer]("answer"))
}

func mappingFor[T any](name string) mapping { return mappingOf(name, reflect.TypeFor[T]()) }

func mappingOf(name string, t reflect.Type) mapping {
	return mapping{name, keysOf(t, reflect.Value{})}
}
