package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/experiments/templates"
	"mercer/internal/plain"
	"mercer/results"
	"mercer/runner/plan"
)

type initFlags struct {
	csv, label       string
	drop             []string
	compare          []string
	question         string
	population, rate string
	program          string
	language         string
	list             bool
	taken            string // lines that say what the spec makes of the request
}

func newInit() *cobra.Command {
	var f initFlags
	c := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a commented spec of your own, ready to run",
		Long: `Write a commented spec that is valid and ends with a figure. FILE is a new YAML file, by
default named by the data, population or program. The data file and the program must
lie in the directory of FILE or below it.

--csv reads the file once, for its number of points and classes. Columns must be numbers,
but for the classes. A column of other text, or one called label, class, target or y, is
taken as that of the classes; --label names another one, and --drop names columns that are
no coordinates. A column of numbers with some other cell, or of text that differs in nearly
every row, is an error unless a flag names it. Rows with missing cells are left out. It
prints what it took.`,
		Example: `  mercer init --csv data.csv --compare nystrom,rff,kjl --question 'Which is best?'
  mercer init --csv iris.csv --label species --drop id --compare ekpca,nystrom,gaussian-sketch
  mercer init rates.yaml --population series --rate=-0.25
  mercer init --program method.py --compare ekpca,nystrom
  mercer init --list
  mercer init --exec py > mercer.py   makes a Python function a method (docs/exec.md); also R`,
		Args: arguments(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case f.list:
				return say(c, templatesText())
			case f.language != "" && !isFile(f.language):
				return printHelper(c, f.language)
			}
			f.program = cmp.Or(f.program, f.language)
			file, text, err := f.spec(c, append(args, "")[0])
			if err != nil {
				return usage(err)
			}
			if err := results.WriteAtomic(file, []byte(text)); err != nil {
				return err
			}
			if forProgram(c) {
				return printJSON(c.OutOrStdout(), struct {
					Spec  string   `json:"spec"`
					Notes []string `json:"notes"`
				}{filepath.ToSlash(file), strings.FieldsFunc(f.taken, func(r rune) bool { return r == '\n' })})
			}
			file = plain.Quote(filepath.ToSlash(file))
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s: written\n%snext: mercer run %s --profile smoke   (seconds), then mercer run %s\n", file, f.taken, file, file)
			return err
		},
	}
	c.Flags().StringVar(&f.csv, "csv", "", "compare methods on the points of this CSV file")
	c.Flags().StringVar(&f.label, "label", "", "column of the classes in the CSV file: its name, its index from 0 (negative: from the end), or none (default: found)")
	c.Flags().StringSliceVar(&f.drop, "drop", nil, "columns of the CSV file that are no coordinates, such as an id: names or indexes")
	c.Flags().StringSliceVar(&f.compare, "compare", nil, "methods to compare: "+strings.Join(templates.Methods(), ", "))
	c.Flags().StringVar(&f.question, "question", "", "what a reader of the report wants to know")
	c.Flags().StringVar(&f.population, "population", "", "judge a rate on this population: series or atoms")
	c.Flags().StringVar(&f.rate, "rate", "", "claimed power of n, such as --rate=-0.25, or an expression in theta and alpha")
	c.Flags().StringVar(&f.program, "program", "", "compare this program with mercer's methods")
	c.Flags().StringVar(&f.language, "exec", "", "print the file that turns a function of this language into a method: py or R; with the path of a program, the same as --program")
	addJSON(c, "print JSON: the file that was written and what was taken from data")
	c.Flags().BoolVar(&f.list, "list", false, "show the templates")
	for flag, values := range map[string][]string{"compare": templates.Methods(), "exec": helperLanguages(), "population": {"series", "atoms"}} {
		complete(c, flag, values)
	}
	return c
}

func templatesText() (text string) {
	for _, t := range templates.All {
		text += fmt.Sprintf("%-11s %s\n            %s\n", t.Name, t.Doc, t.Example)
	}
	return text
}

// spec is a new file and the text for it, which has been checked.
func (f *initFlags) spec(c *cobra.Command, given string) (file, text string, err error) {
	if err := f.check(); err != nil {
		return "", "", err
	}
	subject := cmp.Or(f.program, f.csv, f.population)
	base := filepath.Base(subject)
	file = cmp.Or(given, filepath.Join(filepath.Dir(subject), strings.TrimSuffix(base, filepath.Ext(base))+".yaml"))
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return "", "", fmt.Errorf("%s is there already; name another file: mercer init FILE", file)
	}
	if text, err = f.text(c, file); err != nil {
		return "", "", err
	}
	spec, err := source.Parse(file, []byte(text))
	if err == nil {
		_, err = plan.CheckProfiles(c.Context(), spec, filepath.Dir(file), nil)
	}
	if err != nil {
		err = fmt.Errorf("no spec is written, since it would be wrong:\n%w", err)
	}
	return file, text, err
}

// check refuses flags that do not go together, and gives --compare its default.
func (f *initFlags) check() error {
	switch {
	case f.csv == "" && f.population == "" && f.program == "":
		return errors.New("say what the spec is about: --csv data.csv, --population series or --program method.py; mercer init --list shows examples")
	case f.population != "" && (f.csv != "" || f.program != ""):
		return errors.New("--population has points of its own: leave out --csv and --program")
	case f.rate != "" && f.population == "":
		return errors.New("--rate is about a population: add --population series")
	case (f.label != "" || f.drop != nil) && f.csv == "":
		return errors.New("--label and --drop are columns of a CSV file: add --csv data.csv")
	}
	if f.compare == nil {
		f.compare = []string{"ekpca", "nystrom"}
	}
	for i, name := range f.compare {
		if !slices.Contains(templates.Methods(), name) {
			return errors.New("--compare: " + configs.Unknown("method", name, "", templates.Methods()))
		}
		if slices.Contains(f.compare[:i], name) {
			return fmt.Errorf("--compare: method %q is given twice", name)
		}
	}
	return nil
}

// text is the spec for a file.
func (f *initFlags) text(c *cobra.Command, file string) (string, error) {
	request := templates.Request{Name: templates.NameOf(file), Question: f.question, Compare: f.compare}
	if f.population != "" {
		return templates.FromPopulation(request, f.population, f.rate)
	}
	var data *templates.CSV
	if f.csv != "" {
		read, doubt, err := templates.ReadCSV(c.Context(), f.csv, f.label, f.drop)
		if err != nil {
			return "", err
		}
		if read.Path, err = below(file, f.csv); err != nil {
			return "", err
		}
		data = &read
		f.taken = read.Taken(f.csv) + doubt
	}
	if task, err := templates.Task(f.compare); err == nil {
		f.taken += fmt.Sprintf("%s: compared in %s\n", strings.Join(f.compare, ", "), task)
	}
	if f.program == "" {
		return templates.FromCSV(request, *data)
	}
	if _, err := os.Stat(f.program); err != nil {
		return "", err
	}
	program, err := below(file, f.program)
	if err != nil {
		return "", err
	}
	return templates.FromProgram(request, program, data)
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
