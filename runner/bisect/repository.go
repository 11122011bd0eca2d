package bisect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"mercer/internal/misuse"
	"mercer/internal/process"
)

// Commit is one of a repository.
type Commit struct {
	Hash    string `json:"hash"`
	Date    string `json:"date"` // of its author
	Author  string `json:"author"`
	Subject string `json:"subject"`
}

// String is the commit in a line.
func (c Commit) String() string {
	return fmt.Sprintf("%.10s %s (%s, %s)", c.Hash, c.Subject, c.Author, c.Date)
}

// Repository is a git repository with a checkout of its own for builds.
type Repository struct {
	root    string
	scratch string // a folder with the checkout and the programs
}

// Open finds the repository around the current folder, and makes room for builds.
func Open(ctx context.Context) (*Repository, error) {
	root, err := (&Repository{}).git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, misuse.Errorf("bisect works in a git repository: %w", err)
	}
	scratch, err := os.MkdirTemp("", "mercer-bisect-")
	return &Repository{root: root, scratch: scratch}, err
}

// Close removes the checkout and the programs.
func (r *Repository) Close() error {
	var err error
	if _, missing := os.Stat(r.checkout()); missing == nil {
		_, err = r.git(context.Background(), "worktree", "remove", "--force", r.checkout())
	}
	return errors.Join(err, os.RemoveAll(r.scratch))
}

func (r *Repository) checkout() string { return filepath.Join(r.scratch, "checkout") }

// Commits are good, those after it along first parents, and bad, the last.
func (r *Repository) Commits(ctx context.Context, good, bad string) ([]Commit, error) {
	var ends [2]string
	for i, name := range []string{good, bad} {
		hash, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
		if err != nil {
			return nil, misuse.Errorf("%q is no commit of %s", name, r.root)
		}
		ends[i] = hash
	}
	const fields = "--format=%H%x00%as%x00%an%x00%s"
	text, err := r.git(ctx, "log", "--first-parent", "--reverse", fields, ends[0]+".."+ends[1])
	if err != nil {
		return nil, err
	}
	last, err := r.git(ctx, "log", "-1", fields, ends[0])
	if err != nil {
		return nil, err
	}
	commits := []Commit{commitOf(last)}
	for line := range strings.Lines(text) {
		commits = append(commits, commitOf(strings.TrimSpace(line)))
	}
	if len(commits) < 2 {
		return nil, misuse.Errorf("no commit of %q comes after %q: give the older one as --good", bad, good)
	}
	if parent, err := r.git(ctx, "rev-parse", commits[1].Hash+"^1"); err != nil || parent != ends[0] {
		return nil, misuse.Errorf("%q is not on the line of first parents of %q: give a commit from which that was reached without merging it", good, bad)
	}
	return commits, nil
}

func commitOf(line string) Commit {
	parts := strings.SplitN(line+"\x00\x00\x00", "\x00", 5)
	return Commit{Hash: parts[0], Date: parts[1], Author: parts[2], Subject: parts[3]}
}

// Build checks a commit out, has the command build it, and keeps the program, whose path
// is within the checkout; the copy's path is returned. What the command prints is part of
// its error.
func (r *Repository) Build(ctx context.Context, c Commit, command []string, program string) (string, error) {
	where := r.checkout()
	var err error
	if _, missing := os.Stat(where); missing != nil {
		_, err = r.git(ctx, "worktree", "add", "--detach", "--force", where, c.Hash)
	} else {
		_, err = r.git(ctx, "-C", where, "checkout", "--detach", "--force", c.Hash)
	}
	if err != nil {
		return "", err
	}
	built := filepath.Join(where, program)
	if err := os.RemoveAll(built); err != nil { // that of another commit
		return "", err
	}
	if text, err := run(ctx, where, command...); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, text)
	}
	if _, err := os.Stat(built); err != nil {
		return "", fmt.Errorf("%s made no %s: name the program by --program", strings.Join(command, " "), program)
	}
	kept := filepath.Join(r.scratch, c.Hash+filepath.Ext(program))
	return kept, copyProgram(kept, built)
}

func copyProgram(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o777)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// git runs git on the repository and returns what it prints.
func (r *Repository) git(ctx context.Context, args ...string) (string, error) {
	text, err := run(ctx, r.root, append([]string{"git"}, args...)...)
	if err != nil {
		return "", fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, text)
	}
	return strings.TrimSpace(text), nil
}

// mostPrinted is how much of what a command prints is kept: its end, which has the error.
const mostPrinted = 1 << 14

// run runs a command to its end, and kills all that it started when the context ends.
func run(ctx context.Context, dir string, command ...string) (string, error) {
	var out bytes.Buffer
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Dir, c.Stdout, c.Stderr = dir, &out, &out
	err := process.Run(c)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	text := out.Bytes()
	return string(text[max(0, len(text)-mostPrinted):]), err
}
