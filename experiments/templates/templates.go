// Package templates writes the first spec of a user: for data of a CSV file, for a population
// whose rates are known, or for a program as a method. The spec has comments that say what to
// change, a plot, and a smoke profile that takes seconds. Its text is spec.yaml.tmpl.
package templates

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
)

//go:embed spec.yaml.tmpl
var text string

var filled = template.Must(template.New("spec").Funcs(template.FuncMap{
	"quote":  strconv.Quote,
	"quotes": func(words []string) string { return strings.Join(lists.Map(words, strconv.Quote), ", ") },
	"join":   func(words []string) string { return strings.Join(words, ", ") },
}).Parse(text))

// Examples are commands for each kind of spec.
const Examples = `csv         compare methods on the points of a CSV file
            mercer init --csv data.csv --compare nystrom,rff,kjl
population  see at which rate an error falls, on a population whose operators are known
            mercer init --population series --rate=-0.25
program     compare a program of yours with mercer's methods
            mercer init --program method.py --compare ekpca,nystrom
`

// Request is what a spec is to ask: of a CSV file, a program on it or on generated points, or a
// population.
type Request struct {
	File       string   // of the spec
	Question   string   // of its report; empty for one that fits
	Compare    []string // names of Methods
	CSV, Label string   // file, and column of the classes: "" for one to be found, none
	Drop       []string // columns that are no coordinates
	Population string   // series or atoms
	Rate       string   // claimed slope of the error over n; "" for the one of the theory
	Program    string   // file
}

// spec is what the template shows.
type spec struct {
	Request
	Name, Title string
	Labels      map[string]string
	Task        task
	Data        *csvData // nil for generated points
	N           int
	M           []string
	Clusters    int    // 0 in kernel PCA
	Command     string // of the program
}

// Spec is the text for a request, and lines that say what it makes of the request.
func (r Request) Spec(ctx context.Context) (text, notes string, err error) {
	if err := r.check(); err != nil {
		return "", "", err
	}
	s := spec{Request: r, Name: nameOf(r.File), Labels: labels}
	if r.Population != "" {
		err = s.ofPopulation()
	} else {
		notes, err = s.ofPoints(ctx)
	}
	if err != nil {
		return "", "", err
	}
	s.Title = strings.ToUpper(s.Title[:1]) + s.Title[1:]
	if r.Question != "" {
		s.Question = r.Question
	}
	var out strings.Builder
	err = filled.Execute(&out, s)
	return out.String(), notes, err
}

// check refuses what does not go together.
func (r Request) check() error {
	switch {
	case r.CSV == "" && r.Population == "" && r.Program == "":
		return errors.New("say what the spec is about: --csv data.csv, --population series or --program method.py; mercer init --list shows examples")
	case r.Population != "" && (r.CSV != "" || r.Program != ""):
		return errors.New("--population has points of its own: leave out --csv and --program")
	case r.Rate != "" && r.Population == "":
		return errors.New("--rate is about a population: add --population series")
	case (r.Label != "" || r.Drop != nil) && r.CSV == "":
		return errors.New("--label and --drop are columns of a CSV file: add --csv data.csv")
	}
	for i, name := range r.Compare {
		if labels[name] == "" {
			return errors.New("--compare: " + configs.Unknown("method", name, "", Methods()))
		}
		if slices.Contains(r.Compare[:i], name) {
			return fmt.Errorf("--compare: method %q is given twice", name)
		}
	}
	return nil
}

func (s *spec) ofPopulation() error {
	if s.Population != "series" && s.Population != "atoms" {
		return fmt.Errorf("--population %q: there are series and atoms", s.Population)
	}
	for _, name := range s.Compare {
		if name == "rff" || pca.Methods[name] == "" {
			return fmt.Errorf("--compare: %s has no error R in H; with --population there are %s", name, strings.Replace(pca.names(), ", rff", "", 1))
		}
	}
	if s.Rate == "" {
		s.Rate = "-theta*(1-1/alpha)"
	}
	s.Task, s.Title, s.Question = pca, "The rate of "+s.named(), "Does the error R fall with n at the claimed rate?"
	return nil
}

func (s *spec) ofPoints(ctx context.Context) (notes string, err error) {
	s.N, s.Title, s.Question = 1000, path.Base(s.Program)+" beside "+s.named(), "Is the program as good as mercer's own methods, at the same m?"
	if s.CSV != "" {
		if s.Data, err = readCSV(ctx, s.Request); err != nil {
			return "", err
		}
		notes = s.Data.notes
		s.N = min(s.Data.rows-s.Data.Held, 4000)
		s.Title, s.Question = s.named()+" on "+path.Base(s.Data.Path), "Which of "+s.named()+" has the smallest error, at the same m?"
	}
	var note string
	if s.Task, note, err = taskOf(s.Compare); err != nil {
		return "", err
	}
	if s.Task.Metric == clusters.Metric {
		s.Clusters = 3
		if d := s.Data; d != nil {
			s.Clusters = max(s.Clusters, d.classes)
			if 2*d.classes > d.rows {
				return "", fmt.Errorf("column %q has %d classes in %d rows, too many for clusters; name another column: --label COLUMN, or leave this one out: --drop %s", d.Label, d.classes, d.rows, plain.Quote(d.Label))
			}
		}
	}
	if s.Program != "" {
		if others := pca.lacks(s.Compare); len(others) > 0 {
			return "", fmt.Errorf("--compare: %s is no kernel PCA, which a program is compared in; there are %s", others[0], pca.names())
		}
		if s.Command, err = command(s.File, s.Program); err != nil {
			return "", err
		}
	}
	for _, m := range []int{10, 20, 40, 80, 160, 320} {
		if m <= s.N/2 {
			s.M = append(s.M, strconv.Itoa(m))
		}
	}
	return notes + note + "\n", nil
}

// named are the labels of the methods in a sentence.
func (r Request) named() string {
	names := lists.Map(r.Compare, func(name string) string { return labels[name] })
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return names[0]
}

// nameOf is a name for the experiment of a file.
func nameOf(file string) string {
	base := filepath.Base(file)
	name := regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(strings.TrimSuffix(base, filepath.Ext(base))), "-")
	if name = strings.Trim(name, "-"); name == "" {
		return "my-experiment"
	}
	return strings.TrimRight(name[:min(len(name), 64)], "-")
}

// command runs a program, by its file below the directory of a spec.
func command(spec, program string) (string, error) {
	if _, err := os.Stat(program); err != nil {
		return "", err
	}
	relative, err := below(spec, program)
	file := strconv.Quote("{dir}/" + relative)
	if shell := map[string]string{".py": "python3", ".sh": "sh", ".R": "Rscript", ".r": "Rscript", ".jl": "julia"}[path.Ext(relative)]; shell != "" {
		file = shell + ", " + file
	}
	return file, err
}

// below is the path of a file relative to the directory of a spec, which has it or a
// directory below.
func below(spec, file string) (string, error) {
	from, err := filepath.Abs(filepath.Dir(spec))
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	relative, err := filepath.Rel(from, to)
	if err != nil || !filepath.IsLocal(relative) {
		return "", fmt.Errorf("%s does not lie in the directory of %s or below it; write the spec beside it: mercer init %s", file, spec, plain.Quote(filepath.ToSlash(filepath.Join(filepath.Dir(file), filepath.Base(spec)))))
	}
	return filepath.ToSlash(relative), nil
}
