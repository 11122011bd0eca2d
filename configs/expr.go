package configs

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"

	"mercer/internal/lists"
	"mercer/internal/plain"
)

// maxExpression is the most characters of one expression.
const maxExpression = 500

// Value is a number or an expression: a real function of named real numbers, such as
// grid variables and constants of a dataset, or a condition on them. All arithmetic is
// in float64: 1/2 is 0.5. Besides + - * / and ^ (power; also **) there are comparisons,
// `and`, `or`, `not`, `a ? b : c` and the functions of functionNames. It may be
// evaluated by several goroutines at once.
type Value struct {
	Text string // as written: "250", "min(n, ceil(n^theta * log(n)))"
	Pos  Pos

	made *program // nil for a Value that comes from no spec, which is compiled when it is used
}

// program is a compiled text.
type program struct {
	names  []string // identifiers, in alphabetical order
	number float64  // of a plain number
	code   *vm.Program
	err    error // why the text does not compile
}

func (v Value) program() *program {
	if v.made != nil {
		return v.made
	}
	if x, ok := parseNumber(v.Text); ok {
		return &program{number: x}
	}
	return compile(v, "expression", realNodes, nil, expr.AsFloat64())
}

// Err says why the text is no expression; nil where it is one.
func (v Value) Err() error { return v.program().err }

// Number is the value of a plain number; false for an expression.
func (v Value) Number() (float64, bool) {
	p := v.program()
	return p.number, p.code == nil && p.err == nil
}

// Names lists the identifiers of the expression in alphabetical order; none when it
// does not compile.
func (v Value) Names() []string { return v.program().names }

// Check reports each name that is not one of known, with the nearest one and the
// list of all.
func (v Value) Check(known []string) error {
	var p Problems
	p.Add(v.Err())
	for _, name := range v.Names() {
		if !slices.Contains(known, name) {
			p.Add(v.problem("expression", unknownName(name, known)))
		}
	}
	return p.Err()
}

// Eval is the value at env. A division by zero, a logarithm or root outside its
// domain and any other result that is not finite is an error, which quotes the
// expression and the values it used.
func (v Value) Eval(env map[string]float64) (float64, error) {
	if x, ok := v.Number(); ok {
		return x, nil
	}
	out, err := v.run(env)
	if err != nil {
		return 0, err
	}
	x, ok := out.(float64)
	if !ok || !plain.Finite(x) {
		return 0, v.fail(env, fmt.Sprintf("is %v", out))
	}
	return x + 0, nil
}

// EvalBool is the truth of a condition at env; errors are those of Eval.
func (v Value) EvalBool(env map[string]float64) (bool, error) {
	out, err := v.run(env)
	yes, _ := out.(bool) // a condition's, as compiled
	return yes, err
}

func (v Value) run(env map[string]float64) (any, error) {
	p := v.program()
	missing := func(name string) bool { _, ok := env[name]; return !ok }
	if p.err != nil || slices.ContainsFunc(p.names, missing) {
		return nil, v.Check(slices.Sorted(maps.Keys(env)))
	}
	out, err := expr.Run(p.code, env)
	if err != nil {
		return nil, v.fail(env, "cannot be computed: "+exprMessage(err))
	}
	return out, nil
}

func (v Value) problem(what, message string) error {
	return Errorf(v.Pos, "%s %s: %s", what, quote(v.Text), message)
}

// fail words an error of evaluation with the values that were used.
func (v Value) fail(env map[string]float64, what string) error {
	msg := fmt.Sprintf("expression %s %s", quote(v.Text), what)
	if names := v.Names(); len(names) > 0 {
		msg += ", with " + formatPoint(names, env)
	}
	return Errorf(v.Pos, "%s", msg)
}

// compile makes the program. The entries of types are the known names, each with a
// value of its type; nil takes any name for that of a number.
func compile(v Value, what string, allowed func(ast.Node) string, types map[string]any, as expr.Option) *program {
	tree, err := parse(v.Text, allowed)
	if err != nil {
		return &program{err: Errorf(v.Pos, "expression %s%s", quote(v.Text), err)}
	}
	p := &program{names: identifiers(tree.Node)}
	var env any = types
	if types == nil {
		numbers := map[string]float64{}
		for _, name := range p.names {
			numbers[name] = 1
		}
		env = numbers
	}
	for _, name := range p.names {
		if _, known := types[name]; !known && types != nil {
			p.err = v.problem(what, unknownName(name, slices.Sorted(maps.Keys(types))))
			return p
		}
	}
	p.code, err = expr.Compile(v.Text, append(language(), expr.Env(env), as)...)
	if err != nil {
		p.err = v.problem(what, exprMessage(err))
	}
	return p
}

// formatPoint writes a point as n = 60, m = 20.
func formatPoint(names []string, point map[string]float64) string {
	return strings.Join(lists.Map(names, func(name string) string { return name + " = " + plain.Number(point[name]) }), ", ")
}

// expr-lang reads // as a comment, so that n//2 would be n.
var (
	comment = regexp.MustCompile(`//|/\*`)
	quoted  = regexp.MustCompile("\"[^\"]*\"|'[^']*'|`[^`]*`")
)

// parse checks that a text keeps to the language; its error goes on where the text
// has been quoted.
func parse(text string, allowed func(ast.Node) string) (tree *parser.Tree, err error) {
	defer func() {
		if r := recover(); r != nil {
			tree, err = nil, fmt.Errorf(" cannot be read: %v", r)
		}
	}()
	if utf8.RuneCountInString(text) > maxExpression {
		return nil, fmt.Errorf(" has more than %d characters", maxExpression)
	}
	if comment.MatchString(quoted.ReplaceAllString(text, "")) {
		return nil, errors.New(": comments (// and /*) are not supported; for whole division write floor(a/b)")
	}
	config := conf.CreateNew()
	for _, option := range language() {
		option(config)
	}
	tree, err = parser.ParseWithConfig(text, config)
	if err != nil {
		return nil, errors.New(": " + exprMessage(err))
	}
	if reason := check(tree.Node, allowed); reason != "" {
		return nil, errors.New(": " + reason)
	}
	return tree, nil
}

// unknownName is Unknown, with the list of names in any case: in an expression
// the right one is often not the nearest.
func unknownName(name string, names []string) string {
	msg := Unknown("name", name, "", names)
	if Nearest(name, names) == "" {
		return msg
	}
	return msg + " Known: " + listed(names)
}

// exprMessage is the message of an error of expr-lang without its drawing.
func exprMessage(err error) string {
	var located *file.Error
	if errors.As(err, &located) {
		if located.Prev != nil {
			return located.Prev.Error()
		}
		msg := strings.TrimSpace(located.Message)
		if located.Column > 0 {
			msg += fmt.Sprintf(" at character %d", located.Column+1)
		}
		return msg
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}
