package facts

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

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

// Source opens a population in a repeat.
type Source func(population string, repeat int) (Opened, error)

// Table are the facts of a run's populations, by Row.Population: a hash of all that
// determines a population in every repeat.
type Table struct {
	source  Source
	entries map[id]*Population
	lacks   bool
}

// id names a population in a repeat; -1 stands for all repeats.
type id struct {
	population string
	repeat     int
}

// line is a population in the file.
type line struct {
	Population string `json:"population"`
	Repeat     int    `json:"repeat"` // -1: all
	Facts
}

// allRepeats is the repeat of a population that all repeats share.
const allRepeats = -1

// New is a table without facts.
func New() *Table { return &Table{entries: map[id]*Population{}} }

// Load reads the facts that are stored in a run's folder, none where there is no file.
func Load(dir string) (*Table, error) {
	t := New()
	return t, t.Add(dir)
}

// Add takes over the facts in another folder that are not known yet.
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
			return fmt.Errorf("%s is broken: %w; delete it and run the experiment again, which writes it", path, err)
		}
		if at := (id{l.Population, l.Repeat}); t.entries[at] == nil {
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
		p.source = func() (theory.Population, error) { return source(at.population, max(0, at.repeat)) }
	}
}

// At is a population in a repeat, the same value for all repeats that share it.
func (t *Table) At(population string, repeat int) *Population {
	for _, r := range []int{allRepeats, repeat} {
		if p := t.entries[id{population, r}]; p != nil {
			return p
		}
	}
	if t.source == nil {
		t.lacks = true
		return Unknown(errNotStored)
	}
	at := id{population, repeat}
	opened, err := t.source(population, repeat)
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
		source: func() (theory.Population, error) { return t.source(population, repeat) },
	}
	return t.entries[at]
}

// Save stores the facts in a run's folder, in one step; a table without facts leaves no
// file.
func (t *Table) Save(dir string) error {
	if len(t.entries) == 0 {
		return nil
	}
	order := slices.SortedFunc(maps.Keys(t.entries), func(a, b id) int {
		return cmp.Or(cmp.Compare(a.population, b.population), a.repeat-b.repeat)
	})
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	for _, at := range order {
		if err := encoder.Encode(line{at.population, at.repeat, t.entries[at].facts}); err != nil {
			return fmt.Errorf("facts of a population: %w", err)
		}
	}
	return results.WriteAtomic(filepath.Join(dir, results.PopulationsFile), text.Bytes())
}
