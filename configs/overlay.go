package configs

import (
	"reflect"
	"slices"

	"gopkg.in/yaml.v3"
)

// Overlays is the `profiles` of a spec, written as a mapping from the name of a
// run profile to what it changes.
type Overlays []Overlay

// Changes are parameters of components, written as a mapping from id to the keys
// that change.
type Changes []Change

// Change is what changes in the component of an id.
type Change struct {
	ID     Word
	Params Params // replace those of the same keys, or are added
}

// Overlay is what a run profile changes in a spec. Of each list it keeps the ids
// given; nil keeps all.
type Overlay struct {
	Profile    string    `yaml:"-"` // name of the run profile: smoke, ci, paper, timing
	Parameters Changes   `yaml:"parameters" doc:"Parameters of datasets, by id: each key given replaces that of the dataset, with all that is in it."`
	Repeats    Repeats   `yaml:"repeats" doc:"Seeded draws of each cell."` // 0: as in the spec
	Grid       Variables `yaml:"grid" doc:"Variables that replace those of the same name."`
	Measure    Words     `yaml:"measure" minlen:"1" unique:"true" item:"measure" doc:"Replaces the error measures."`
	Datasets   Words     `yaml:"datasets" minlen:"1" unique:"true" doc:"Ids of the datasets that are kept."`
	Methods    Words     `yaml:"methods" minlen:"1" unique:"true" doc:"Ids of the methods that are kept."`
	Claims     Words     `yaml:"claims" unique:"true" doc:"Ids of the claims and checks that are kept; an empty list leaves all of them out."`
	Plots      Words     `yaml:"plots" unique:"true" doc:"Ids of the plots that are kept; an empty list leaves all of them out."`
	Budgets    Words     `yaml:"budgets" unique:"true" doc:"Ids of the budgets that are kept; an empty list leaves all of them out."`
	Targets    Words     `yaml:"targets" unique:"true" doc:"Ids of the targets that are kept; an empty list leaves all of them out."`
	Pos        Pos       `yaml:"-"`
}

// decodeNode reads `profiles`: a mapping from profile name to overlay.
func (o *Overlays) decodeNode(d *decoder, n *yaml.Node, at place) {
	if !d.isMapping(n, at, "a mapping from profile name to changes") {
		return
	}
	for key, value := range pairs(n) {
		overlay := Overlay{Profile: key.Value}
		if !slices.Contains(ProfileNames(), key.Value) {
			d.add(key, "%s", Unknown("profile", key.Value, "", ProfileNames()))
		}
		d.decode(value, reflect.ValueOf(&overlay).Elem(), place{label: "profile " + quote(key.Value)})
		overlay.Pos = d.pos(key)
		*o = append(*o, overlay)
	}
}

// fixedKeys are those of a data set that no profile changes.
var fixedKeys = []string{"id", "use", "optional"}

// decodeNode reads the components that an overlay changes.
func (cs *Changes) decodeNode(d *decoder, n *yaml.Node, at place) {
	if !d.isMapping(n, at, "a mapping from id to the keys that change") {
		return
	}
	*cs = Changes{}
	for id, keys := range pairs(n) {
		inner := at.under(id.Value, "")
		if !d.isMapping(keys, inner, "a mapping of keys to their new values") {
			continue
		}
		if len(keys.Content) == 0 {
			d.add(keys, "%s changes nothing; give a key with its new value", inner.label)
		}
		for key := range pairs(keys) {
			if slices.Contains(fixedKeys, key.Value) {
				d.add(key, "%q cannot be changed by a profile; the data set stays what it is, and its parameters change", key.Value)
			}
		}
		*cs = append(*cs, Change{Word{id.Value, d.pos(id)}, Params{owner: inner.label, pos: d.pos(keys), pairs: keys.Content}})
	}
}

func (*Changes) schema(reflect.StructTag) *JSONSchema {
	fixed := &JSONSchema{Enum: fixedKeys}
	keys := &JSONSchema{Type: "object", MinProperties: 1, PropertyNames: &JSONSchema{Not: fixed}}
	return &JSONSchema{Type: "object", PropertyNames: &JSONSchema{Pattern: idPattern.String()}, Additional: keys}
}

func (*Overlays) schema(_ reflect.StructTag) *JSONSchema {
	s := &JSONSchema{Type: "object", Additional: false}
	for _, name := range ProfileNames() {
		s.Properties.Set(name, objectSchema(reflect.TypeFor[Overlay](), reflect.Value{}))
	}
	return s
}
