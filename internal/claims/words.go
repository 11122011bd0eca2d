package claims

import (
	_ "embed"
	"fmt"
	"maps"
	"strings"
	"text/template"

	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/results"
)

// Code says in a word why a verdict is as it is. Its sentence, and the step that would settle
// an open verdict, are in words.tmpl under the same name.
type Code string

// Args are what the words of a code are about, by the names that its templates use.
type Args map[string]any

// Doubt is a code with what it is about: mostly why nothing sure can be said. The zero Doubt
// is none.
type Doubt struct {
	Code Code
	Args Args
}

func (d Doubt) Any() bool { return d.Code != "" }

// doubt is a Doubt about some things, given as names and values in turns.
func doubt(code Code, about ...any) Doubt { return Doubt{code, Args{}}.with(about...) }

// with is d about more.
func (d Doubt) with(about ...any) Doubt {
	args := maps.Clone(d.Args)
	for i := 0; i+1 < len(about); i += 2 {
		args[about[i].(string)] = about[i+1]
	}
	return Doubt{d.Code, args}
}

// badClaim says of a claim that it cannot be judged as it stands.
func badClaim(why string) Doubt { return doubt("bad_claim", "why", why) }

// say gives the verdict its code, and what the words of it are about.
func (v *Verdict) say(d Doubt) { v.Code, v.Args = d.Code, d.Args }

// speak puts the code into words.
func (v *Verdict) speak() {
	d := Doubt{v.Code, v.Args}
	if d.Any() {
		d = d.with("seen", v.Repeats)
	}
	v.Reason, v.Settle = d.sentence(), d.words(".next")
}

// note adds a note, once.
func (v *Verdict) note(format string, about ...any) {
	v.Notes = lists.Once(append(v.Notes, fmt.Sprintf(format, about...)))
}

// sentence says why the verdict is as it is; of a verdict on cells that are open, how many are so.
func (d Doubt) sentence() string {
	if d.Args["open"] == nil {
		return d.words("")
	}
	return Doubt{"open_cells", d.Args}.words("") + d.words("")
}

// words fills in the template of the code; "" where it has no such part.
func (d Doubt) words(part string) string {
	t := templates.Lookup(string(d.Code) + part)
	if t == nil {
		return ""
	}
	var text strings.Builder
	if err := t.Execute(&text, map[string]any(d.Args)); err != nil {
		panic(fmt.Sprintf("claims: words of %s: %v", d.Code, err)) // a template that a test has not run
	}
	return text.String()
}

//go:embed words.tmpl
var wordsText string

var templates = template.Must(template.New("words").Funcs(wordFuncs).Parse(wordsText))

var wordFuncs = template.FuncMap{
	"at":     atPlace,
	"count":  plain.Count,
	"f3":     func(x float64) string { return fmt.Sprintf("%.3f", x) },
	"g4":     func(x float64) string { return fmt.Sprintf("%.4g", x) },
	"join":   strings.Join,
	"least":  func() int { return inference.MinRepeats },
	"list":   list,
	"number": plain.Six,
	"p":      func(p float64) string { return fmt.Sprintf("%.2g", p) },
}

// atPlace is a place behind what is there, with a space before it; "" of no place.
func atPlace(k results.Key) string {
	if k == (results.Key{}) {
		return ""
	}
	return " at " + k.String()
}

// found is what an estimate and what is claimed of it are called in words: numbers with as many
// digits as tell them from each other.
func found(verb byte, least int, b inference.Band, show func(float64) float64, estimate ...float64) Args {
	digits := plain.Digits(verb, least, estimate, b.Edges(show)...)
	return Args{
		"found":    lists.Map(estimate, func(x float64) string { return fmt.Sprintf("%.*"+string(verb), digits, x) }),
		"relation": b.Relation,
		"claimed":  strings.TrimPrefix(claimed(b, show, estimate...), b.Relation+" "),
	}
}

// claimed writes a band beside an estimate and its interval, "= -0.5 ± 0.1"; show maps its
// scale to the reader's, which these are on.
func claimed(b inference.Band, show func(float64) float64, interval ...float64) string {
	text := b.Relation + " " + plain.Claimed(show(b.Value), interval...)
	if b.Relation == "=" {
		text += " ± " + plain.Claimed(b.Within)
	}
	return text
}

// list writes positions for a reader.
func list(values []float64) string {
	return strings.Join(lists.Map(values, plain.Six), ", ")
}
