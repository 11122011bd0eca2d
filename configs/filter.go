package configs

import (
	"maps"
	"slices"
)

// Filter is a condition over numbers and texts, such as
//
//	dataset == "poly2" && n <= 1000 && method in ["nystrom", "rff"]
//
// Besides the language of expressions there are `in [...]`, `contains`, `startsWith` and
// `endsWith`.
type Filter struct {
	Text string
	Pos  Pos

	made *program
}

// CompileFilter compiles a filter over columns, which are numbers or texts.
func CompileFilter(text string, columns map[string]Kind) (Filter, error) {
	f := Filter{Text: text, made: compile(text, Pos{}, ofConditions, columns, slices.Sorted(maps.Keys(columns)))}
	return f, f.made.err
}

// Names lists the identifiers that the filter uses.
func (f Filter) Names() []string { return f.made.names }

// Match is the truth of the filter at env, which must have the names that it uses.
func (f Filter) Match(env Env) (bool, error) {
	out, err := f.made.run(env)
	yes, _ := out.(bool) // it is compiled as a condition
	return yes, err
}
