package configs

import (
	"reflect"
	"slices"
)

// Overlay is what a run profile changes in a spec. Of each list it keeps the ids
// given; nil keeps all.
type Overlay struct {
	Profile    string    `yaml:"-"` // name of the run profile: smoke, ci, paper, timing
	Parameters changes   `yaml:"parameters" doc:"Parameters of datasets, by id: each key given replaces that of the dataset, with all that is in it."`
	Repeats    Repeats   `yaml:"repeats" doc:"Seeded draws of each cell."` // 0: as in the spec
	Grid       Variables `yaml:"grid" doc:"Variables that replace those of the same name."`
	Measure    Words     `yaml:"measure" minlen:"1" unique:"true" item:"measure" doc:"Replaces the error measures."`
	Datasets   Words     `yaml:"datasets" names:"dataset" minlen:"1" unique:"true" doc:"Ids of the datasets that are kept."`
	Methods    Words     `yaml:"methods" names:"method" minlen:"1" unique:"true" doc:"Ids of the methods that are kept."`
	Claims     Words     `yaml:"claims" names:"claim" unique:"true" doc:"Ids of the claims and checks that are kept; an empty list leaves all of them out."`
	Plots      Words     `yaml:"plots" names:"plot" unique:"true" doc:"Ids of the plots that are kept; an empty list leaves all of them out."`
	Budgets    Words     `yaml:"budgets" names:"budget" unique:"true" doc:"Ids of the budgets that are kept; an empty list leaves all of them out."`
	Targets    Words     `yaml:"targets" names:"target" unique:"true" doc:"Ids of the targets that are kept; an empty list leaves all of them out."`
	Pos        Pos       `yaml:"-"`
}

// Overlays is the `profiles` of a spec, written as a mapping from the name of a
// run profile to what it changes.
type Overlays []Overlay

// DecodeNode reads `profiles`.
func (o *Overlays) DecodeNode(n *Node, d *Decoder) {
	if !d.isMapping(n, "a mapping from profile name to changes") {
		return
	}
	for _, p := range n.Pairs {
		if !slices.Contains(ProfileNames(), p.Key) {
			d.add(p.At, "%s", Unknown("profile", p.Key, "", ProfileNames()))
		}
		overlay := Overlay{Profile: p.Key}
		d.as("profile "+quote(p.Key)).Decode(p.Value, &overlay)
		overlay.Pos = p.At
		*o = append(*o, overlay)
	}
}

// JSONSchema has a key for each run profile.
func (*Overlays) JSONSchema(reflect.StructTag) *JSONSchema {
	s := &JSONSchema{Type: "object", Additional: false}
	for _, name := range ProfileNames() {
		s.Properties.Set(name, objectSchema(reflect.TypeFor[Overlay](), reflect.Value{}))
	}
	return s
}

// changes are parameters of components, written as a mapping from id to the keys
// that change.
type changes struct{ node *Node }

// fixedKeys are those of a data set that no profile changes.
var fixedKeys = []string{"id", "use", "optional"}

// DecodeNode checks the form of the changes.
func (c *changes) DecodeNode(n *Node, d *Decoder) {
	if !d.isMapping(n, "a mapping from id to the keys that change") {
		return
	}
	c.node = n
	for _, change := range n.Pairs {
		d.lookup("dataset", Word{change.Key, change.At})
		inner := d.under(change.Key, "")
		if inner.isMapping(change.Value, "a mapping of keys to their new values") && len(change.Value.Pairs) == 0 {
			inner.Errorf(change.Value, "changes nothing; give a key with its new value")
		}
		for _, p := range change.Value.Pairs {
			if slices.Contains(fixedKeys, p.Key) {
				d.add(p.At, "%q cannot be changed by a profile; the data set stays what it is, and its parameters change", p.Key)
			}
		}
	}
}

func (*changes) JSONSchema(reflect.StructTag) *JSONSchema {
	keys := &JSONSchema{Type: "object", MinProperties: 1, PropertyNames: &JSONSchema{Not: &JSONSchema{Enum: fixedKeys}}}
	return &JSONSchema{Type: "object", PropertyNames: &JSONSchema{Pattern: idPattern}, Additional: keys}
}
