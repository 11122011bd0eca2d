package configs

// Overlay is what a run profile changes in a spec. Of each list it keeps the ids
// given; nil keeps all.
type Overlay struct {
	Parameters map[string]Params `yaml:"parameters" names:"dataset" doc:"Parameters of datasets, by id: each key given replaces that of the dataset, with all that is in it."`
	Repeats    Repeats           `yaml:"repeats" doc:"Seeded draws of each cell."` // 0: as in the spec
	Grid       map[string]raw    `yaml:"grid" names:"variable" doc:"Variables that replace those of the same name."`
	Measure    Measures          `yaml:"measure" minlen:"1" unique:"true" item:"measure" doc:"Replaces the error measures."`
	Datasets   Words             `yaml:"datasets" names:"dataset" minlen:"1" unique:"true" doc:"Ids of the datasets that are kept."`
	Methods    Words             `yaml:"methods" names:"method" minlen:"1" unique:"true" doc:"Ids of the methods that are kept."`
	Claims     Words             `yaml:"claims" names:"claim" unique:"true" doc:"Ids of the claims and checks that are kept; an empty list leaves all of them out."`
	Plots      Words             `yaml:"plots" names:"plot" unique:"true" doc:"Ids of the plots that are kept; an empty list leaves all of them out."`
	Budgets    Words             `yaml:"budgets" names:"budget" unique:"true" doc:"Ids of the budgets that are kept; an empty list leaves all of them out."`
	Targets    Words             `yaml:"targets" names:"target" unique:"true" doc:"Ids of the targets that are kept; an empty list leaves all of them out."`
}

// raw is a value that is decoded where it comes to stand.
type raw struct{}

// DecodeNode takes any value.
func (raw) DecodeNode(*Node, *Decoder) {}
