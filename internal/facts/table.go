package facts

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"mercer/configs"
	"mercer/internal/regular"
	"mercer/internal/theory"
	"mercer/results"
)

// Opened is a population that a source has opened.
type Opened struct {
	theory.Population
	Shared      bool // by all repeats
	Independent bool // samples are independent draws from it
}

// Source opens the population of a repeat of a data set under a kernel.
type Source func(dataset, kernel string, repeat int) (Opened, error)

// Table are the facts of a run's populations.
type Table struct {
	spec     *configs.Spec
	manifest results.Manifest
	source   Source
	entries  map[id]*Population
	lacks    bool
}

// id names a population; -1 stands for all repeats.
type id struct {
	dataset, kernel string
	repeat          int
}

// line is a population in the file.
type line struct {
	Dataset string `json:"dataset"`
	Kernel  string `json:"kernel"`
	Repeat  int    `json:"repeat"` // -1: all
	Key     string `json:"key"`
	Facts
}

// allRepeats is the repeat of a population that all repeats share.
const allRepeats = -1

// New is a table without facts. spec is that of the run under its profile.
func New(spec *configs.Spec, manifest results.Manifest) *Table {
	return &Table{spec: spec, manifest: manifest, entries: map[id]*Population{}}
}

// Load reads the facts that are stored in a run's folder, none where there is no file.
func Load(dir string, spec *configs.Spec, manifest results.Manifest) (*Table, error) {
	t := New(spec, manifest)
	return t, t.Add(dir)
}

// Add takes over the facts in another folder that are of this run's populations,
// and are not known yet.
func (t *Table) Add(dir string) error {
	path := filepath.Join(dir, results.PopulationsFile)
	file, _, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	for decoder := json.NewDecoder(file); ; {
		var l line
		if err := decoder.Decode(&l); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s is broken: %w; to write it again: mercer check --recompute", path, err)
		}
		if at := (id{l.Dataset, l.Kernel, l.Repeat}); t.entries[at] == nil && l.Key == t.key(l.Dataset, l.Kernel) {
			t.entries[at] = Of(l.Facts)
		}
	}
}

// Lacks says that a population was asked for that is not known.
func (t *Table) Lacks() bool { return t.lacks }

// Record has questions without an answer asked of a source, those that failed before too.
func (t *Table) Record(source Source) {
	t.source = source
	maps.DeleteFunc(t.entries, func(_ id, p *Population) bool { return p.facts.Failed[opening] != "" })
	for at, p := range t.entries {
		p.facts.Failed = nil
		p.source = func() (theory.Population, error) { return source(at.dataset, at.kernel, max(0, at.repeat)) }
	}
}

// At is the population of a repeat, the same value for all repeats that share it.
func (t *Table) At(dataset, kernel string, repeat int) *Population {
	for _, r := range []int{allRepeats, repeat} {
		if p := t.entries[id{dataset, kernel, r}]; p != nil {
			return p
		}
	}
	if t.source == nil {
		t.lacks = true
		return Unknown(errNotStored)
	}
	at := id{dataset, kernel, repeat}
	opened, err := t.source(dataset, kernel, repeat)
	if err != nil {
		t.entries[at] = Unknown(err)
		t.entries[at].facts.Kappa = 0 // NaN is no JSON
		return t.entries[at]
	}
	if opened.Shared {
		at.repeat = allRepeats
	}
	t.entries[at] = &Population{
		facts:  Facts{Name: opened.String(), Independent: opened.Independent, Kappa: opened.Kappa()},
		source: func() (theory.Population, error) { return t.source(dataset, kernel, repeat) },
	}
	return t.entries[at]
}

// Save stores the facts in a run's folder, in one step; a table without facts leaves
// no file.
func (t *Table) Save(dir string) error {
	if len(t.entries) == 0 {
		return nil
	}
	order := slices.SortedFunc(maps.Keys(t.entries), func(a, b id) int {
		return cmp.Or(cmp.Compare(a.dataset, b.dataset), cmp.Compare(a.kernel, b.kernel), a.repeat-b.repeat)
	})
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	for _, at := range order {
		if err := encoder.Encode(line{at.dataset, at.kernel, at.repeat, t.key(at.dataset, at.kernel), t.entries[at].facts}); err != nil {
			return fmt.Errorf("facts of %s: %w", at.dataset, err)
		}
	}
	return results.WriteAtomic(filepath.Join(dir, results.PopulationsFile), text.Bytes())
}

// key hashes all that determines a population in every repeat.
func (t *Table) key(dataset, kernel string) string {
	text, err := json.Marshal([]any{
		results.Measuring, t.spec.Seed, t.manifest.Datasets[dataset].Fingerprint,
		dataset, component(t.spec.Datasets, dataset), kernel, component(t.spec.Kernels, kernel),
	})
	if err != nil {
		panic(fmt.Sprintf("facts: key: %v", err)) // strings and a seed
	}
	hash := sha256.Sum256(text)
	return hex.EncodeToString(hash[:16])
}

// component writes one of a spec's components; empty for a kernel that the data set
// brings itself.
func component(list []configs.Component, id string) string {
	for _, c := range list {
		if c.ID == id {
			return c.Use.Value + " " + c.Params.Canonical()
		}
	}
	return ""
}
