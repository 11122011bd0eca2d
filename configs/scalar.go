package configs

import (
	"fmt"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"mercer/internal/plain"
)

var durationType = reflect.TypeFor[time.Duration]()

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
	case v.CanInt() || v.CanUint():
		d.decodeWhole(n, v, at)
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
		known, instead := strings.Split(enum, ","), dropped[at.tag.Get("yaml")+": "+text]
		switch {
		case slices.Contains(known, text):
		case instead != "":
			d.add(n, "%s: %q is no longer there; use %s", at.label, text, instead)
		default:
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

// decodeWhole reads an integer, also one written 1e6 or 250.0.
func (d *decoder) decodeWhole(n *yaml.Node, v reflect.Value, at place) {
	if !isNumber(n) {
		d.wrong(n, at, "a whole number")
		return
	}
	x, ok := parseWhole(n.Value)
	if !ok {
		d.add(n, "%s must be a whole number, found %s", at.label, n.Value)
		return
	}
	whole := new(big.Int)
	if _, plain := whole.SetString(n.Value, 10); !plain {
		big.NewFloat(x).Int(whole)
	}
	switch {
	case !d.inRange(n, x, at):
	case v.CanInt() && whole.IsInt64() && !v.OverflowInt(whole.Int64()):
		v.SetInt(whole.Int64())
	case v.CanUint() && x < 0:
		d.add(n, "%s must not be negative, found %s", at.label, n.Value)
	case v.CanUint() && whole.IsUint64() && !v.OverflowUint(whole.Uint64()):
		v.SetUint(whole.Uint64())
	default:
		d.add(n, "%s is out of range: %s", at.label, n.Value)
	}
}

func (d *decoder) decodeDuration(n *yaml.Node, v reflect.Value, at place) {
	span, err := time.ParseDuration(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || span < 0 || n.Value != "0" && n.ShortTag() != "!!str" {
		d.wrong(n, at, `a duration such as "90s" or "1h30m"`)
		return
	}
	v.SetInt(int64(span))
}

// limits are the tags that limit a number, in words.
var limits = []struct {
	tag, words string
	broken     func(x, limit float64) bool
}{
	{"min", "at least", func(x, l float64) bool { return x < l }},
	{"max", "at most", func(x, l float64) bool { return x > l }},
	{"above", "greater than", func(x, l float64) bool { return x <= l }},
	{"below", "less than", func(x, l float64) bool { return x >= l }},
}

// inRange checks the limits of a number.
func (d *decoder) inRange(n *yaml.Node, x float64, at place) bool {
	for _, limit := range limits {
		bound, err := strconv.ParseFloat(at.tag.Get(limit.tag), 64)
		if err == nil && limit.broken(x, bound) {
			d.add(n, "%s must be %s %s, found %s", at.label, limit.words, plain.Number(bound), n.Value)
			return false
		}
	}
	return true
}
