package configs

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	types "github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"mercer/internal/lists"
	"mercer/internal/plain"
)

// program is a compiled text.
type program struct {
	text   string
	pos    Pos
	names  []string // identifiers, in alphabetical order
	number float64  // of a plain number
	code   *vm.Program
	err    error // why the text does not compile
}

// scope has the values of names.
type scope interface {
	get(name string) any // a float64 or a string; nil for none
	names() []string
}

// compile parses a text once, checks that it keeps to the language, and makes its program. Of
// its names those are texts that columns call so; known are all that it may use, nil for any.
func compile(text string, pos Pos, of language, columns map[string]Kind, known []string) *program {
	p := &program{text: text, pos: pos}
	config := of.config()
	tree, err := of.parse(text, config)
	if err != nil {
		p.err = Errorf(pos, "expression %s%v", quote(text), err)
		return p
	}
	p.names = identifiers(tree.Node)
	env := map[string]any{}
	for _, name := range p.names {
		env[name] = 0.0
		if columns[name] == Text {
			env[name] = ""
		}
	}
	if p.err = p.check(known); p.err != nil {
		return p
	}
	config.WithEnv(env)
	if _, err = new(types.Checker).PatchAndCheck(tree, config); err == nil {
		p.code, err = compiler.Compile(tree, config)
	}
	if err != nil {
		p.err = p.problem(exprMessage(err))
	}
	return p
}

// check reports each name that is not one of known; nil knows all.
func (p *program) check(known []string) error {
	if p.err != nil {
		return p.err
	}
	var all Problems
	for _, name := range p.names {
		if known != nil && !slices.Contains(known, name) {
			all.Add(p.problem(unknownName(name, known)))
		}
	}
	return all.Err()
}

func (p *program) problem(message string) error {
	return Errorf(p.pos, "expression %s: %s", quote(p.text), message)
}

// run evaluates the program.
func (p *program) run(s scope) (any, error) {
	if p.err != nil {
		return nil, p.err
	}
	env := make(map[string]any, len(p.names))
	for _, name := range p.names {
		if env[name] = s.get(name); env[name] == nil {
			return nil, p.check(append([]string{}, s.names()...))
		}
	}
	out, err := vm.Run(p.code, env)
	if err != nil {
		return nil, p.fail("cannot be computed: "+exprMessage(err), s)
	}
	return out, nil
}

// fail words an error of evaluation with the values that were used.
func (p *program) fail(what string, s scope) error {
	if len(p.names) > 0 {
		what += ", with " + p.values(s)
	}
	return Errorf(p.pos, "expression %s %s", quote(p.text), what)
}

// values writes the values of the names as n = 60, m = 20.
func (p *program) values(s scope) string {
	return strings.Join(lists.Map(p.names, func(name string) string {
		value := s.get(name)
		if x, ok := value.(float64); ok {
			value = plain.Number(x)
		}
		return fmt.Sprint(name, " = ", value)
	}), ", ")
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
