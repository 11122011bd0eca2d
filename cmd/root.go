// Package cmd is the command line: one file a subcommand, no logic of its own.
package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/internal/misuse"
	"mercer/internal/process"
)

// Main runs one command line and returns its exit code. What Go's runtime cannot
// recover from ends the process by a signal, not by an exit code that means something
// else.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if err := process.AbortBySignal(); err != nil {
		fmt.Fprintln(stderr, "note: an abort may dump core:", err)
	}
	console := console{stderr}
	begun := false // until then, errors are about the command line
	ctx, stop := interruptible(console)
	defer stop()
	root := newRoot()
	whenBegun(root, func() { begun = true })
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
	case errors.As(err, new(misuse.Error)):
		e = exit{exitUsage, err}
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
		fmt.Fprintln(console, text)
	}
	return e.code
}

// interruptible is a context that the first Ctrl-C, SIGTERM or SIGHUP ends; a second Ctrl-C or
// SIGTERM ends the program, which loses nothing that was stored. A terminal that closes may send
// SIGHUP twice: once itself, once through its shell. Under nohup it stays ignored.
func interruptible(stderr io.Writer) (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	hangup := make(chan os.Signal, 1)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(hangup, syscall.SIGHUP)
	}
	go func() {
		select {
		case <-hangup:
		case _, ok := <-signals:
			if !ok {
				return
			}
		}
		fmt.Fprintln(stderr, "\nstopping; a run first finishes and stores its current work. Ctrl-C (or SIGTERM) again stops at once: then this work is done again next time")
		cancel()
		if _, ok := <-signals; ok {
			os.Exit(exitInterrupted)
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		signal.Stop(hangup)
		close(signals)
		cancel()
	}
}

func newRoot() *cobra.Command {
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
  mercer submit my.yaml --shards 50                 run it on a cluster
  mercer check nystrom-kpca-rates                   judge its claims again
  mercer compare old/run new/run                    what became worse
  mercer export nystrom-kpca-rates > errors.csv     its numbers`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(newList(), newShow(), newValidate(), newPlan(), newCheck(), newCompare(), newSchema(),
		newRun(), newSubmit(), newMerge(), newReport(), newExport(), newData(), newInit(), newAdvise(), newWorker())
	root.AddCommand(goneCommands()...)
	root.SetFlagErrorFunc(unknownFlag)
	return root
}

// whenBegun makes every command say when its own work begins: its arguments and flags are right.
func whenBegun(c *cobra.Command, say func()) {
	if run := c.RunE; run != nil {
		c.RunE = func(c *cobra.Command, args []string) error {
			say()
			return run(c, args)
		}
	}
	for _, sub := range c.Commands() {
		whenBegun(sub, say)
	}
}
