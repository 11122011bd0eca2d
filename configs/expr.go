package configs

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"unicode/utf8"

	"mercer/internal/lists"
	"mercer/internal/plain"
)

// program is a compiled text.
type program struct {
	names []string // in alphabetical order; of a text that does not compile, those before the mistake
	term  term
	err   error // why the text does not compile
}

// term is a part of an expression: the kind of its values (Number, Text or Bool), and how they are computed.
type term struct {
	kind Kind
	eval func(Env) any // a float64, a string or a bool; it panics with a fault
	name string        // "" for all but a name
}

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
func functionNames() []string { return slices.Sorted(maps.Keys(functions)) }

// compile reads a text whose value is of a kind. Its names are texts where columns call them so, else
// numbers.
func compile(text string, kind Kind, columns map[string]Kind) (made *program) {
	p := &parser{text: text, columns: columns, names: map[string]bool{}}
	made = &program{}
	defer recovered(&made.err)
	defer func() { made.names = slices.Sorted(maps.Keys(p.names)) }()
	if utf8.RuneCountInString(text) > maxExpression {
		fail("it has more than %d characters", maxExpression)
	}
	p.advance()
	made.term = p.choice()
	if p.word != "" {
		p.unexpected()
	}
	made.term.needs(kind, "this place")
	return made
}

// run evaluates a program.
func (p *program) run(env Env) (out any, err error) {
	if p.err != nil {
		return nil, p.err
	}
	defer recovered(&err)
	return p.term.eval(env), nil
}

// fault is what a parser or a term panics with.
type fault string

func (f fault) Error() string { return string(f) }

func fail(format string, args ...any) { panic(fault(fmt.Sprintf(format, args...))) }

// recovered makes a fault an error.
func recovered(err *error) {
	switch v := recover().(type) {
	case nil:
	case fault:
		*err = v
	default:
		panic(v)
	}
}

// needs refuses a term of another kind as a part of what.
func (t term) needs(kind Kind, what string) {
	if t.kind != kind {
		names := map[Kind]string{Number: "a number", Text: "a text", Bool: "a condition"}
		found := names[t.kind]
		if t.name != "" {
			found += " (" + t.name + ")"
		}
		fail("%s needs %s, found %s", what, names[kind], found)
	}
}

// literal is a term that always has the same value.
func literal(kind Kind, value any) term {
	return term{kind: kind, eval: func(Env) any { return value }}
}

// named is the value of a name.
func named(name string, kind Kind) term {
	return term{name: name, kind: kind, eval: func(env Env) any {
		switch value := env[name]; value.Kind {
		case Number:
			return value.Number
		case Text:
			return value.Text
		}
		panic(fault(Unknown("name", name, "", env.names())))
	}}
}

// called is the value of a function.
func called(name string, arguments []term) term {
	switch {
	case functions[name] == nil:
		fail("%s", Unknown("function", name, "", functionNames()))
	case len(arguments) != 1 && (len(arguments) == 0 || !slices.Contains(variadic, name)):
		fail("%s needs 1 argument, found %d", name, len(arguments))
	}
	for _, argument := range arguments {
		argument.needs(Number, name)
	}
	return term{kind: Number, eval: func(env Env) any {
		x := lists.Map(arguments, func(argument term) float64 { return argument.eval(env).(float64) })
		y := functions[name](x)
		if !plain.Finite(y) {
			fail("%s(%s) is %v", name, plain.Number(x[0]), y)
		}
		return y
	}}
}

// joined is the value of an operator between two terms.
func joined(operator string, a, b term) term {
	of, gives := Number, Number
	switch operator {
	case "or", "||", "and", "&&":
		of, gives = Bool, Bool
	case "==", "!=":
		of, gives = a.kind, Bool
	case "<", "<=", ">", ">=":
		gives = Bool
	}
	a.needs(of, operator)
	b.needs(of, operator)
	return term{kind: gives, eval: func(env Env) any {
		x := a.eval(env)
		switch {
		case operator == "==" || operator == "!=":
			return (x == b.eval(env)) == (operator == "==")
		case of == Bool && (operator == "or" || operator == "||") == (x == true): // it decides
			return x
		case of == Number:
			return computed(operator, x.(float64), b.eval(env).(float64))
		}
		return b.eval(env)
	}}
}

// computed is the value of an operator between two numbers.
func computed(operator string, a, b float64) any {
	var x float64
	switch operator {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	case ">=":
		return a >= b
	case "+":
		x = a + b
	case "-":
		x = a - b
	case "*":
		x = a * b
	case "/":
		x = a / b
	default:
		x = math.Pow(a, b)
	}
	if !plain.Finite(x) {
		fail("%s %s %s is %v", plain.Number(a), operator, plain.Number(b), x)
	}
	return x
}
