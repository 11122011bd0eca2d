package templates

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"mercer/internal/plain"
)

// Request is what a spec is to ask.
type Request struct {
	Name     string   // of the experiment
	Question string   // of its report; empty for one that fits
	Compare  []string // names of Methods
}

// NameOf is a name for the experiment of a file.
func NameOf(file string) string {
	base := filepath.Base(file)
	name := regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(strings.TrimSuffix(base, filepath.Ext(base))), "-")
	if name = strings.Trim(name, "-"); name == "" {
		return "my-experiment"
	}
	return strings.TrimRight(name[:min(len(name), 64)], "-")
}

// CSV is a data file as it was read.
type CSV struct {
	Path    string   // relative to the spec
	Label   string   // column of the classes; "" for none
	Drop    []string // columns that are no coordinates
	Skipped int      // rows that were left out, since they have missing cells
	Header  string   // true or false
	Rows    int
	Columns int // coordinates
	Class   int // number of classes, 0 without labels
}

// LeastRows is how many points a CSV file must have.
const LeastRows = 60

// FromCSV is a spec that compares methods on the points of a file.
func FromCSV(r Request, data CSV) (string, error) {
	t, err := taskOf(r.Compare)
	if err != nil {
		return "", err
	}
	if data.Rows < LeastRows {
		return "", fmt.Errorf("%s has %s; a comparison needs at least %d", data.Path, plain.Count(data.Rows, "point"), LeastRows)
	}
	if t.metric == clusters.metric && 2*data.Class > data.Rows {
		return "", fmt.Errorf("column %q has %d classes in %d rows, too many for clusters; name another column: --label COLUMN, or leave this one out: --drop %s", data.Label, data.Class, data.Rows, plain.Quote(data.Label))
	}
	held := min(data.Rows/4, 1000)
	columns := fmt.Sprintf(", header: %s", data.Header)
	if data.Label != "" {
		columns += ", label: " + strconv.Quote(data.Label)
	}
	if len(data.Drop) > 0 {
		columns += fmt.Sprintf(", drop: [%s]", strings.Join(quoted(data.Drop), ", "))
	}
	if data.Skipped > 0 {
		columns += ", missing: drop"
	}
	return r.head("Which of "+r.named()+" has the smallest error, at the same m?", r.named()+" on "+path.Base(data.Path)) + r.labels() + fmt.Sprintf(`# The points of the file. %d of them are held out in each repeat, and errors are measured on them.
datasets:
  - {id: data, use: csv, path: %s%s, standardize: true, population: {held_out: %d}}
`, held, strconv.Quote(data.Path), columns, held) + kernels + t.body(r, min(data.Rows-held, 4000), data.Class, ""), nil
}

// FromPopulation is a spec on a population of known operators; rate is the claimed slope of
// the error over n, empty for the one of the theory.
func FromPopulation(r Request, population, rate string) (string, error) {
	use := map[string]string{"series": "use: series", "atoms": "use: atoms, atoms: 300"}[population]
	if use == "" {
		return "", fmt.Errorf("--population %q: there are series and atoms", population)
	}
	for _, name := range r.Compare {
		if name == "rff" || pca.methods[name] == "" {
			return "", fmt.Errorf("--compare: %s has no error R in H; with --population there are %s", name, strings.Replace(names(pca), ", rff", "", 1))
		}
	}
	if rate == "" {
		rate = "-theta*(1-1/alpha)"
	}
	return r.head("Does the error R fall with n at the claimed rate?", "The rate of "+r.named()) + r.labels() + fmt.Sprintf(`# A population whose operators are known: its eigenvalues are i^(-alpha), with alpha = 2.
datasets:
  - {id: power2, %s, decay: {power: 2}}
# Sizes; expressions may use n, theta and the constants of the data set, such as alpha.
grid:
  n: [250, 620, 1290, 2400]      # at which n^(1/4) is hardly rounded up
  theta: 0.5
  ell: "ceil(n^(theta/alpha))"
  m: "min(n, ceil(n^theta*log(n)))"
# mercer list --methods shows all methods and their parameters.
methods:
%smeasure: [recon_h]   # R, the reconstruction error in H
# What the theory says; it holds, is violated or stays open.
claims:
  - id: rate
    says: R falls as n^(%s)
    slope: {of: recon_h, over: n, equals: %s, within: 0.1}
plots:
  - {id: rate, title: "R against n", kind: line, x: n, y: recon_h, floor: recon_h_floor}
%s  # mercer run FILE --profile smoke
  smoke:
    repeats: 20
    grid: {n: [250, 620, 1290]}
`, use, pca.lines(r.Compare), rate, strconv.Quote(rate), profiles), nil
}

// FromProgram is a spec that compares a program, given by its file, with methods. data is nil
// for generated points.
func FromProgram(r Request, program string, data *CSV) (string, error) {
	if _, err := taskOf(r.Compare); err != nil {
		return "", err
	}
	line := fmt.Sprintf(`  # Your program; docs/exec.md says what it gets and answers. model: subspace, components of kernel PCA.
  - {id: mine, use: exec, command: [%s], model: subspace, timeout: 60s}
`, command(program))
	for _, name := range r.Compare {
		if pca.methods[name] == "" {
			return "", fmt.Errorf("--compare: %s is no kernel PCA, which a program is compared in; there are %s", name, names(pca))
		}
	}
	if data != nil {
		text, err := FromCSV(r, *data)
		return strings.Replace(text, "methods:\n", "methods:\n"+line, 1), err
	}
	return r.head("Is the program as good as mercer's own methods, at the same m?", path.Base(program)+" beside "+r.named()) + r.labels() + `# Points on a sphere. 500 points are held out in each repeat, and errors are measured on them.
datasets:
  - {id: sphere, use: sphere, d: 10, population: {held_out: 500}}
` + kernels + pca.body(r, 1000, 0, line), nil
}

// command runs a program by its file.
func command(file string) string {
	file = strconv.Quote("{dir}/" + file)
	switch path.Ext(file[:len(file)-1]) {
	case ".py":
		return "python3, " + file
	case ".sh":
		return "sh, " + file
	case ".R", ".r":
		return "Rscript, " + file
	case ".jl":
		return "julia, " + file
	}
	return file
}

const kernels = `# sigma is the median distance between points: change 1 to another multiple of it.
kernels:
  - {id: rbf, use: gaussian, bandwidth: {median: 1}, form: two-sigma-squared}
`

const profiles = `# What a run profile changes; paper is the default.
profiles:
`

// head is what all specs begin with.
func (r Request) head(question, title string) string {
	if r.Question != "" {
		question = r.Question
	}
	return fmt.Sprintf(`# mercer validate FILE   finds mistakes
# mercer plan FILE       shows what would be computed
# mercer run FILE        computes it, and writes figures and tables
name: %s
title: %s
question: %s
seed: 1
repeats: 12   # seeded draws of each cell; {from: 8, to: 320, until: decided} adds them as claims need
`, r.Name, strconv.Quote(strings.ToUpper(title[:1])+title[1:]), strconv.Quote(question))
}

// named are the labels of the methods in a sentence.
func (r Request) named() string {
	var names []string
	for _, name := range r.Compare {
		names = append(names, labels[name])
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return names[0]
}

// labels are what methods are called in figures and tables.
func (r Request) labels() string {
	var b strings.Builder
	b.WriteString("# Names in figures and tables, also for data, kernels, variables and metrics.\nlabels:\n")
	for _, name := range r.Compare {
		fmt.Fprintf(&b, "  %s: %s\n", name, strconv.Quote(labels[name]))
	}
	return b.String()
}

func quoted(words []string) []string {
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = strconv.Quote(word)
	}
	return out
}

// body is the rest of a spec on points in R^D, with n of them in a sample, after the kernel.
// More lines of methods come first.
func (t task) body(r Request, n, classes int, more string) string {
	var ms []string
	for _, m := range []int{10, 20, 40, 80, 160, 320} {
		if m <= n/2 {
			ms = append(ms, strconv.Itoa(m))
		}
	}
	rest := "  ell: 5                     # components\n"
	if t.metric == clusters.metric {
		rest = fmt.Sprintf("  d: 10                      # dimension of the K-JL embedding, on which its error depends; for several: [5, 10], and by: [d] in the plot\n  k: %d                       # clusters\n", max(classes, 3))
	}
	return fmt.Sprintf(`# Sizes: n points of a sample; m landmarks, random features or columns of a sketch.
grid:
  n: %d
  m: [%s]
%s# mercer list --methods shows all methods and their parameters.
methods:
%s%s# mercer list --measures shows all measures, mercer validate which methods have them.
measure: [%s]   # %s
# Statements to be judged, such as: the first method is at most 10 %% worse than the second.
# claims:
#   - {id: as-good, ratio: {of: %s, method: FIRST, to: SECOND, at_most: 1.1}}
plots:
  - {id: error-m, title: "Error of each method", kind: line, x: m, y: %s}
%s  # mercer run FILE --profile smoke
  smoke:
    repeats: 3
    grid: {m: [%s]}
`, n, strings.Join(ms, ", "), rest, more, t.lines(r.Compare), t.measure, t.means, t.metric, t.metric, profiles, strings.Join(ms[:2], ", "))
}
