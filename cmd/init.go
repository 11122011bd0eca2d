package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/experiments/templates"
	"mercer/internal/plain"
	"mercer/methods/exec"
	"mercer/results"
	"mercer/runner/plan"
)

func newInit() *cobra.Command {
	var r templates.Request
	var language string
	var examples bool
	languages := slices.Sorted(maps.Keys(exec.Helpers))
	c := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a commented spec of your own, ready to run",
		Long: `Write a commented spec that is valid and ends with a figure. FILE is a new YAML file, by
default named by the data, population or program. The data file and the program must
lie in the directory of FILE or below it.

--csv reads the file once, for its number of points and classes. Every column is a
coordinate, but for the classes (--label) and what is none (--drop). Rows with missing
cells are left out. It prints what it took.`,
		Example: `  mercer init --csv data.csv --compare nystrom,rff,kjl --question 'Which is best?'
  mercer init --csv iris.csv --label species --drop id --compare ekpca,nystrom,rff
  mercer init rates.yaml --population series --rate=-0.25
  mercer init --program method.py --compare ekpca,nystrom
  mercer init --list
  mercer init --exec py > mercer.py   makes a Python function a method (docs/exec.md); also R`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			switch helper, known := exec.Helpers[language]; {
			case examples:
				return say(c, templates.Examples)
			case known:
				return say(c, helper)
			case language != "":
				return usage(errors.New("--exec: " + configs.Unknown("language", language, "", languages) + "; a program of yours is named by --program"))
			}
			notes, err := writeSpec(c, &r, append(args, "")[0])
			if err != nil {
				return err
			}
			file := filepath.ToSlash(r.File)
			if forProgram(c) {
				return printJSON(c.OutOrStdout(), struct {
					Spec  string   `json:"spec"`
					Notes []string `json:"notes"`
				}{file, strings.FieldsFunc(notes, func(r rune) bool { return r == '\n' })})
			}
			file = plain.Quote(file)
			return say(c, fmt.Sprintf("%s: written\n%snext: mercer run %s --profile smoke   (seconds), then mercer run %s\n", file, notes, file, file))
		},
	}
	c.Flags().StringVar(&r.CSV, "csv", "", "compare methods on the points of this CSV file")
	c.Flags().StringVar(&r.Label, "label", "", "column of the classes in the CSV file: its name, its index from 0 (negative: from the end), or none (default)")
	c.Flags().StringSliceVar(&r.Drop, "drop", nil, "columns of the CSV file that are no coordinates, such as an id: names or indexes")
	c.Flags().StringSliceVar(&r.Compare, "compare", []string{"ekpca", "nystrom"}, "methods to compare: "+strings.Join(templates.Methods(), ", "))
	c.Flags().StringVar(&r.Question, "question", "", "what a reader of the report wants to know")
	c.Flags().StringVar(&r.Population, "population", "", "judge a rate on this population: series or atoms")
	c.Flags().StringVar(&r.Rate, "rate", "", "claimed power of n, such as --rate=-0.25, or an expression in theta and alpha")
	c.Flags().StringVar(&r.Program, "program", "", "compare this program with mercer's methods")
	c.Flags().StringVar(&language, "exec", "", "print the file that turns a function of this language into a method: py or R")
	addJSON(c, "print JSON: the file that was written and what was taken from data")
	c.Flags().BoolVar(&examples, "list", false, "show the templates")
	for flag, values := range map[string][]string{"compare": templates.Methods(), "exec": languages, "population": {"series", "atoms"}} {
		complete(c, flag, values)
	}
	return c
}

// writeSpec writes the spec of a request, which has been checked, to a new file.
func writeSpec(c *cobra.Command, r *templates.Request, file string) (notes string, err error) {
	subject := cmp.Or(r.Program, r.CSV, r.Population)
	r.File = cmp.Or(file, strings.TrimSuffix(subject, filepath.Ext(subject))+".yaml")
	if _, err := os.Lstat(r.File); !errors.Is(err, fs.ErrNotExist) {
		return "", usage(fmt.Errorf("%s is there already; name another file: mercer init FILE", r.File))
	}
	text, notes, err := r.Spec(c.Context())
	if err != nil {
		return "", usage(err)
	}
	spec, err := source.Parse(r.File, []byte(text))
	if err == nil {
		_, err = plan.CheckProfiles(c.Context(), spec, filepath.Dir(r.File), nil)
	}
	if err != nil {
		return "", usage(fmt.Errorf("no spec is written, since it would be wrong:\n%w", err))
	}
	return notes, results.WriteAtomic(r.File, []byte(text))
}
