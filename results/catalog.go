package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"

	"mercer/configs"
	"mercer/internal/regular"
)

// SpecFile holds what was run: the resolved spec and its Catalog.
const SpecFile = "spec.json"

// Catalog is what the registries know of the names in a run, so that whoever reads the run
// needs no registry.
type Catalog struct {
	Columns     []Column              `json:"columns"` // of the table but the repeat: dataset, kernel, method, then variables and sizes in the order of the grid
	Methods     map[string]MethodInfo `json:"methods"` // by id
	Metrics     map[string]MetricInfo `json:"metrics"`
	Measures    map[string][]string   `json:"measures"`         // the metrics of each, in its order
	Populations map[string]Population `json:"populations"`      // by Row.Population
	Absent      map[string]string     `json:"absent,omitempty"` // data sets that could not be read or fetched, and why: their rows are skipped
	Cells       []Key                 `json:"cells,omitempty"`  // of the whole grid, where targets are sought in it
}

// Column is one column of the table.
type Column struct {
	Name  string   `json:"name"`
	Texts []string `json:"texts,omitempty"` // the values of a text column, in the order of the spec
	Free  bool     `json:"free,omitempty"`  // an axis of the grid, not derived from others
}

// MethodInfo is what the registry knows of a method of the spec.
type MethodInfo struct {
	Use     string   `json:"use"`
	Label   string   `json:"label,omitempty"`
	Uses    []string `json:"uses"` // sizes
	Version string   `json:"version"`
	// Another says that the id is the name of another registered method: {id: rff, use: rff-embedding}.
	Another bool `json:"another,omitempty"`
}

// MetricInfo is what the registry knows of a metric.
type MetricInfo struct {
	Label  string   `json:"label,omitempty"`
	Unit   string   `json:"unit,omitempty"`
	Better string   `json:"better,omitempty"` // less, more; "" for what describes and does not judge
	Least  *float64 `json:"least,omitempty"`  // that it can be
	Most   *float64 `json:"most,omitempty"`
	// Cancels says that it is a small difference of large numbers, Steps that rounding may
	// tip it from one value to another.
	Cancels bool `json:"cancels,omitempty"`
	Steps   bool `json:"steps,omitempty"`
	// Part says that it is a part of a cost, which methods divide each in its own way: values
	// of two methods are not held against each other.
	Part bool `json:"part,omitempty"`
}

// Clip is the interval of a mean within what the metric can be; an end beyond which the mean
// itself lies, of values that are none of the metric, is left.
func (m MetricInfo) Clip(low, mean, high float64) (float64, float64) {
	if m.Least != nil && mean >= *m.Least {
		low = max(low, *m.Least)
	}
	if m.Most != nil && mean <= *m.Most {
		high = min(high, *m.Most)
	}
	return low, high
}

// Population is a data set with its parameters under a kernel: what errors are measured
// against.
type Population struct {
	Dataset     string             `json:"dataset"`
	Describe    string             `json:"describe"` // the data set in a line
	Kernel      string             `json:"kernel"`   // its resolved form, with its bandwidth
	Constants   map[string]float64 `json:"constants,omitempty"`
	Fingerprint string             `json:"fingerprint"` // hash of the data
	// Resampled says that repeats are splits of the same points.
	Resampled bool `json:"resampled,omitempty"`
}

// Constants are those that all populations of a data set have in common.
func (c Catalog) Constants(dataset string) map[string]float64 {
	var common map[string]float64
	for _, p := range c.Populations {
		if p.Dataset != dataset {
			continue
		}
		if common == nil {
			common = maps.Clone(p.Constants)
		}
		maps.DeleteFunc(common, func(name string, x float64) bool { y, has := p.Constants[name]; return !has || x != y })
	}
	return common
}

// specFile is the text of SpecFile.
type specFile struct {
	Schema  int           `json:"schema"`
	Spec    *configs.Node `json:"spec"`
	Catalog Catalog       `json:"catalog"`
}

// WriteSpec writes a run's SpecFile in one step, and returns its text, of which the
// manifest has the hash.
func WriteSpec(dir string, spec *configs.Spec, catalog Catalog) ([]byte, error) {
	return writeJSON(dir, SpecFile, specFile{SchemaVersion, spec.Tree, catalog}, " ", func(text []byte) []byte { return text })
}

// readSpec reads a run's SpecFile, whose hash the manifest has.
func readSpec(dir, sum string) (*configs.Spec, Catalog, error) {
	path := filepath.Join(dir, SpecFile)
	text, err := regular.ReadFile(path)
	if err != nil {
		return nil, Catalog{}, fmt.Errorf("results: %w", err)
	}
	if hashOf(text) != sum {
		return nil, Catalog{}, fmt.Errorf("results: %s is not the file that the run has written: its hash is not the manifest's; put it back, or run the experiment again", path)
	}
	var file struct {
		Schema  int             `json:"schema"`
		Spec    json.RawMessage `json:"spec"`
		Catalog Catalog         `json:"catalog"`
	}
	err = json.Unmarshal(text, &file)
	if err == nil {
		err = checkSchema(file.Schema)
	}
	var tree *configs.Node
	if err == nil {
		tree, err = configs.FromJSON(path, file.Spec)
	}
	var spec *configs.Spec
	if err == nil {
		spec, err = configs.Decode(tree)
	}
	if err != nil {
		return nil, Catalog{}, errors.Join(fmt.Errorf("results: %s is broken; run the experiment again", path), err)
	}
	return spec, file.Catalog, nil
}
