// Package cmd is the command line: one file a subcommand, no logic of its own.
package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mercer/configs"
	"mercer/internal/process"
)

// Exit codes.
const (
	exitOK           = 0
	exitFailed       = 1   // a cell failed, or the program could not do its work
	exitUsage        = 2   // the command line or the spec is wrong
	exitViolated     = 3   // a claim is violated, at 1 % over the whole spec, or a control holds
	exitRegression   = 4   // a comparison found a regression, or a crate is not what it says
	exitInconclusive = 5   // a comparison could not decide about a change for the worse; with --strict: a claim is inconclusive
	exitInterrupted  = 130 // stopped by Ctrl-C or SIGTERM; the same command continues
)

// exit is an error with an exit code; its message may be empty.
type exit struct {
	code int
	err  error
}

func (e exit) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e exit) Unwrap() error { return e.err }

// usage marks an error as one of the command line or the spec.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return exit{exitUsage, err}
}

// Main runs one command line and returns its exit code. What Go's runtime cannot
// recover from ends the process by a signal, not by an exit code that means something
// else.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if err := process.AbortBySignal(); err != nil {
		fmt.Fprintln(stderr, "note: an abort may dump core:", err)
	}
	console := &console{Writer: stderr}
	ctx, stop := interruptible(console)
	defer stop()
	begun := false // until then, errors are about the command line
	root := newRoot(&begun)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(console)
	called, err := root.ExecuteContextC(ctx)
	var e exit
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &e):
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		e = exit{exitInterrupted, errors.New("stopped; to continue, give the same command again")}
	case errors.As(err, new(configs.Problems)) || errors.As(err, new(configs.Problem)):
		e = exit{exitUsage, err}
	case !begun:
		e = exit{exitUsage, fmt.Errorf("%w\nsee %s --help", err, called.CommandPath())}
	default:
		e = exit{exitFailed, err}
	}
	if text := e.Error(); text != "" {
		fmt.Fprintln(stderr, text)
	}
	return e.code
}

// interruptible is a context that the first Ctrl-C or SIGTERM ends; the second ends
// the program, which loses nothing that was stored.
func interruptible(stderr io.Writer) (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		if _, ok := <-signals; !ok {
			return
		}
		fmt.Fprintln(stderr, "\nstopping; a run first finishes and stores its current work. Ctrl-C (or SIGTERM) again stops at once: then this work is done again next time")
		cancel()
		if _, ok := <-signals; ok {
			os.Exit(exitInterrupted)
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel()
	}
}

func newRoot(begun *bool) *cobra.Command {
	root := &cobra.Command{
		Use:   "mercer",
		Short: "Experiments on kernel approximation, checked against theory",
		Long: `Mercer runs experiments on kernel approximation, such as kernel PCA with Nyström
landmarks or random features, and its exact counterpart. A YAML spec names data,
methods, a grid of sizes and the claims of the theory. Mercer runs it reproducibly and
measures errors exactly, against populations whose operators are known. Each claim
holds, is violated, or cannot be decided from this run.`,
		Example: `  mercer list                                       the built-in experiments
  mercer run nystrom-kpca-rates --profile smoke     run one, in seconds
  mercer run my.yaml --workers 4                    run your own
  mercer submit my.yaml                             run it on a Slurm cluster
  mercer check nystrom-kpca-rates                   judge its claims again
  mercer compare main nystrom-kpca-rates            what became worse since main
  mercer export nystrom-kpca-rates > errors.csv     its numbers`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(newList(), newShow(), newExplain(), newValidate(), newPlan(), newRun(), newSubmit(), newStatus(), newMerge(), newShard(), newWatch(), newReport(), newCheck(), newCompare(), newBisect(), newHistory(), newExport(), newVerify(), newData(), newSchema(), newDoctor(), newInit(), newWorker())
	root.SetFlagErrorFunc(unknownFlag)
	noteBegin(root, begun)
	return root
}

// unknownFlag adds to the error about an unknown flag the one that was probably meant.
func unknownFlag(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	if near := configs.Nearest(unknown.GetSpecifiedName(), known); near != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return err
}

// noteBegin makes every command say when its own work begins.
func noteBegin(c *cobra.Command, begun *bool) {
	if run := c.RunE; run != nil {
		c.RunE = func(c *cobra.Command, args []string) error {
			*begun = true
			return run(c, args)
		}
	}
	for _, sub := range c.Commands() {
		noteBegin(sub, begun)
	}
}

// printJSON writes v for programs, indented.
func printJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

// version is the module's version and commit, as far as the binary knows them.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "devel"
	}
	return info.Main.Version
}

// arguments wraps a check of positional arguments so that a miss is a usage
// error that shows how to call the command.
func arguments(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return usage(fmt.Errorf("%w\nusage: %s", err, c.UseLine()))
		}
		return nil
	}
}
