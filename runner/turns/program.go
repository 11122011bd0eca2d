package turns

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"mercer/internal/misuse"
	"mercer/internal/process"
	"mercer/results"
)

// Program is a mercer.
type Program struct {
	Name string // as the user called it
	file string
}

// options are the flags that a program must know.
var options = []string{"--out", "--profile", "--filter", "--quiet"}

// patience is how long a program may take to print its help, on a busy machine.
const patience = time.Minute

// Find finds a program by its path, or by its name in $PATH. Its error is a misuse, but
// for that of the context.
func Find(ctx context.Context, name string) (Program, error) {
	p := Program{Name: name}
	file, err := exec.LookPath(name)
	if err == nil {
		p.file, err = filepath.Abs(file)
	}
	if err != nil {
		return p, misuse.Errorf("%s: not an executable (%w): give the path of a mercer, such as ./mercer", name, err)
	}
	limited, stop := context.WithTimeout(ctx, patience)
	defer stop()
	help, _, err := p.run(limited, nil, "run", "--help")
	switch {
	case ctx.Err() != nil:
		return p, ctx.Err()
	case err != nil:
		return p, misuse.Errorf("%s: not a mercer: it does not answer to run --help: %w", name, err)
	case !strings.Contains(help, "mercer run SPEC"):
		return p, misuse.Errorf("%s: not a mercer: run --help prints no help of mercer run", name)
	}
	for _, option := range options {
		if !strings.Contains(help, option+" ") && !strings.Contains(help, option+"[") {
			return p, misuse.Errorf("%s: this mercer is too old: its command run does not know %s; build a newer one", name, option)
		}
	}
	return p, nil
}

// Exit codes of mercer run that mean something here.
const (
	exitUsage       = 2
	exitInterrupted = 130
)

// records has the program run one repeat of a spec below a folder, and reads what it
// has measured.
func (p Program) records(ctx context.Context, dir, spec, profile, filter string) (run results.Run, err error) {
	out, scratch := filepath.Join(dir, "run"), filepath.Join(dir, "tmp")
	defer func() { err = errors.Join(err, os.RemoveAll(out), os.RemoveAll(scratch)) }()
	if err := os.Mkdir(scratch, 0o777); err != nil {
		return run, err
	}
	_, complaint, err := p.run(ctx, append(os.Environ(), "TMPDIR="+scratch), "run", "--out", out, "--profile", profile, "--filter", filter, "--quiet", "--", spec)
	var ended *exec.ExitError
	code := 0
	if errors.As(err, &ended) {
		code = ended.ExitCode()
	}
	switch {
	case ctx.Err() != nil:
		return run, ctx.Err()
	case code == exitInterrupted: // by who signals this process next
		return run, context.Canceled
	case code == exitUsage:
		return run, misuse.Errorf("%s refuses %s:\n%s", p.Name, spec, complaint)
	case code < 0 || err != nil && ended == nil:
		return run, fmt.Errorf("%s run %s: %w\n%s", p.Name, spec, err, complaint)
	}
	if run, err = results.Load(out); err == nil && run.Missing() > 0 {
		err = fmt.Errorf("%d of %d records are missing", run.Missing(), run.Manifest.Cells)
	}
	if err != nil {
		return run, fmt.Errorf("%s run %s ended with exit code %d: %w\n%s", p.Name, spec, code, err, complaint)
	}
	return run, nil
}

// run runs the program to its end and returns what it printed.
func (p Program) run(ctx context.Context, env []string, args ...string) (stdout, stderr string, err error) {
	var out, complaint head
	c := exec.CommandContext(ctx, p.file, args...)
	c.Env, c.Stdout, c.Stderr = env, &out, &complaint
	err = process.Run(c)
	return out.String(), strings.TrimSpace(complaint.String()), err
}

// head keeps the first of what a program prints.
type head struct{ bytes.Buffer }

const mostKept = 1 << 16

func (h *head) Write(p []byte) (int, error) {
	h.Buffer.Write(p[:min(len(p), mostKept-h.Len())])
	return len(p), nil
}
