package configs

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxExpression is the most characters of an expression.
const maxExpression = 500

// parser reads an expression, one word after another.
type parser struct {
	text    string
	end     int    // of the word
	word    string // "" behind the last one
	columns map[string]Kind
	names   map[string]bool // that are used
}

// wordOfExpression is a number, a name, a text in quotes, or an operator.
var wordOfExpression = regexp.MustCompile(`([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?|[A-Za-z]\w*|"[^"]*"|'[^']*'|[<>=!]=|&&|\|\||\*\*|\S`)

// levels are the operators, in the order of how strongly they bind. A minus sign binds more than * and less than ^.
var levels = [][]string{{"or", "||"}, {"and", "&&"}, {"==", "!=", "<", "<=", ">", ">=", "in"}, {"+", "-"}, {"*", "/"}, {}, {"^", "**"}}

const (
	comparisons = 2
	signs       = 5
	powers      = 6
)

func (p *parser) advance() {
	at := wordOfExpression.FindStringIndex(p.text[p.end:])
	if at == nil {
		p.word, p.end = "", len(p.text)
		return
	}
	p.word, p.end = p.text[p.end+at[0]:p.end+at[1]], p.end+at[1]
}

// accept goes on behind a word, if that comes next.
func (p *parser) accept(word string) bool {
	found := p.word == word
	if found {
		p.advance()
	}
	return found
}

func (p *parser) expect(word string) {
	if !p.accept(word) {
		p.unexpected()
	}
}

func (p *parser) unexpected() {
	if p.word == "" {
		fail("it ends too early")
	}
	if p.word == "%" {
		fail("unexpected %q: write 10 %% as 0.1", p.word)
	}
	fail("unexpected %q at character %d", p.word, utf8.RuneCountInString(p.text[:p.end-len(p.word)])+1)
}

// choice reads `a ? b : c`, or an expression.
func (p *parser) choice() term {
	condition := p.operation(0)
	if !p.accept("?") {
		return condition
	}
	condition.needs(Bool, "?")
	yes := p.choice()
	p.expect(":")
	no := p.choice()
	no.needs(yes.kind, ":")
	return term{kind: yes.kind, eval: func(env Env) any {
		if condition.eval(env) == true {
			return yes.eval(env)
		}
		return no.eval(env)
	}}
}

// operation reads terms between operators that bind at least as strongly as a level.
func (p *parser) operation(least int) term {
	left := p.operand()
	for {
		operator := p.word
		level := slices.IndexFunc(levels, func(of []string) bool { return slices.Contains(of, operator) })
		if level < least {
			return left
		}
		p.advance()
		switch {
		case operator == "in":
			left = p.membership(left)
		case level == powers:
			left = joined(operator, left, p.operation(powers))
		default:
			left = joined(operator, left, p.operation(level+1))
		}
	}
}

// operand reads a term with the signs before it.
func (p *parser) operand() term {
	switch {
	case p.accept("-"):
		return joined("*", literal(Number, -1.0), p.operation(signs))
	case p.accept("not"), p.accept("!"):
		condition := p.operation(comparisons)
		condition.needs(Bool, "not")
		return joined("==", literal(Bool, false), condition)
	case p.accept("("):
		inner := p.choice()
		p.expect(")")
		return inner
	}
	word := p.word
	x, number := parseNumber(word)
	switch {
	case number:
		p.advance()
		return literal(Number, x)
	case word == "true" || word == "false":
		p.advance()
		return literal(Bool, word == "true")
	case len(word) > 1 && strings.ContainsAny(word[:1], `"'`):
		p.advance()
		return literal(Text, word[1:len(word)-1])
	case !namePattern.MatchString(word):
		p.unexpected()
	}
	p.advance()
	if p.accept("(") {
		return called(word, p.list(")"))
	}
	if functions[word] != nil {
		fail("%s is a function; write %s(...)", word, word)
	}
	p.names[word] = true
	kind := Number
	if p.columns[word] == Text {
		kind = Text
	}
	return named(word, kind)
}

// namePattern is what an identifier may be, with the names of metrics.
var namePattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// list reads terms between commas, and what closes them.
func (p *parser) list(closing string) (terms []term) {
	for !p.accept(closing) {
		if len(terms) > 0 {
			p.expect(",")
		}
		terms = append(terms, p.choice())
	}
	return terms
}

// membership reads the list behind `in`.
func (p *parser) membership(of term) term {
	p.expect("[")
	any := literal(Bool, false)
	for _, one := range p.list("]") {
		any = joined("or", any, joined("==", of, one))
	}
	return any
}
