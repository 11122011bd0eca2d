package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/internal/compare"
	"mercer/report"
	"mercer/results"
)

func newExport() *cobra.Command {
	var format, out string
	var noTimes bool
	var metrics []string
	var where whereFlag
	c := aboutRun(&cobra.Command{
		Use:   "export RUN",
		Short: "Write a run's numbers as tidy CSV, JSON lines, LaTeX or a reference",
		Long: `Write a run's numbers to standard output. RUN is a run directory or the name of an
experiment, which means its latest run.

  csv        one line a metric; two runs that agree give the same bytes, except for times
  jsonl      one row of the run a line
  latex      the report's tables of means, for \usepackage{booktabs,graphicx}
  reference  what mercer compare needs of a run, with its verdicts: into the folder --out`,
		Example: `  mercer export nystrom-kpca-rates > errors.csv
  mercer export nystrom-kpca-rates --format latex --metrics recon_h,recon_l2 > table.tex
  mercer export nystrom-kpca-rates --where 'method: [ekpca, nystrom], n: 500'
  mercer export my-rates --format reference --out results/reference/my-rates/smoke
  mercer export results/nystrom-kpca-rates/smoke --no-times | sha256sum`,
	}, func(c *cobra.Command, run results.Run) error {
		for _, warning := range run.Warnings {
			fmt.Fprintln(c.ErrOrStderr(), "warning:", warning)
		}
		switch {
		case (format == "reference") != (out != ""):
			return usage(errors.New("--format reference and --out DIR go together: a reference is a folder, other forms go to standard output"))
		case len(metrics) > 0 && format != "latex":
			return usage(errors.New("--metrics goes with --format latex; a CSV has a column metric by which any program picks lines"))
		case format == "reference" && where.text != "":
			return usage(errors.New("--where: a reference has all of a run"))
		}
		err := where.pick(func(w configs.Conditions) (err error) {
			run, err = run.Filtered(w)
			return err
		})
		if err != nil {
			return err
		}
		if forProgram(c) {
			format = "jsonl"
		}
		switch format {
		case "csv":
			return results.WriteCSV(c.OutOrStdout(), run, results.TableOptions{OmitTimes: noTimes})
		case "jsonl":
			return results.WriteJSONL(c.OutOrStdout(), run)
		case "latex":
			if err := report.WriteLatex(c.OutOrStdout(), run, metrics); err != nil {
				return usage(err)
			}
			return nil
		case "reference":
			return writeReference(c, run, out)
		}
		return cmp.Or(gone("export --format "+format), usage(fmt.Errorf("--format %q: must be csv, jsonl, latex or reference", format)))
	})
	c.Flags().StringVar(&format, "format", "csv", "form of the numbers, all for other programs: csv, jsonl, latex or reference")
	c.Flags().StringVarP(&out, "out", "o", "", "folder of the reference, such as results/reference/my-rates/smoke")
	addJSON(c, "print JSON lines, as --format jsonl does")
	c.MarkFlagsMutuallyExclusive("format", "json")
	c.Flags().BoolVar(&noTimes, "no-times", false, "omit metrics that are times (csv)")
	c.Flags().StringSliceVar(&metrics, "metrics", nil, "with latex only these, such as recon_h,time_total (default: all)")
	where.add(c, "rows")
	return c
}

// writeReference writes what later comparisons need of a complete run.
func writeReference(c *cobra.Command, run results.Run, out string) error {
	if missing := run.Missing(); missing > 0 || run.Manifest.Filter != "" {
		return fmt.Errorf("the run is not complete: %d rows are missing, filter %q; a reference needs a complete run", missing, run.Manifest.Filter)
	}
	for _, id := range slices.Sorted(maps.Keys(run.Catalog.Absent)) {
		return fmt.Errorf("data of %s were not available (%s): a reference needs a complete run", id, run.Catalog.Absent[id])
	}
	verdicts, answers, err := judge(c, run)
	if err != nil {
		return err
	}
	return compare.WriteReference(out, compare.Side{Name: run.Dir, Run: run, Verdicts: verdicts, Answers: answers})
}
