package configs

import (
	"fmt"
	"maps"
	"slices"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
)

// Filter is a compiled condition over text and numbers, such as
//
//	dataset == "poly2" && n <= 1000 && method in ["nystrom", "rff"]
type Filter struct {
	text    string
	names   []string
	program *vm.Program
}

// CompileFilter compiles a filter. The entries of env are the known names, each
// with a value of its type (text, a number or a bool; the value itself does not
// matter). Besides the language of Compile there are `in [...]`, `contains`,
// `startsWith` and `endsWith`.
func CompileFilter(text string, env map[string]any) (*Filter, error) {
	tree, err := parseWith(Value{Text: text}, filterNodes)
	if err != nil {
		return nil, err
	}
	used := identifiers(tree.Node)
	known := slices.Sorted(maps.Keys(env))
	for _, name := range used {
		if _, ok := env[name]; !ok {
			return nil, Errorf(Pos{}, "filter %s: %s", quote(text), unknownName(name, known))
		}
	}
	types, err := reals(env, known)
	if err != nil {
		return nil, err
	}
	program, err := expr.Compile(text, append([]expr.Option{expr.Env(types), expr.AsBool()}, language()...)...)
	if err != nil {
		return nil, Errorf(Pos{}, "filter %s: %s", quote(text), exprMessage(err))
	}
	return &Filter{text: text, names: used, program: program}, nil
}

// Names lists the identifiers that the filter uses.
func (f *Filter) Names() []string { return slices.Clone(f.names) }

// Match is the truth of the filter at env, which must have the names that it
// uses, with values of the types given to CompileFilter.
func (f *Filter) Match(env map[string]any) (bool, error) {
	values, err := reals(env, f.names)
	if err != nil {
		return false, fmt.Errorf("filter %s: %w", quote(f.text), err)
	}
	out, err := expr.Run(f.program, values)
	if err != nil {
		return false, fmt.Errorf("filter %s: %s", quote(f.text), exprMessage(err))
	}
	yes, ok := out.(bool)
	if !ok {
		return false, fmt.Errorf("filter %s is %v, not true or false", quote(f.text), out)
	}
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
		case int64:
			out[name] = float64(x)
		case uint64:
			out[name] = float64(x)
		case nil:
			return nil, fmt.Errorf("no value for %q", name)
		default:
			return nil, fmt.Errorf("%q is a %T, not text, a number or a bool", name, x)
		}
	}
	return out, nil
}
