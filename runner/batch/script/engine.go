package script

import (
	"context"
	"errors"
	"fmt"
	"os"

	"mercer/internal/misuse"
	"mercer/results"
	"mercer/runner/batch"
)

// most is how many shards a run may have: what LSF takes for an array by default, and
// all others do.
const most = 1000

// Engine leaves the submitting to the user.
type Engine struct{}

// Available refuses what only the command of a scheduler can ask for. A script can be
// written anywhere.
func (Engine) Available(_ context.Context, s batch.Settings, dir string) (batch.Offer, error) {
	offer := batch.Offer{Shards: most}
	if s.CPUs < 0 {
		return offer, misuse.Errorf("--cpus %d: must not be negative", s.CPUs)
	}
	if s.Mem != "" || s.Time != "" || s.Partition != "" || s.MaxParallel != 0 || len(s.Args) > 0 {
		return offer, misuse.Errorf("--mem, --time, --partition, --max-parallel and --sbatch-arg: a script cannot ask for them; give your scheduler's options to the command that submits it")
	}
	if _, err := claims(s, dir); err != nil {
		return offer, misuse.Mark(err)
	}
	return offer, nil
}

// Live is nothing.
func (Engine) Live(context.Context, string) ([]batch.Task, error) { return nil, nil }

// Submit writes the script, and the manifest for Kubernetes where an image is named, and
// prints how to submit them. It queues nothing.
func (Engine) Submit(_ context.Context, o batch.Order, _ func(batch.Job) error) error {
	if err := write(o, File, text(o)); err != nil {
		return err
	}
	if o.Settings.Image != "" {
		manifest, err := manifest(o)
		if err == nil {
			err = write(o, Manifest, manifest)
		}
		if err != nil {
			return err
		}
	}
	if !o.Keep {
		fmt.Fprintf(o.Out, "%s.\n", needs(o.Resources))
	}
	_, err := fmt.Fprintf(o.Out, "one of:\n%s", advice(o))
	return err
}

// write writes a file that can be run, unless it is there and stays; a dry run prints it.
func write(o batch.Order, name, text string) error {
	path := o.Path(name)
	_, err := os.Stat(path)
	switch {
	case o.DryRun:
		_, err = fmt.Fprintf(o.Out, "# %s\n%s\n", path, text)
		return err
	case o.Keep && !errors.Is(err, os.ErrNotExist):
		return nil
	}
	return errors.Join(results.WriteAtomic(path, []byte(text)), os.Chmod(path, 0o755))
}
