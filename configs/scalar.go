package configs

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// decimal is how a number is written: no octal, no underscores, no infinity.
var decimal = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*|[0-9]*\.[0-9]+|[0-9]+\.)([eE][-+]?[0-9]+)?$`)

// parseNumber reads a finite decimal number.
func parseNumber(text string) (float64, bool) {
	if !decimal.MatchString(text) {
		return 0, false
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil && !math.IsInf(x, 0)
}

// FormatNumber writes a number the way Where lists it: the shortest decimal
// that reads back as x, without an exponent for everyday sizes (1000000, 0.05).
func FormatNumber(x float64) string {
	if a := math.Abs(x); x == 0 || (a >= 1e-6 && a < 1e15) {
		return strconv.FormatFloat(x+0, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

func isNumber(n *yaml.Node) bool {
	tag := n.ShortTag()
	return n.Kind == yaml.ScalarNode && (tag == "!!int" || tag == "!!float")
}

// describe says what a node is, for "must be a list, found ...".
func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case isNull(n):
		return "nothing"
	case isNumber(n):
		return "the number " + n.Value
	case n.ShortTag() == "!!bool":
		return n.Value
	}
	return "the text " + quote(n.Value)
}

func (d *decoder) decodeScalar(n *yaml.Node, v reflect.Value, at place) {
	switch {
	case v.Type() == durationType:
		d.decodeDuration(n, v, at)
	case v.Kind() == reflect.Bool:
		if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" {
			d.wrong(n, at, "true or false")
			return
		}
		v.SetBool(strings.EqualFold(n.Value, "true"))
	case v.Kind() == reflect.String:
		if text, ok := d.text(n, at); ok {
			v.SetString(text)
			d.checkText(n, text, at)
		}
	case v.CanInt():
		d.decodeInt(n, v, at)
	case v.CanUint():
		d.decodeUint(n, v, at)
	case v.CanFloat():
		if x, ok := d.number(n, at); ok && d.inRange(n, x, at) {
			v.SetFloat(x)
		}
	default:
		panic(fmt.Sprintf("configs: cannot decode into %s", v.Type()))
	}
}

// text reads a scalar that YAML takes as text (or as a date).
func (d *decoder) text(n *yaml.Node, at place) (string, bool) {
	if n.Kind != yaml.ScalarNode {
		d.wrong(n, at, "text")
		return "", false
	}
	if isNumber(n) || n.ShortTag() == "!!bool" {
		d.add(n, "%s must be text, found %s; put it in quotes", at.label, describe(n))
		return "", false
	}
	return n.Value, true
}

func (d *decoder) checkText(n *yaml.Node, text string, at place) {
	if enum := at.tag.Get("enum"); enum != "" {
		if known := strings.Split(enum, ","); !slices.Contains(known, text) {
			d.add(n, "%s: %s", at.label, Unknown("value", text, "", known))
		}
	}
	if pattern := at.tag.Get("pattern"); pattern != "" && !regexp.MustCompile(pattern).MatchString(text) {
		want := at.tag.Get("want")
		if want == "" {
			want = "text that matches " + pattern
		}
		d.add(n, "%s must be %s, found %s", at.label, want, quote(text))
	}
	if text == "" && at.tag.Get("required") == "true" && at.tag.Get("pattern") == "" {
		d.add(n, "%s is empty", at.label)
	}
}

func (d *decoder) number(n *yaml.Node, at place) (float64, bool) {
	if !isNumber(n) {
		d.wrong(n, at, "a number")
		return 0, false
	}
	x, ok := parseNumber(n.Value)
	if !ok {
		d.add(n, "%s must be a finite decimal number, found %s", at.label, n.Value)
	}
	return x, ok
}

// whole reads an integer, also one written 1e6.
func (d *decoder) whole(n *yaml.Node, at place) (float64, bool) {
	if !isNumber(n) {
		d.wrong(n, at, "a whole number")
		return 0, false
	}
	x, ok := parseNumber(n.Value)
	if !ok || x != math.Trunc(x) {
		d.add(n, "%s must be a whole number, found %s", at.label, n.Value)
		return 0, false
	}
	return x, d.inRange(n, x, at)
}

func (d *decoder) decodeInt(n *yaml.Node, v reflect.Value, at place) {
	x, ok := d.whole(n, at)
	if !ok {
		return
	}
	i, err := strconv.ParseInt(n.Value, 10, 64)
	if err != nil {
		i = int64(x) // written as 1e6 or 250.0
	}
	if math.Abs(x) >= 1<<63 || v.OverflowInt(i) {
		d.add(n, "%s is out of range: %s", at.label, n.Value)
		return
	}
	v.SetInt(i)
}

func (d *decoder) decodeUint(n *yaml.Node, v reflect.Value, at place) {
	x, ok := d.whole(n, at)
	if !ok {
		return
	}
	u, err := strconv.ParseUint(strings.TrimPrefix(n.Value, "+"), 10, 64)
	if err != nil {
		u = uint64(max(x, 0))
	}
	switch {
	case x < 0:
		d.add(n, "%s must not be negative, found %s", at.label, n.Value)
	case err != nil && x >= 1<<64 || v.OverflowUint(u):
		d.add(n, "%s is out of range: %s", at.label, n.Value)
	default:
		v.SetUint(u)
	}
}

func (d *decoder) decodeDuration(n *yaml.Node, v reflect.Value, at place) {
	if n.Kind == yaml.ScalarNode && n.Value == "0" {
		v.SetInt(0)
		return
	}
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" {
		d.wrong(n, at, `a duration such as "90s" or "1h30m"`)
		return
	}
	span, err := time.ParseDuration(n.Value)
	if err != nil || span < 0 {
		d.wrong(n, at, `a duration such as "90s" or "1h30m"`)
		return
	}
	v.SetInt(int64(span))
}

// inRange checks the tags min, max, above and below.
func (d *decoder) inRange(n *yaml.Node, x float64, at place) bool {
	for _, limit := range []struct {
		tag, words string
		broken     func(x, limit float64) bool
	}{
		{"min", "at least", func(x, l float64) bool { return x < l }},
		{"max", "at most", func(x, l float64) bool { return x > l }},
		{"above", "greater than", func(x, l float64) bool { return x <= l }},
		{"below", "less than", func(x, l float64) bool { return x >= l }},
	} {
		bound, err := strconv.ParseFloat(at.tag.Get(limit.tag), 64)
		if err == nil && limit.broken(x, bound) {
			d.add(n, "%s must be %s %s, found %s", at.label, limit.words, FormatNumber(bound), n.Value)
			return false
		}
	}
	return true
}
