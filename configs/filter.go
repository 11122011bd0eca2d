package configs

import (
	"fmt"
	"maps"
	"slices"

	"github.com/expr-lang/expr"
)

// Filter is a compiled condition over text and numbers, such as
//
//	dataset == "poly2" && n <= 1000 && method in ["nystrom", "rff"]
type Filter struct{ expression *Expression }

// CompileFilter compiles a filter. The entries of env are the known names, each
// with a value of its type (text, a number or a bool; the value itself does not
// matter). Besides the language of expressions there are `in [...]`, `contains`,
// `startsWith` and `endsWith`.
func CompileFilter(text string, env map[string]any) (*Filter, error) {
	types, err := reals(env, slices.Collect(maps.Keys(env)))
	if err != nil {
		return nil, err
	}
	e, err := compile(&Expression{what: "filter", text: text}, filterNodes, types, expr.AsBool())
	return &Filter{e}, err
}

// Names lists the identifiers that the filter uses.
func (f *Filter) Names() []string { return f.expression.names }

// Match is the truth of the filter at env, which must have the names that it
// uses, with values of the types given to CompileFilter.
func (f *Filter) Match(env map[string]any) (bool, error) {
	values, err := reals(env, f.Names())
	if err != nil {
		return false, f.expression.problem(err.Error())
	}
	out, err := expr.Run(f.expression.program, values)
	if err != nil {
		return false, f.expression.problem(exprMessage(err))
	}
	yes, _ := out.(bool) // expr.AsBool has seen to it
	return yes, nil
}

// reals copies the named entries of env with every number as a float64.
func reals(env map[string]any, names []string) (map[string]any, error) {
	out := make(map[string]any, len(names))
	for _, name := range names {
		switch x := env[name].(type) {
		case string, bool, float64:
			out[name] = x
		case int:
			out[name] = float64(x)
		case nil:
			return nil, fmt.Errorf("no value for %q", name)
		default:
			return nil, fmt.Errorf("%q is a %T, not text, a number or a bool", name, x)
		}
	}
	return out, nil
}
