package configs

import (
	"errors"
	"fmt"
	"maps"
	"math"
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
)

// maxExpression is the most characters of one expression.
const maxExpression = 500

// Expression is a compiled expression: a number, a real function of named real
// numbers, or a condition on them. All arithmetic is in float64: 1/2 is 0.5. Besides
// + - * / and ^ (power; also **) there are comparisons, `and`, `or`, `not`,
// `a ? b : c` and the functions of FunctionNames. It may be evaluated by several
// goroutines at once.
type Expression struct {
	what    string // expression or filter
	text    string
	pos     Pos
	names   []string
	number  float64     // of an expression that is a plain number
	program *vm.Program // nil for a plain number
}

// Names lists the identifiers of the expression in alphabetical order.
func (e *Expression) Names() []string { return e.names }

// Check reports each name that is not one of known, with the nearest one and the
// list of all.
func (e *Expression) Check(known []string) error {
	var p Problems
	for _, name := range e.names {
		if !slices.Contains(known, name) {
			p.Add(e.problem(unknownName(name, known)))
		}
	}
	return p.Err()
}

// Eval is the value at env. A division by zero, a logarithm or root outside its
// domain and any other result that is not finite is an error, which quotes the
// expression and the values it used.
func (e *Expression) Eval(env map[string]float64) (float64, error) {
	if e.program == nil {
		return e.number, nil
	}
	out, err := e.run(env)
	if err != nil {
		return 0, err
	}
	x, ok := out.(float64)
	if !ok {
		return 0, e.fail(env, fmt.Sprintf("is %v, not a number", out))
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, e.fail(env, fmt.Sprintf("is %v", x))
	}
	return x + 0, nil
}

// EvalBool is the truth of a condition at env; errors are those of Eval.
func (e *Expression) EvalBool(env map[string]float64) (bool, error) {
	out, err := e.run(env)
	if err != nil {
		return false, err
	}
	yes, ok := out.(bool)
	if !ok {
		return false, e.fail(env, fmt.Sprintf("is %v, not true or false", out))
	}
	return yes, nil
}

func (e *Expression) run(env map[string]float64) (any, error) {
	for _, name := range e.names {
		if _, ok := env[name]; !ok {
			return nil, e.Check(slices.Sorted(maps.Keys(env)))
		}
	}
	out, err := expr.Run(e.program, env)
	if err != nil {
		return nil, e.fail(env, "cannot be computed: "+exprMessage(err))
	}
	return out, nil
}

func (e *Expression) problem(what string) error {
	return Errorf(e.pos, "%s %s: %s", e.what, quote(e.text), what)
}

// fail words an error of evaluation with the values that were used.
func (e *Expression) fail(env map[string]float64, what string) error {
	var with []string
	for _, name := range e.names {
		with = append(with, name+" = "+FormatNumber(env[name]))
	}
	msg := fmt.Sprintf("%s %s %s", e.what, quote(e.text), what)
	if len(with) > 0 {
		msg += ", with " + strings.Join(with, ", ")
	}
	return Errorf(e.pos, "%s", msg)
}

// compileReal compiles an expression whose value is a number; any name may be one.
func compileReal(text string, pos Pos) (*Expression, error) {
	return compile(&Expression{what: "expression", text: text, pos: pos}, realNodes, nil, expr.AsFloat64())
}

// compileCondition compiles a condition over numbers, such as the skip of a grid.
func compileCondition(text string, pos Pos) (*Expression, error) {
	return compile(&Expression{what: "expression", text: text, pos: pos}, conditionNodes, nil, expr.AsBool())
}

// compile makes the program. The entries of types are the known names, each with a
// value of its type; nil takes any name for that of a number.
func compile(e *Expression, allowed func(ast.Node) string, types map[string]any, as expr.Option) (*Expression, error) {
	tree, err := parse(e.text, allowed)
	if err != nil {
		return nil, Errorf(e.pos, "expression %s%s", quote(e.text), err)
	}
	e.names = identifiers(tree.Node)
	var env any = types
	if types == nil {
		numbers := map[string]float64{}
		for _, name := range e.names {
			numbers[name] = 1
		}
		env = numbers
	} else if err := e.Check(slices.Sorted(maps.Keys(types))); err != nil {
		return nil, err
	}
	e.program, err = expr.Compile(e.text, append(language(), expr.Env(env), as)...)
	if err != nil {
		return nil, e.problem(exprMessage(err))
	}
	return e, nil
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
