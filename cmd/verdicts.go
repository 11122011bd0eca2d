package cmd

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/report"
	"mercer/report/views"
	"mercer/results"
	"mercer/runner/targets"
	"mercer/runner/verdicts"
)

// aboutRun gives a command whose argument is a run, by directory or by experiment
// name, its argument, its flag --results and what to do with the run.
func aboutRun(c *cobra.Command, do func(*cobra.Command, results.Run) error) *cobra.Command {
	root := c.Flags().String("results", resultsRoot, "directory that holds all runs")
	c.Args = cobra.ExactArgs(1)
	c.RunE = func(c *cobra.Command, args []string) error {
		dir, err := results.Latest(*root, args[0])
		if err != nil {
			return usage(err)
		}
		run, err := results.Load(dir)
		if err != nil {
			return err
		}
		return do(c, run)
	}
	return c
}

// judge gives the verdicts on the claims of a run, from its files alone, and the answers to its
// targets.
func judge(c *cobra.Command, run results.Run) (judged []claims.Verdict, answers []claims.Answer, err error) {
	if err := whole(run); err != nil {
		return nil, nil, err
	}
	judged, lacking, err := verdicts.Judge(run, run.Spec.Repeats.Looks())
	if lacking && err == nil {
		fmt.Fprintf(c.ErrOrStderr(), "note: %s has no facts on its populations (%s), which theorems are judged by; to compute them from its data: %s\n",
			filepath.ToSlash(run.Dir), results.PopulationsFile, cmp.Or(run.Manifest.Command, "run "+run.Spec.Name+" anew"))
	}
	if err == nil {
		answers, _, err = targets.Find(run)
	}
	return judged, answers, err
}

// whole refuses a shard, which is no run to be judged.
func whole(run results.Run) error {
	if shard := run.Manifest.Shard; shard != "" {
		return usage(fmt.Errorf("%s is shard %s of a run: mercer merge its shards first", filepath.ToSlash(run.Dir), shard))
	}
	return nil
}

// recordLook notes in a run's folder that its verdicts were read. A folder that cannot be
// written has no further looks either.
func recordLook(c *cobra.Command, run results.Run) {
	if err := results.RecordLook(run); err != nil {
		fmt.Fprintln(c.ErrOrStderr(), "note: the look at these verdicts is not recorded:", err)
	}
}

// reported is what a run's verdicts and answers are, and the path of its page; empty where
// no report was written.
type reported struct {
	run      results.Run
	verdicts []claims.Verdict
	answers  []claims.Answer
	page     string
	figure   string // path of the first one, as PDF
}

// jsonResult is the flag --json of commands that end with the report of a run.
const jsonResult = "print the answer, verdicts, rows by status and paths as JSON"

// show prints for people, or for a program where it was asked to.
func (r reported) show(c *cobra.Command) error {
	if !forProgram(c) {
		return say(c, r.text(tableOptions(c.OutOrStdout())))
	}
	counts := map[results.Status]int{}
	for i := range r.run.Rows {
		counts[r.run.Rows[i].Status]++
	}
	return printJSON(c.OutOrStdout(), struct {
		Directory string                 `json:"directory"`
		Answer    string                 `json:"answer,omitempty"`
		Verdicts  []claims.Verdict       `json:"verdicts"`
		Answers   []claims.Answer        `json:"answers,omitempty"` // to targets
		Advice    *views.Advice          `json:"advice,omitempty"`
		Rows      map[results.Status]int `json:"rows"`
		Missing   int                    `json:"missing"`
		Report    string                 `json:"report"`
		Figure    string                 `json:"figure,omitempty"`
		Next      string                 `json:"next,omitempty"`
	}{filepath.ToSlash(r.run.Dir), r.view().Answer(), append([]claims.Verdict{}, r.verdicts...), r.answers, r.view().Advice(), counts, r.run.Missing(),
		filepath.ToSlash(r.page), filepath.ToSlash(r.figure), r.next()})
}

// view is what the tables of a run are made from.
func (r reported) view() *views.Report { return views.New(r.run, r.verdicts, r.answers) }

// text is the answer, means, verdicts and answers, what failed and what to do next. Of targets
// alone only the answers are shown.
func (r reported) text(o report.TableOptions) string {
	text := report.Terminal(r.view(), o)
	if r.page != "" {
		text += "report: " + filepath.ToSlash(r.page) + "\n"
	}
	if r.figure != "" {
		text += "figure: " + filepath.ToSlash(r.figure) + "\n"
	}
	return text + "next: " + r.next() + "\n"
}

// next is a command that goes on with what is missing, failed or open, or has the numbers of a run
// that is complete.
func (r reported) next() string {
	command := r.run.Manifest.Command
	failed := slices.ContainsFunc(r.run.Rows, func(row results.Row) bool { return !row.Final() })
	open := slices.ContainsFunc(r.verdicts, claims.Verdict.Open)
	switch {
	case command == "":
	case r.run.Missing() > 0 || failed:
		return command
	case open && !r.run.Spec.Repeats.Adaptive() && !strings.Contains(command, "--until-decided"):
		return command + " --until-decided"
	}
	return "mercer export " + plain.Quote(filepath.ToSlash(r.run.Dir)) + " > numbers.csv"
}

// writeReport judges a run, answers its targets, and writes the report into its folder.
func writeReport(c *cobra.Command, run results.Run) (reported, error) {
	judged, answers, err := judge(c, run)
	if err != nil {
		return reported{}, err
	}
	files, err := report.Write(filepath.Join(run.Dir, "report"), run, judged, run.Spec.Plots, answers)
	written := reported{run: run, verdicts: judged, answers: answers, page: files.Page, figure: files.Figure}
	if err == nil {
		recordLook(c, run)
	}
	return written, err
}
