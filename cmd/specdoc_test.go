package cmd

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"mercer/configs"
)

const specDoc = "../docs/spec.md"

var update = flag.Bool("update", false, "rewrite the tables of keys in docs/spec.md, and what the commands of docs/tutorial.md print")

// keyTable is a table of docs/spec.md, between its marks.
var keyTable = regexp.MustCompile(`(?s)<!-- keys: ([a-z]+) -->\n.*?<!-- end -->`)

// TestSpecKeys: docs/spec.md has the keys of each part of a spec, once.
func TestSpecKeys(t *testing.T) {
	text, err := os.ReadFile(specDoc)
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]string{}
	for _, m := range configs.Mappings() {
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
	case *update:
		if err := os.WriteFile(specDoc, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the tables of keys in %s are out of date: make generate", specDoc)
	}
}

func tableOfKeys(m configs.Mapping) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- keys: %s -->\n| key | takes | what it is |\n|---|---|---|\n", m.Name)
	for _, k := range m.Keys {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k.Name, k.Takes, strings.ReplaceAll(k.Doc, "|", `\|`))
	}
	return b.String() + "<!-- end -->"
}

// yamlBlock is an example in Markdown, and the line before it.
var yamlBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// TestSpecExamples runs every example of docs/spec.md. An example without a name is put
// into the first one, part by part. Each of its claims must hold: an example that says
// nothing wrong and shows nothing is no example.
func TestSpecExamples(t *testing.T) {
	text, err := os.ReadFile(specDoc)
	if err != nil {
		t.Fatal(err)
	}
	blocks := yamlBlock.FindAllStringSubmatchIndex(string(text), -1)
	used := map[string]bool{}
	var whole map[string]yaml.Node
	for i, at := range blocks {
		var example map[string]yaml.Node
		line := 1 + strings.Count(string(text[:at[0]]), "\n")
		if err := yaml.Unmarshal(text[at[2]:at[3]], &example); err != nil {
			t.Fatalf("%s:%d: %v", specDoc, line, err)
		}
		if i == 0 {
			whole = example
		}
		spec := maps.Clone(whole)
		maps.Copy(spec, example)
		note(used, string(text[at[2]:at[3]]))
		t.Run(fmt.Sprintf("line=%d", line), func(t *testing.T) { runExample(t, spec) })
	}
	for _, kind := range slices.Concat(configs.ClaimKinds(), []string{"checks", "plots", "budgets", "targets", "profiles", "until", "zip", "skip", "kernels"}) {
		if !used[kind] {
			t.Errorf("%s has no example of %s", specDoc, kind)
		}
	}
}

// note collects the words of an example that are keys.
func note(used map[string]bool, example string) {
	for _, key := range regexp.MustCompile(`([a-z_]+):`).FindAllStringSubmatch(example, -1) {
		used[key[1]] = true
	}
}

// runExample validates and runs a spec, under its profile where it has one.
func runExample(t *testing.T, spec map[string]yaml.Node) {
	text, err := yaml.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "my.yaml")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"run", path, "--quiet", "--strict", "--out", filepath.Join(filepath.Dir(path), "run")}
	if _, ok := spec["profiles"]; ok {
		args = append(args, "--profile", "smoke")
	}
	for _, args := range [][]string{{"validate", path}, args} {
		var out, complaints bytes.Buffer
		if code := Main(args, nil, &out, &complaints); code != exitOK {
			t.Fatalf("mercer %s exits with %d:\n%s%s", args[0], code, out.String(), complaints.String())
		}
	}
}
