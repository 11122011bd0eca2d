package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/stat"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/experiments/templates"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/results"
	"mercer/runner"
)

func newAdvise() *cobra.Command {
	request := templates.Advice{Reach: claims.MostFactor}
	flags := runFlags{planFlags: planFlags{profile: configs.DefaultProfile}, isolate: runner.IsolateNone, threads: runtime.NumCPU()}
	var tolerance string
	var spec bool
	var gamma float64
	c := &cobra.Command{
		Use:   "advise FILE.csv",
		Short: "Which approximation, how many components, for your data",
		Long: `Finds, for the points of a CSV file, how many landmarks or random features each
approximation needs to be within a tolerance, and which is fastest; prints the code for
scikit-learn. It runs a spec that --spec prints, within --seconds; the same command goes on
where it stopped. Coordinates are standardised; columns that are no numbers are left out.

Tasks, and what is within the tolerance:
  kernel     the relative error of the kernel matrix in trace norm, in 95 % of draws
  spectral   the same in spectral norm
  pca        the reconstruction error of kernel PCA, to that of the exact method
  cluster    the cost of kernel k-means, to that of the exact method
  regress    the root mean squared error of kernel ridge regression (--response), likewise
  classify   the accuracy of classes by kernel ridge regression (--label), likewise`,
		Example: `  mercer advise houses.csv
  mercer advise houses.csv --tolerance 5% --sigma 2 --seconds 30
  mercer advise houses.csv --response price
  mercer advise iris.csv --label species
  mercer advise houses.csv --spec > my.yaml`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			request.CSV = args[0]
			var err error
			switch {
			case c.Flags().Changed("ridge") && !(request.Ridge > 0):
				err = errors.New("--ridge: give a number above 0, or leave it out: the best of a sweep is taken")
			case gamma < 0 || gamma > 0 && c.Flags().Changed("sigma"):
				err = errors.New("--gamma is scikit-learn's, above 0: exp(-gamma·d²), or exp(-gamma·|x-y|₁) of laplace; it takes the place of --sigma")
			case gamma > 0 && request.Kernel == "laplace":
				request.Sigma = strconv.FormatFloat(1/gamma, 'g', -1, 64)
			case gamma > 0:
				request.Sigma = strconv.FormatFloat(1/math.Sqrt(2*gamma), 'g', -1, 64)
			}
			if err != nil {
				return usage(err)
			}
			if request.Tolerance, err = share(tolerance); err == nil {
				err = request.Look(c.Context(), request.CSV)
			}
			if err == nil {
				err = request.Complete()
			}
			if err != nil {
				return usage(err)
			}
			request.Name = "advise-" + templates.NameOf(args[0]) + "-" + request.Task
			fmt.Fprintf(c.ErrOrStderr(), "note: %s: %s\n", plain.Count(len(request.Coordinates), "coordinate"), plain.Some(request.Coordinates, 20))
			for _, left := range request.Left {
				fmt.Fprintln(c.ErrOrStderr(), "note:", left)
			}
			if !request.Fixed() && !request.Words {
				fmt.Fprintf(c.ErrOrStderr(), "note: the bandwidth is read off the points, and the code has it; for scikit-learn's default give --gamma %.6g\n", 1/float64(len(request.Coordinates)))
			}
			command := flags.command(c, request.CSV)
			flags.out = cmp.Or(flags.out, filepath.Join(flags.root, request.Name))
			limit := time.Duration(0.93 * request.Seconds * float64(time.Second)) // the rest is for the report
			ctx, cancel := context.WithCancel(c.Context())
			timer := time.AfterFunc(limit, cancel)
			flags.replayed = func() { timer.Reset(limit) } // what an earlier start has computed takes no time
			defer cancel()
			if request.Sweeps() {
				if err := flags.sweep(ctx, c, &request, command); err != nil {
					return err
				}
			}
			text, err := request.Spec()
			if err != nil || spec {
				return errors.Join(err, say(c, text))
			}
			return flags.advise(ctx, c, text, command)
		},
	}
	f := c.Flags()
	f.StringVar(&request.Task, "task", "", "what is approximated: "+strings.Join(slices.Sorted(maps.Keys(templates.Tasks)), ", ")+" (default: regress with --response, classify with --label, else kernel)")
	f.StringVar(&tolerance, "tolerance", "", "such as 1% (default: 1 % for kernel, spectral and classify, else 5 %)")
	f.StringVar(&request.Kernel, "kernel", "gaussian", "gaussian, exp(-d²/2σ²), or laplace, exp(-|x-y|₁/σ)")
	f.StringVar(&request.Sigma, "sigma", "sweep", "bandwidth σ: a number, median (of the distances), or sweep: the median, and what its half and its double change")
	f.Float64Var(&gamma, "gamma", 0, "bandwidth as scikit-learn has it, in place of --sigma: 1/(2σ²), of laplace 1/σ")
	f.StringVar(&request.Response, "response", "", "column of the numbers to predict: its name or index")
	f.StringVar(&request.Label, "label", "", "column of the classes: its name or index")
	f.StringSliceVar(&request.Drop, "drop", nil, "columns that are no coordinates: names or indices")
	f.BoolVar(&request.Words, "one-hot", false, "take columns of words, one coordinate for each word")
	f.BoolVar(&request.Raw, "raw", false, "take coordinates as they are, not standardised")
	f.Float64Var(&request.Ridge, "ridge", 0, "λ of (1/n)Σ(f(x_i) - y_i)² + λ‖f‖² for regress and classify (default: the best in a sweep)")
	f.IntVar(&request.Ell, "components", 10, "components of pca")
	f.IntVar(&request.K, "clusters", 0, "clusters of cluster (default: the classes of --label, else 3)")
	f.Float64Var(&request.Seconds, "seconds", 120, "time that a run may take")
	f.BoolVar(&spec, "spec", false, "print the spec and run nothing")
	f.StringVarP(&flags.out, "out", "o", "", "run directory (default: <results>/advise-<file>-<task>)")
	f.StringVar(&flags.root, "results", resultsRoot, "directory that holds all runs")
	f.BoolVarP(&flags.quiet, "quiet", "q", false, "no progress")
	flags.addMemory(c)
	addJSON(c, jsonResult)
	return c
}

// share reads 1% or 0.01; "" is 0.
func share(text string) (float64, error) {
	if text == "" {
		return 0, nil
	}
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v > 0) || v >= 1 {
		return 0, fmt.Errorf("--tolerance %q: give a share between 0 and 1, such as 1%% or 0.01", text)
	}
	return v, nil
}

// carryOutText is carryOut of the text of a spec whose paths start here.
func (f *runFlags) carryOutText(ctx context.Context, c *cobra.Command, text, command string) (results.Run, bool, error) {
	s := specFile{text: []byte(text), dir: ".", name: "advise", file: "the spec of mercer advise"}
	var err error
	if s.spec, err = source.Parse(s.file, s.text); err != nil {
		return results.Run{}, false, err
	}
	return f.carryOut(ctx, c, s, command)
}

// sweep finds the bandwidth and the ridge at which the exact regression has the least error.
func (f *runFlags) sweep(ctx context.Context, c *cobra.Command, request *templates.Advice, command string) error {
	text, err := request.Sweep()
	if err != nil {
		return err
	}
	own := *f
	own.out = filepath.Join(f.out, "sweep")
	run, stopped, err := own.carryOutText(ctx, c, text, command)
	if err == nil && stopped {
		err = exit{exitFailed, errors.New("stopped before bandwidth and ridge were found: give more --seconds, or --sigma and --ridge; to go on: " + command)}
	}
	if err == nil {
		_, err = writeReport(c, run)
	}
	if err != nil {
		return err
	}
	best, task := math.Inf(1), request.About()
	for _, cell := range results.Cells(run.Present()) {
		values := lists.Map(cell.Rows, func(r *results.Row) float64 { return r.Metrics[task.Error] })
		mean := stat.Mean(values, nil)
		if task.More {
			mean = -mean
		}
		if mean < best {
			best = mean
			request.Ridge, _ = cell.At.Number("lambda")
			if times, swept := cell.At.Number("times"); swept {
				request.Times = times
			}
		}
	}
	if end := request.SweptToEnd(); end != "" {
		fmt.Fprintf(c.ErrOrStderr(), "note: %s is at the end of its list: what lies beyond was not tried; --sigma and --ridge take other values\n", end)
	}
	fmt.Fprintf(c.ErrOrStderr(), "note: least error of the exact method: sigma %g times the median distance, ridge %g (%s)\n", request.Times, request.Ridge, own.out)
	return nil
}

// advise runs the spec of a request for as long as it may, and prints what is known then.
func (f *runFlags) advise(ctx context.Context, c *cobra.Command, text, command string) error {
	run, stopped, err := f.carryOutText(ctx, c, text, command)
	if err != nil {
		return err
	}
	written, err := writeReport(c, run)
	if err == nil {
		err = written.show(c)
	}
	switch {
	case err != nil:
		return err
	case stopped && c.Context().Err() != nil:
		return exit{exitInterrupted, errors.New("stopped; to go on: " + command)}
	case stopped:
		fmt.Fprintf(c.ErrOrStderr(), "note: the time was over after %d of %d rows; to go on: %s\n", len(run.Rows), len(run.Manifest.IDs), command)
		return nil
	}
	return outcome(run, nil, false)
}
