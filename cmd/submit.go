package cmd

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"mercer/configs/source"
	"mercer/internal/plain"
	"mercer/runner/plan"
)

//go:embed slurm.sh.tmpl
var slurmTemplate string

type submitFlags struct {
	runFlags
	shards   int
	template string
	print    bool
}

// jobs is what a template of submit is filled with; texts are quoted for the shell.
type jobs struct {
	Name, Mercer string
	Run          string // mercer run with the spec and its flags, without --shard and --out
	Dir          string // of the run, with a folder shard-1, shard-2, … for each shard
	Shards       int
	Args         string // of the scheduler, each after a blank
}

func newSubmit() *cobra.Command {
	var f submitFlags
	c := &cobra.Command{
		Use:   "submit SPEC --shards N [-- ARGUMENT...]",
		Short: "Run an experiment on a cluster: a job array, then the report",
		Long: `Run an experiment on a cluster: fill a template of a shell script, and run it. The template
that is built in is for Slurm. It submits an array with one job for each of N shards, and a
job after it that merges them, judges the claims and writes the report. Arguments after
-- are those of each sbatch.

Give the command again at any time: finished rows are not computed again, and a log beside
each shard's folder says what it did. The folder of the run and the data (MERCER_DATA,
MERCER_CACHE) must lie on a file system that all nodes share.

For another scheduler, --template is a file of your own, a Go template of a shell script with
the fields {{.Run}}, {{.Shards}}, {{.Dir}}, {{.Mercer}}, {{.Name}} and {{.Args}}.
docs/schedulers.md has the one for Slurm, and recipes without submit.

Exit codes: 0 submitted; 1 the scheduler refused; 2 the command line or the spec is wrong.`,
		Example: `  mercer submit my.yaml --shards 50 --print
  mercer submit my.yaml --shards 50 -- --time=4:00:00 --mem=8G --partition=short
  mercer submit my.yaml --shards 50 --template pbs.sh.tmpl`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeSpecs,
		RunE:              f.submit,
	}
	f.addShared(c)
	c.Flags().IntVar(&f.shards, "shards", 0, "number of jobs that share the work")
	c.Flags().StringVar(&f.template, "template", "", "template of the shell script that submits (default: Slurm's)")
	c.Flags().BoolVar(&f.print, "print", false, "print the script and submit nothing")
	return c
}

func (f *submitFlags) submit(c *cobra.Command, args []string) error {
	if f.shards < 1 {
		return usage(fmt.Errorf("--shards %d: say how many jobs share the work, such as --shards 50", f.shards))
	}
	if at := c.ArgsLenAtDash(); at != 1 && (at >= 0 || len(args) > 1) {
		return usage(fmt.Errorf("one spec, then arguments of the scheduler after --\nusage: %s", c.UseLine()))
	}
	if _, err := f.limited(c.ErrOrStderr()); err != nil {
		return err
	}
	script, err := f.script(c, args[0], args[1:])
	if err != nil {
		return err
	}
	if f.print {
		return say(c, script)
	}
	sh := exec.CommandContext(c.Context(), "sh")
	sh.Stdin, sh.Stdout, sh.Stderr = strings.NewReader(script), c.OutOrStdout(), c.ErrOrStderr()
	if err := sh.Run(); err != nil {
		return fmt.Errorf("nothing more is submitted: the script of mercer submit --print fails: %w", err)
	}
	return nil
}

// script is the template filled in, for a spec that has been checked.
func (f *submitFlags) script(c *cobra.Command, name string, arguments []string) (string, error) {
	s, err := readSpec(name, nil)
	if err != nil {
		return "", err
	}
	spec, err := source.Under(s.spec, f.profile, f.set...)
	if err == nil {
		_, err = plan.Check(c.Context(), spec, s.dir)
	}
	if err == nil {
		if f.until {
			spec.Repeats = spec.Repeats.UntilDecided()
		}
		err = shardable(spec)
	}
	if err != nil {
		return "", err
	}
	text := slurmTemplate
	if f.template != "" {
		own, err := source.File(f.template)
		if err != nil {
			return "", usage(fmt.Errorf("--template: %w", err))
		}
		text = string(own)
	}
	dir, err := filepath.Abs(f.dir(spec.Name))
	if err != nil {
		return "", err
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	f.out = ""
	mercer := plain.Quote(self)
	j := jobs{
		Name: spec.Name, Mercer: mercer, Dir: plain.Quote(dir), Shards: f.shards,
		Run: mercer + strings.TrimPrefix(f.command(c, name), "mercer"),
	}
	for _, argument := range arguments {
		j.Args += " " + plain.Quote(argument)
	}
	var script strings.Builder
	filled, err := template.New(f.template).Option("missingkey=error").Parse(text)
	if err == nil {
		err = filled.Execute(&script, j)
	}
	if err != nil {
		return "", usage(fmt.Errorf("--template: %w", err))
	}
	return script.String(), nil
}
