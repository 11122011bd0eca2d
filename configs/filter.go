package configs

import (
	"fmt"

	"github.com/expr-lang/expr"
)

// Filter is a compiled condition over text and numbers, such as
//
//	dataset == "poly2" && n <= 1000 && method in ["nystrom", "rff"]
type Filter struct{ condition Value }

// CompileFilter compiles a filter. The entries of env are the known names, each
// with a value of its type (text, a float64 or a bool; the value itself does not
// matter). Besides the language of expressions there are `in [...]`, `contains`,
// `startsWith` and `endsWith`.
func CompileFilter(text string, env map[string]any) (*Filter, error) {
	v := Value{Text: text}
	v.made = compile(v, "filter", filterNodes, env, expr.AsBool())
	return &Filter{v}, v.Err()
}

// Names lists the identifiers that the filter uses.
func (f *Filter) Names() []string { return f.condition.Names() }

// Match is the truth of the filter at env, which must have the names that it
// uses, with values of the types given to CompileFilter.
func (f *Filter) Match(env map[string]any) (bool, error) {
	for _, name := range f.Names() {
		if env[name] == nil {
			return false, f.condition.problem("filter", fmt.Sprintf("no value for %q", name))
		}
	}
	out, err := expr.Run(f.condition.made.code, env)
	if err != nil {
		return false, f.condition.problem("filter", exprMessage(err))
	}
	yes, _ := out.(bool) // expr.AsBool has seen to it
	return yes, nil
}
