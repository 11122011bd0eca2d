package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mercer/configs"
	"mercer/internal/plain"
	"mercer/runner"
)

type runFlags struct {
	planFlags
	workers     int
	threads     int
	cellTimeout time.Duration
	cellMemory  string
	isolate     string
	out         string
	shard       string // 3/8
	root        string
	fresh       bool
	strict      bool
	quiet       bool

	// replayed is called while all rows that are due were there before.
	replayed func()
}

// register adds the flags of mercer run.
func (f *runFlags) register(c *cobra.Command) {
	f.addShared(c)
	f.addMemory(c)
	c.Flags().IntVarP(&f.workers, "workers", "w", 0, "groups of cells to compute side by side, one on each processor (default: the profile's, else all processors)")
	c.Flags().StringVar(&f.shard, "shard", "", "only this part of the run: 3/8 is the third of eight (with --out)")
	c.Flags().BoolVar(&f.fresh, "fresh", false, "delete the rows of an earlier run in the directory")
	c.Flags().BoolVar(&f.strict, "strict", false, "exit with 5 if a claim is inconclusive")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "no progress; notes and warnings are shown")
}

// addShared adds the flags that run and submit have, but for --strict.
func (f *runFlags) addShared(c *cobra.Command) {
	f.add(c)
	flags := c.Flags()
	flags.IntVar(&f.threads, "threads", 1, "processors of a timed fit, if time is measured")
	flags.StringVar(&f.isolate, "isolate", runner.IsolateAuto, "cells that run in worker processes: auto, process (all) or none")
	complete(c, "isolate", runner.Isolations)
	flags.DurationVar(&f.cellTimeout, "cell-timeout", 0, "time limit of a cell, such as 10m (default: the profile's)")
	flags.StringVar(&f.cellMemory, "cell-memory", "", "memory limit of a worker process, such as 4GiB or 20% (default: --memory)")
	flags.StringVarP(&f.out, "out", "o", "", "run directory (default: <results>/<experiment>/<profile>)")
	flags.StringVar(&f.root, "results", resultsRoot, "directory that holds all runs")
	flags.BoolVar(&f.optional, "skip-missing-data", false, "skip data sets that are not available, as if the spec called them optional")
}

// limited is the profile with what the flags give in its place; misuse of these is refused
// before anything is done. What a person should know is written to w.
func (f *runFlags) limited(w io.Writer) (configs.RunProfile, error) {
	p, err := configs.Profile(f.profile)
	if err != nil {
		return p, usage(err)
	}
	p.CellTimeout = cmp.Or(f.cellTimeout, p.CellTimeout)
	_, wrongMemory := configs.ParseMemory(f.cellMemory, 1<<30)
	wrongBackEnd := useBackEnd(w)
	switch {
	case f.threads < 1:
		err = fmt.Errorf("--threads %d: must be at least 1", f.threads)
	case f.cellTimeout < 0:
		err = fmt.Errorf("--cell-timeout %v: must not be negative", f.cellTimeout)
	case wrongMemory != nil:
		err = fmt.Errorf("--cell-memory: %w", wrongMemory)
	case !slices.Contains(runner.Isolations, f.isolate):
		err = errors.New("--isolate: " + configs.Unknown("isolation", f.isolate, "", runner.Isolations))
	default:
		err = wrongBackEnd
	}
	if err != nil {
		err = usage(err)
	}
	return p, err
}

// dir is the run directory.
func (f *runFlags) dir(experiment string) string {
	return cmp.Or(f.out, runner.DefaultDir(f.root, experiment, f.profile))
}

// command is how to go on with this run: mercer run with all of its flags that
// were given, but those that only say what is printed, and --fresh, which would
// forget what is there. What results.Merge leaves out of it is last.
func (f *runFlags) command(c *cobra.Command, spec string) string {
	words := []string{"mercer run", plain.Quote(spec), "--profile", plain.Quote(f.profile)}
	if c.Name() == "advise" {
		words = []string{"mercer advise", plain.Quote(spec)}
	}
	if f.out == "" && f.root != resultsRoot {
		words = append(words, "--results", plain.Quote(f.root))
	}
	c.Flags().Visit(func(flag *pflag.Flag) { // those that were given
		switch {
		case slices.Contains([]string{"profile", "out", "shard", "results", "fresh", "quiet", "json", "shards", "template", "print"}, flag.Name):
		case flag.Name == "set":
			for _, assignment := range f.set {
				words = append(words, "--set", plain.Quote(assignment))
			}
		case flag.Value.String() == "true":
			words = append(words, "--"+flag.Name)
		default:
			value := flag.Value.String()
			if list, ok := flag.Value.(pflag.SliceValue); ok {
				value = strings.Join(list.GetSlice(), ",")
			}
			words = append(words, "--"+flag.Name+"="+plain.Quote(value))
		}
	})
	if f.out != "" {
		words = append(words, "--out", plain.Quote(f.out))
	}
	if f.shard != "" {
		words = append(words, "--shard", f.shard)
	}
	return strings.Join(words, " ")
}
