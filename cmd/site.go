package cmd

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"mercer/internal/compare"
	"mercer/internal/misuse"
	"mercer/report"
	"mercer/results"
	"mercer/runner/targets"
)

func newSite() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "site DIR",
		Short: "Make a folder for a web server of all runs below a directory",
		Long: `Make a static folder for a web server of all runs below a directory: index.html lists
them with question, answer and verdicts, and searches them; the reports are copied as they
are; history/ shows metrics over runs of one experiment where there are several.

Nothing runs on the server, and no page needs the network.`,
		Example: `  mercer site results
  mercer site nightly --out /srv/www/mercer`,
		Args: arguments(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			root := filepath.Clean(args[0])
			judged, err := judgedBelow(c, root, out)
			if err != nil {
				return err
			}
			runs, series, err := seriesBelow(c, root)
			if err != nil {
				return err
			}
			files, without, err := report.WriteSite(out, root, judged, runs, series, historyLevel)
			if err != nil {
				return err
			}
			for _, dir := range without {
				fmt.Fprintf(c.ErrOrStderr(), "note: %s has no report to copy; to write one: mercer report %s\n", filepath.ToSlash(dir), filepath.ToSlash(dir))
			}
			_, err = fmt.Fprintln(c.OutOrStdout(), "site:", filepath.ToSlash(files.Page))
			return err
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "site", "directory of the site")
	return c
}

// judgedBelow are the runs below a directory with their verdicts, but for those in the
// site itself.
func judgedBelow(c *cobra.Command, root, out string) ([]report.Judged, error) {
	var dirs []string
	for _, dir := range results.RunsBelow(root) {
		if inside, err := filepath.Rel(out, dir); err != nil || strings.HasPrefix(inside, "..") {
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) == 0 {
		return nil, usage(fmt.Errorf("%s: no run below it", filepath.ToSlash(root)))
	}
	judged, err := loadAll(root, dirs)
	if err != nil {
		return nil, err
	}
	for i := range judged {
		j := &judged[i]
		if j.Verdicts, err = judgeSpec(c, j.Run, j.Spec); err == nil {
			j.Answers, err = targets.Answers(j.Run, j.Spec)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.ToSlash(j.Run.Dir), err)
		}
	}
	return judged, nil
}

// seriesBelow are the metrics over the complete runs below a directory; none where these
// are fewer than two.
func seriesBelow(c *cobra.Command, root string) ([]compare.Side, []compare.Series, error) {
	runs, err := sides(c, "", "").CompleteRuns(root)
	if errors.As(err, new(misuse.Error)) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return runs, compare.History(runs, historyOptions(historyLevel, historyDrift), rand.New(rand.NewPCG(1, 2))), nil
}
