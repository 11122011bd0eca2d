package sections

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/report/page"
	"mercer/results"
)

// mostValues is how many runs, and how many values of a variable, a difference names each.
const mostValues = 4

// fact is something of a run that another may have otherwise; the value may be too long
// to be read.
type fact struct {
	name, value string
	hidden      bool
}

// factsOf are what a run computed, with what and where.
func factsOf(run results.Run) []fact {
	m := run.Manifest
	facts := []fact{{name: "profile", value: m.Profile}, {name: "repeats", value: fmt.Sprint(m.Repeats)}, {name: "seed", value: fmt.Sprint(m.Seed)}, {name: "filter", value: m.Filter}}
	for _, name := range variablesOf(run) {
		var values []float64
		for i := range run.Records {
			if v, has := run.Records[i].Point[name]; has {
				values = append(values, v)
			}
		}
		slices.Sort(values)
		values = slices.Compact(values)
		texts := lists.Map(values, format.Number)
		facts = append(facts, fact{name: name, value: plain.Some(texts, mostValues)})
	}
	for _, id := range slices.Sorted(maps.Keys(m.Datasets)) {
		facts = append(facts, fact{"data of " + id, m.Datasets[id].Fingerprint, true})
	}
	for _, id := range slices.Sorted(maps.Keys(m.Kernels)) {
		facts = append(facts, fact{name: "kernel " + id, value: m.Kernels[id]})
	}
	for _, of := range slices.Sorted(maps.Keys(m.Versions)) {
		facts = append(facts, fact{"version of " + of, m.Versions[of], of == "blas library"})
	}
	return append(facts, fact{name: "processor", value: fmt.Sprintf("%s, %s", m.Machine.CPU, plain.Count(m.Machine.Cores, "core"))})
}

// differences says in what runs differ, in a sentence; what one of them does not have is a
// dash. Of their specs it names the sections that differ.
func differences(runs []NamedRun) string {
	values, hidden, names := map[string][]string{}, map[string]bool{}, []string(nil)
	for i, r := range runs {
		for _, f := range factsOf(r.Run) {
			if values[f.name] == nil {
				names, values[f.name] = append(names, f.name), slices.Repeat([]string{format.None}, len(runs))
			}
			values[f.name][i], hidden[f.name] = f.value, f.hidden
		}
	}
	var said []string
	for _, name := range names {
		texts := values[name]
		if !slices.ContainsFunc(texts, func(text string) bool { return text != texts[0] }) {
			continue
		}
		text := page.Escape(name)
		if !hidden[name] && len(runs) <= mostValues {
			text += " (" + strings.Join(page.Escaped(texts), " / ") + ")"
		}
		said = append(said, text)
	}
	var sentences []string
	if len(said) > 0 {
		sentences = append(sentences, "The runs differ in "+format.Joined(said)+".")
	}
	if sections := specSections(runs); len(sections) > 0 {
		sentences = append(sentences, "Sections of the specs that differ: "+page.Codes(sections)+".")
	}
	return strings.Join(sentences, " ")
}

// specSections are the sections of the runs' specs that are not the same in all, but for
// texts.
func specSections(runs []NamedRun) []string {
	specs := make([]map[string]any, len(runs))
	differ := map[string]bool{}
	for i, r := range runs {
		if yaml.Unmarshal([]byte(r.Run.Manifest.Spec), &specs[i]) != nil {
			return nil
		}
		for _, one := range specs[:i+1] {
			for key := range one {
				differ[key] = differ[key] || !reflect.DeepEqual(specs[0][key], specs[i][key])
			}
		}
	}
	for _, text := range []string{"name", "title", "source", "question", "answer", "labels", "notes"} {
		delete(differ, text)
	}
	maps.DeleteFunc(differ, func(_ string, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(differ))
}

// NamedRun is a run with its verdicts, under the name that it has in a page of several.
type NamedRun struct {
	Name     string
	Run      results.Run
	Verdicts []claims.Verdict
}
