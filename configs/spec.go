package configs

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"mercer/internal/plain"
)

// Spec is one experiment: data, methods, a grid, and what the theory claims of
// the outcome. A Spec comes from Decode, which has checked its structure and compiled
// its expressions; the parameters of datasets, kernels and methods stay undecoded in
// Params until the package that owns the `use` name decodes them.
type Spec struct {
	Name     string             `yaml:"name" required:"true" pattern:"^[a-z0-9][a-z0-9-]{0,63}$" want:"lower-case letters, digits and hyphens, at most 64" doc:"Name of the experiment; names its folder of results."`
	Title    string             `yaml:"title" doc:"One line that says what is to be seen."`
	Source   string             `yaml:"source" doc:"The paper and theorem, figure or table that the measurements are compared with."`
	Question string             `yaml:"question" doc:"What a reader of the report wants to know."`
	Answer   Answer             `yaml:"answer" doc:"Sentences that answer the question, one for each way in which the claims can come out."`
	Labels   Keyed[string]      `yaml:"labels" doc:"What methods, data sets, kernels, grid variables, metrics and targets are called in figures and in the tables of measurements, by name."`
	Notes    []string           `yaml:"notes" maxlen:"100" pattern:"\\S" want:"a paragraph of text" doc:"Short paragraphs for the reader of the report: settings that the source leaves open, and why numbers differ from its own."`
	Seed     uint64             `yaml:"seed" required:"true" min:"0" doc:"Seed of every random stream."`
	Repeats  Repeats            `yaml:"repeats" required:"true" doc:"Seeded draws of each cell: a number, or {from: 8, to: 320, until: decided}."`
	Datasets []Component        `yaml:"datasets" required:"true" minlen:"1" maxlen:"1000" item:"dataset" doc:"Where samples come from."`
	Kernels  []Component        `yaml:"kernels" minlen:"1" maxlen:"1000" item:"kernel" doc:"Kernels; left out where every dataset is a population that brings its own."`
	Grid     Grid               `yaml:"grid" required:"true" doc:"Sizes and further variables, as a product."`
	Methods  []Component        `yaml:"methods" required:"true" minlen:"1" maxlen:"1000" item:"method" doc:"The estimators."`
	Measure  Measures           `yaml:"measure" required:"true" minlen:"1" unique:"true" item:"measure" doc:"The error measures (mercer list --measures), and programs of your own (docs/exec.md)."`
	Claims   []Claim            `yaml:"claims" maxlen:"1000" item:"claim" doc:"What the theory or the figure says, to be checked."`
	Checks   []Claim            `yaml:"checks" maxlen:"1000" item:"check" doc:"What a correct program gives whatever the theory is worth: statements like claims, which test the code."`
	Plots    []Plot             `yaml:"plots" maxlen:"200" item:"plot" doc:"Figures of the report, beside those of the claims."`
	Ranks    []Ranking          `yaml:"ranks" maxlen:"50" item:"ranking" doc:"Tables of the mean ranks of methods over problems."`
	Budgets  []Budget           `yaml:"budgets" maxlen:"50" item:"budget" doc:"Comparisons of methods at equal cost, such as equal time or equal memory."`
	Targets  []Target           `yaml:"targets" maxlen:"50" item:"target" doc:"Least values of a grid variable at which a statement holds, found by a search."`
	Profiles map[string]Overlay `yaml:"profiles" names:"profile" item:"profile" doc:"What a run profile changes in this spec."`

	// Warnings are what is in vain in the spec, though no mistake.
	Warnings []error `yaml:"-"`

	// Incomplete are the keys with mistakes, of whose lists only the sound entries are
	// here; none beside no error.
	Incomplete map[string]bool `yaml:"-"`

	// LeftOut are the ids that a profile has left out, by what they name; see Under.
	LeftOut map[string][]string `yaml:"-"`

	// Expressions are all expressions of the spec but those over metrics.
	Expressions []Value `yaml:"-" json:"-"`

	// Tree is what the spec was decoded from.
	Tree *Node `yaml:"-" json:"-"`
}

// Decode decodes and checks a spec. What it cannot check is what other packages own: the `use`
// names and their parameters, the names of measures and metrics, and the constants of datasets
// (see CheckNames).
//
// The error is a Problems with every mistake, also of the trees that the profiles make of
// this one. Beside it stands what of the spec is sound, so that other packages' mistakes can be found
// in the same go; nil where nothing can be decoded.
func Decode(tree *Node) (*Spec, error) {
	s, own := decodeSpec(tree)
	if s == nil {
		return nil, own.Err()
	}
	all := slices.Clone(own)
	for _, profile := range profiles {
		name := profile.Name
		if _, changed := s.Profiles[name]; !changed {
			continue
		}
		_, found := decodeSpec(Under(tree, profile))
		for _, p := range found {
			if slices.ContainsFunc(own, func(own Problem) bool { return own.Pos == p.Pos }) {
				continue // it is there without the profile
			}
			if prefix := fmt.Sprintf("profile %q", name); !strings.Contains(p.Msg, prefix) {
				p.Msg = prefix + ": " + p.Msg
			}
			all = append(all, p)
		}
	}
	return s, all.Err()
}

// decodeSpec is Decode but for the profiles.
func decodeSpec(tree *Node) (*Spec, Problems) {
	d := newDecoder("")
	if !d.isMapping(tree, "a mapping of keys to values") {
		return nil, d.problems
	}
	d.readNames(tree)
	s := &Spec{Tree: tree, Incomplete: d.wrong, LeftOut: d.leftOut}
	ordered := tree.without(leftOutKey)
	if i := ordered.find("targets"); i >= 0 { // claims are about them
		ordered.Pairs[0], ordered.Pairs[i] = ordered.Pairs[i], ordered.Pairs[0]
	}
	d.decodeStruct(ordered, reflect.ValueOf(s).Elem())
	if d.full() {
		return nil, d.problems
	}
	s.checkWhole(d)
	if s.Incomplete["measure"] {
		s.Measure = Measures{}
	}
	s.Warnings, s.Expressions = d.warnings, append(d.expressions, s.Grid.Skip...)
	return s, d.problems
}

// reservedNames are folders of results that keep something else than the runs of an
// experiment, and what.
var reservedNames = map[string]string{
	"reference": "reference results",
	"regress":   "the runs of make regress",
}

// checkWhole checks what concerns several parts.
func (s *Spec) checkWhole(d *Decoder) {
	if keeps, taken := reservedNames[s.Name]; taken {
		d.add(s.Tree.Get("name").Pos, "%q cannot name an experiment: results/%s keeps %s; choose another name", s.Name, s.Name, keeps)
	}
	if len(s.Tree.Get("targets").items()) > 0 && !d.wrong["repeats"] && !s.Repeats.Adaptive() {
		d.add(s.Repeats.Pos, "targets are found by adding repeats; give repeats as {from: 8, to: 320, until: decided}")
	}
	if before := len(d.problems); !d.wrong["grid"] {
		_, circle := s.Grid.order(s.Grid.Names())
		d.problems.Add(circle)
		if !d.wrong["methods"] && !d.wrong["datasets"] && !d.wrong["repeats"] {
			d.problems.Add(s.checkSize())
		}
		if len(d.problems) > before {
			d.wrong["grid"] = true
		}
	}
}

// Statements are all that is judged: the claims and, after them, the checks.
func (s *Spec) Statements() []Claim { return slices.Concat(s.Claims, s.Checks) }

// maxRecords is the most records of a spec: points of its grid × methods × data
// sets and kernels × repeats. A plan of so many takes up to 3 GB, and the run and
// its report, which keep every record in memory, some 10 GB.
const maxRecords = 10_000_000

// checkSize refuses a spec that asks for too many records, as far as that shows
// before the grid is expanded: skip may leave out any number of points.
func (s *Spec) checkSize() error {
	if err := s.Grid.checkSize(); err != nil || len(s.Grid.Skip) > 0 {
		return err
	}
	return s.CheckRecords(s.Grid.combinations() * float64(len(s.Methods)) * float64(len(s.Datasets)))
}

// CheckRecords refuses a spec whose repeats have so many records each that all
// repeats have more than maxRecords. The problem is at the grid where one repeat is
// too many, else at repeats.
func (s *Spec) CheckRecords(each float64) error {
	at, advice := s.Repeats.Pos, fmt.Sprintf("take at most %d repeats", int(maxRecords/each))
	if each > maxRecords {
		at, advice = s.Grid.Pos, "use fewer values"
	}
	if each*float64(s.Repeats.Value) <= maxRecords {
		return nil
	}
	return Errorf(at, "%d repeats of %s records (points of the grid x methods x data sets) are more than the limit of %d records; %s, or several specs",
		s.Repeats.Value, plain.Number(each), maxRecords, advice)
}
