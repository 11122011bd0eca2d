package configs

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/parser"

	"mercer/internal/plain"
)

// Limits of one expression.
const (
	maxExpression = 500 // characters
	maxExprNodes  = 200 // parts
)

// expr-lang reads // as a comment, so that n//2 would be n.
var (
	comment = regexp.MustCompile(`//|/\*`)
	quoted  = regexp.MustCompile("\"[^\"]*\"|'[^']*'|`[^`]*`")
)

// functions are the functions of expressions; those of variadic take one argument or more.
var (
	functions = map[string]func(x []float64) float64{
		"ceil": of(math.Ceil), "floor": of(math.Floor), "round": of(math.Round), "sqrt": of(math.Sqrt), "log": of(math.Log),
		"log2": of(math.Log2), "exp": of(math.Exp), "abs": of(math.Abs), "min": slices.Min[[]float64], "max": slices.Max[[]float64],
	}
	variadic = []string{"min", "max"}
)

func of(f func(float64) float64) func([]float64) float64 {
	return func(x []float64) float64 { return f(x[0]) }
}

// functionNames lists the functions of expressions in alphabetical order.
func functionNames() []string {
	return slices.Sorted(maps.Keys(functions))
}

// Names of the functions that stand for / and ^ after patching; they cannot be
// written, since a variable's name begins with a letter.
const (
	divide = "__divide"
	power  = "__power"
)

// language is what a text may consist of, and the type of its value.
type language struct {
	allowed func(ast.Node) string // why a node has no place in it, "" where it has one
	as      expr.Option
}

var (
	ofNumbers    = language{realNodes, expr.AsFloat64()}
	ofConditions = language{conditionNodes, expr.AsBool()}
)

// config makes expr-lang compute in real numbers with the functions above and nothing else.
// Optimisation is off, so that an expression means the same whether its parts are constants or
// variables.
func (l language) config() *conf.Config {
	c := conf.CreateNew()
	for _, option := range []expr.Option{
		expr.DisableAllBuiltins(),
		expr.DisableIfOperator(),
		expr.MaxNodes(maxExprNodes),
		expr.Optimize(false),
		expr.Patch(realNumbers{}),
		expr.Function(divide, finite("/", func(x []float64) float64 { return x[0] / x[1] }), new(func(float64, float64) float64)),
		expr.Function(power, finite("^", func(x []float64) float64 { return math.Pow(x[0], x[1]) }), new(func(float64, float64) float64)),
		l.as,
	} {
		option(c)
	}
	for name, f := range functions {
		var signature any = new(func(float64) float64)
		if slices.Contains(variadic, name) {
			signature = new(func(float64, ...float64) float64)
		}
		expr.Function(name, finite(name, f), signature)(c)
	}
	c.Builtins = nil
	return c
}

// parse checks that a text keeps to the language; its error goes on where the text
// has been quoted.
func (l language) parse(text string, config *conf.Config) (tree *parser.Tree, err error) {
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
	tree, err = parser.ParseWithConfig(text, config)
	if err != nil {
		return nil, errors.New(": " + exprMessage(err))
	}
	for _, node := range slices.Backward(nodesOf(tree.Node)) { // the outermost first
		if reason := l.allowed(node); reason != "" {
			return nil, errors.New(": " + reason)
		}
	}
	return tree, nil
}

// finite adapts a function to expr-lang and makes a result that is not finite
// an error.
func finite(name string, f func([]float64) float64) func(...any) (any, error) {
	return func(arguments ...any) (any, error) {
		x := make([]float64, len(arguments))
		for i, a := range arguments {
			value, ok := a.(float64)
			if !ok {
				return nil, fmt.Errorf("%s needs numbers, found %v", name, a)
			}
			x[i] = value
		}
		y := f(x)
		if plain.Finite(y) {
			return y, nil
		}
		if len(name) == 1 { // an operator
			return nil, fmt.Errorf("%s %s %s is %v", plain.Number(x[0]), name, plain.Number(x[1]), y)
		}
		return nil, fmt.Errorf("%s(%s) is %v", name, plain.Number(x[0]), y)
	}
}

// realNumbers rewrites a tree: whole numbers become real ones, / and ^ become
// functions that refuse results that are not finite.
type realNumbers struct{}

func (realNumbers) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IntegerNode:
		ast.Patch(node, &ast.FloatNode{Value: float64(n.Value)})
	case *ast.BinaryNode:
		name, ok := map[string]string{"/": divide, "^": power, "**": power}[n.Operator]
		if ok {
			ast.Patch(node, &ast.CallNode{
				Callee:    &ast.IdentifierNode{Value: name},
				Arguments: []ast.Node{n.Left, n.Right},
			})
		}
	}
}

var operators = []string{"+", "-", "*", "/", "^", "**", "==", "!=", "<", ">", "<=", ">=", "and", "or", "&&", "||"}

// realNodes says why a node has no place in an expression, "" when it has one.
func realNodes(node ast.Node) string {
	switch n := node.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.ConditionalNode, *ast.UnaryNode:
		return ""
	case *ast.IdentifierNode:
		return checkName(n.Value)
	case *ast.BinaryNode:
		if slices.Contains(operators, n.Operator) {
			return ""
		}
		return fmt.Sprintf("operator %q is not supported", n.Operator)
	case *ast.CallNode:
		return checkCall(n)
	case *ast.StringNode:
		return fmt.Sprintf("the text %q has no place in an expression over numbers", n.Value)
	}
	return "only numbers, names, operators, comparisons and the functions of mercer are supported"
}

// conditionNodes are those of a condition, which has texts as well.
func conditionNodes(node ast.Node) string {
	switch n := node.(type) {
	case *ast.BoolNode, *ast.ArrayNode, *ast.StringNode:
		return ""
	case *ast.BinaryNode:
		if slices.Contains([]string{"in", "contains", "startsWith", "endsWith"}, n.Operator) {
			return ""
		}
	}
	return realNodes(node)
}

// namePattern is what an identifier may be, with the names of metrics.
var namePattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

func checkName(name string) string {
	if _, isFunction := functions[name]; isFunction {
		return fmt.Sprintf("%s is a function; write %s(...)", name, name)
	}
	if !namePattern.MatchString(name) {
		return fmt.Sprintf("%q is not a name", name)
	}
	return ""
}

func checkCall(n *ast.CallNode) string {
	callee, ok := n.Callee.(*ast.IdentifierNode)
	if !ok {
		return "only named functions can be called"
	}
	switch count := len(n.Arguments); {
	case functions[callee.Value] == nil:
		return Unknown("function", callee.Value, "", functionNames())
	case count != 1 && !slices.Contains(variadic, callee.Value):
		return fmt.Sprintf("%s needs 1 argument, found %d", callee.Value, count)
	}
	return ""
}

// walker lists the nodes of a tree, each after its parts, but for the names of called
// functions.
type walker []ast.Node

func (w *walker) Visit(node *ast.Node) {
	if call, ok := (*node).(*ast.CallNode); ok {
		*w = slices.DeleteFunc(*w, func(n ast.Node) bool { return n == call.Callee })
	}
	*w = append(*w, *node)
}

func nodesOf(root ast.Node) (w walker) {
	ast.Walk(&root, &w)
	return w
}

// identifiers lists the names that a tree uses, in alphabetical order.
func identifiers(root ast.Node) []string {
	var names []string
	for _, node := range nodesOf(root) {
		if id, ok := node.(*ast.IdentifierNode); ok {
			names = append(names, id.Value)
		}
	}
	return union(names, nil)
}
