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

	"mercer/internal/plain"
)

var durationType = reflect.TypeFor[time.Duration]()

func (d *Decoder) decodeScalar(n *Node, v reflect.Value) {
	switch {
	case v.Type() == durationType:
		span, err := time.ParseDuration(n.Text)
		if err != nil || span < 0 || n.Text != "0" && n.Kind != Text {
			d.Wrong(n, `a duration such as "90s" or "1h30m"`)
			return
		}
		v.SetInt(int64(span))
	case v.Kind() == reflect.Bool:
		if n.Kind != Bool {
			d.Wrong(n, "true or false")
			return
		}
		v.SetBool(strings.EqualFold(n.Text, "true"))
	case v.Kind() == reflect.String:
		if text, ok := d.Text(n); ok {
			v.SetString(text)
		}
	case v.CanInt() || v.CanUint():
		d.decodeWhole(n, v)
	case v.CanFloat():
		if x, found, ok := d.number(n, "a number"); ok && d.inRange(n, x, found) {
			v.SetFloat(x)
		}
	default:
		panic(fmt.Sprintf("configs: cannot decode into %s", v.Type()))
	}
}

// Text reads a text and checks it. In parameters "=name" is the text of that grid variable;
// false where that has no value yet.
func (d *Decoder) Text(n *Node) (string, bool) {
	switch n.Kind {
	case Text:
	case Number, Bool:
		d.Errorf(n, "must be text, found %v; put it in quotes", n)
		return "", false
	default:
		d.Wrong(n, "text")
		return "", false
	}
	text, ok := n.Text, true
	if d.free() && strings.HasPrefix(text, "=") {
		text, ok = d.column(n, text[1:])
	}
	if ok {
		d.checkText(n, text)
	}
	return text, ok
}

// Choose reads one of several words, of a value that may have other forms as well; want names all.
func (d *Decoder) Choose(n *Node, want string, words ...string) (string, bool) {
	if n.Kind != Text {
		d.Wrong(n, want)
		return "", false
	}
	text, ok := d.Text(n)
	if ok && !slices.Contains(words, text) {
		d.Errorf(n, "must be %s, found %s", want, quote(text))
		return "", false
	}
	return text, ok
}

func (d *Decoder) checkText(n *Node, text string) {
	if enum := d.tag.Get("enum"); enum != "" {
		known, instead := strings.Split(enum, ","), dropped[d.tag.Get("yaml")+": "+text]
		switch {
		case slices.Contains(known, text):
		case instead != "":
			d.add(n.Pos, "%s: %q is no longer there; use %s", d.label, text, instead)
		default:
			d.add(n.Pos, "%s: %s", d.label, Unknown("value", text, "", known))
		}
	}
	pattern := d.tag.Get("pattern")
	if pattern != "" && !regexp.MustCompile(pattern).MatchString(text) {
		d.Errorf(n, "must be %s, found %s", d.tag.Get("want"), quote(text))
	}
	if text == "" && d.tag.Get("required") == "true" && pattern == "" {
		d.Errorf(n, "is empty")
	}
}

// number reads a number or, in parameters, the value of an expression; found is what messages
// quote of it. It is false where it has no value, or none yet.
func (d *Decoder) number(n *Node, want string) (x float64, found string, ok bool) {
	if n.Kind == Text && d.free() {
		return d.evaluate(n)
	}
	if n.Kind != Number {
		d.Wrong(n, want)
		return 0, "", false
	}
	if x, ok = parseNumber(n.Text); !ok {
		d.Errorf(n, "must be %s, found %s", strings.Replace(want, "a number", "a finite decimal number", 1), n.Text)
	}
	return x, n.Text, ok
}

// decodeWhole reads an integer, also one written 1e6 or 250.0.
func (d *Decoder) decodeWhole(n *Node, v reflect.Value) {
	x, found, ok := d.number(n, "a whole number")
	if !ok {
		return
	}
	text := n.Text
	if strings.ContainsAny(text, ".eE") { // else it is exact beyond 2^53
		if x = nearWhole(x); x != math.Trunc(x) {
			d.Errorf(n, "must be a whole number, found %s", found)
			return
		}
		text = strconv.FormatFloat(x, 'f', 0, 64)
		if d.bind != nil {
			n.Text = text // of a copy, see Params.decode
		}
	}
	if !d.inRange(n, x, found) {
		return
	}
	var err error
	if v.CanInt() {
		var i int64
		i, err = strconv.ParseInt(text, 10, v.Type().Bits())
		v.SetInt(i)
	} else {
		var u uint64
		u, err = strconv.ParseUint(text, 10, v.Type().Bits())
		v.SetUint(u)
	}
	if err != nil {
		d.Errorf(n, "is out of range: %s", found)
	}
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
func (d *Decoder) inRange(n *Node, x float64, found string) bool {
	for _, limit := range limits {
		bound, err := strconv.ParseFloat(d.tag.Get(limit.tag), 64)
		if err == nil && limit.broken(x, bound) {
			words := "be " + limit.words + " " + plain.Number(bound)
			if d.tag.Get("above") == "0" && d.tag.Get("below") == "1" {
				words = "lie between 0 and 1, such as 0.1"
			}
			d.Errorf(n, "must %s, found %s", words, found)
			return false
		}
	}
	return true
}
