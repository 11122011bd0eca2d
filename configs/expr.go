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

// Limits of one expression.
const (
	maxExpression = 500 // characters
	maxExprNodes  = 200
)

// Expression is a compiled expression: a real function of named real numbers,
// or a condition on them. It may be evaluated by several goroutines at once.
type Expression struct {
	text    string
	pos     Pos
	names   []string
	program *vm.Program
}

// Compile compiles a number or an expression over names. All arithmetic is in
// float64: 1/2 is 0.5. Besides + - * / and ^ (power; also **) there are
// comparisons, `and`, `or`, `not`, `a ? b : c` and the functions of
// FunctionNames. An unknown name is a Problem with the nearest name and the
// list of known ones.
func Compile(v Value, names []string) (*Expression, error) {
	tree, err := parseExpression(v)
	if err != nil {
		return nil, err
	}
	return compile(v, tree, names, expr.AsFloat64())
}

// CompileText is Compile for text without a place, such as "recon_h /
// recon_h_floor" over the names of metrics.
func CompileText(text string, names []string) (*Expression, error) {
	return Compile(Value{Text: text}, names)
}

// CompileBool compiles a condition over names, such as the skip of a grid.
func CompileBool(v Value, names []string) (*Expression, error) {
	tree, err := parseCondition(v)
	if err != nil {
		return nil, err
	}
	return compile(v, tree, names, expr.AsBool())
}

// Names lists the identifiers of an expression in alphabetical order; none when
// it cannot be parsed.
func Names(v Value) []string {
	tree, err := parseWith(v, conditionNodes)
	if err != nil {
		return nil
	}
	return identifiers(tree.Node)
}

// Eval compiles and evaluates v, for a value that is needed once.
func (v Value) Eval(env map[string]float64) (float64, error) {
	if x, ok := v.Number(); ok {
		return x, nil
	}
	e, err := Compile(v, slices.Sorted(maps.Keys(env)))
	if err != nil {
		return 0, err
	}
	return e.Eval(env)
}

// Eval is the value at env. A division by zero, a logarithm or root outside its
// domain and any other result that is not finite is an error, which quotes the
// expression and the values it used.
func (e *Expression) Eval(env map[string]float64) (float64, error) {
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
			return nil, e.fail(env, fmt.Sprintf("has no value for %q", name))
		}
	}
	out, err := expr.Run(e.program, env)
	if err != nil {
		return nil, e.fail(env, "cannot be computed: "+exprMessage(err))
	}
	return out, nil
}

// fail words an error of evaluation with the values that were used.
func (e *Expression) fail(env map[string]float64, what string) error {
	var with []string
	for _, name := range e.names {
		if x, ok := env[name]; ok {
			with = append(with, name+" = "+FormatNumber(x))
		}
	}
	msg := fmt.Sprintf("expression %s %s", quote(e.text), what)
	if len(with) > 0 {
		msg += ", with " + strings.Join(with, ", ")
	}
	return Errorf(e.pos, "%s", msg)
}

// parseExpression parses a real expression and checks that it keeps to the
// language of Compile.
func parseExpression(v Value) (*parser.Tree, error) { return parseWith(v, realNodes) }

// parseCondition is parseExpression for conditions.
func parseCondition(v Value) (*parser.Tree, error) { return parseWith(v, conditionNodes) }

// expr-lang reads // as a comment, so that n//2 would be n.
var (
	comment = regexp.MustCompile(`//|/\*`)
	quoted  = regexp.MustCompile("\"[^\"]*\"|'[^']*'|`[^`]*`")
)

func parseWith(v Value, allowed func(ast.Node) string) (tree *parser.Tree, err error) {
	defer func() {
		if r := recover(); r != nil {
			tree, err = nil, Errorf(v.Pos, "expression %s cannot be read: %v", quote(v.Text), r)
		}
	}()
	if utf8.RuneCountInString(v.Text) > maxExpression {
		return nil, Errorf(v.Pos, "expression %s has more than %d characters", quote(v.Text), maxExpression)
	}
	if comment.MatchString(quoted.ReplaceAllString(v.Text, "")) {
		return nil, Errorf(v.Pos, "expression %s: comments (// and /*) are not supported; for whole division write floor(a/b)", quote(v.Text))
	}
	config := conf.CreateNew()
	config.MaxNodes = maxExprNodes
	config.DisableIfOperator = true
	for name := range config.Builtins {
		config.Disabled[name] = true
	}
	tree, err = parser.ParseWithConfig(v.Text, config)
	if err != nil {
		return nil, Errorf(v.Pos, "expression %s: %s", quote(v.Text), exprMessage(err))
	}
	if reason := check(tree.Node, allowed); reason != "" {
		return nil, Errorf(v.Pos, "expression %s: %s", quote(v.Text), reason)
	}
	return tree, nil
}

// compile checks the names and makes the program.
func compile(v Value, tree *parser.Tree, names []string, as expr.Option) (*Expression, error) {
	used := identifiers(tree.Node)
	env := make(map[string]float64, len(names))
	for _, name := range names {
		env[name] = 1
	}
	var p Problems
	for _, name := range used {
		if _, ok := env[name]; !ok {
			p.Add(Errorf(v.Pos, "expression %s: %s", quote(v.Text), unknownName(name, names)))
		}
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	options := append([]expr.Option{expr.Env(env), as}, language()...)
	program, err := expr.Compile(v.Text, options...)
	if err != nil {
		return nil, Errorf(v.Pos, "expression %s: %s", quote(v.Text), exprMessage(err))
	}
	return &Expression{text: v.Text, pos: v.Pos, names: used, program: program}, nil
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
