package fetch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"syscall"

	"mercer/internal/lists"
)

// Error says why a data set could not be fetched: each source with its reason, and
// what the user can do. It wraps the reasons.
type Error struct {
	Name     string   // of the data set
	Missing  []string // files that could not be fetched
	Attempts []error  // sources that were tried, and why they did not give the files
	Advice   string
}

// Error has a line for each source.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: cannot get %s", e.Name, strings.Join(e.Missing, ", "))
	for _, attempt := range e.Attempts {
		fmt.Fprintf(&b, "\n  %v", attempt)
	}
	fmt.Fprintf(&b, "\n  what to do: %s", e.Advice)
	return b.String()
}

// Unwrap gives the reasons.
func (e *Error) Unwrap() []error { return e.Attempts }

// ChecksumError is a file whose content is not the published one.
type ChecksumError struct {
	File      string
	Got, Want string // SHA-256 in hex
}

func (e *ChecksumError) Error() string {
	return fmt.Sprintf("%s has SHA-256 %s, want %s: it is not the published file", e.File, e.Got, e.Want)
}

// unwritable tells that the cache cannot be written, so that no further source
// need be tried.
func (j *job) unwritable(err error) bool {
	var at *fs.PathError
	return errors.As(err, &at) && strings.HasPrefix(at.Path, j.dir) || errors.As(err, new(*os.LinkError))
}

// full says that a disk, or a quota of one, is full.
func full(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }

// note records why a source did not give the files.
func (j *job) note(source string, err error) {
	var ue *url.Error
	if errors.As(err, &ue) { // the source names the address already
		err = ue.Err
	}
	j.attempts = append(j.attempts, fmt.Errorf("%s: %w", source, err))
}

// fail notes the last reason, if there is one, and makes the Error.
func (j *job) fail(source string, err error) error {
	if err != nil {
		j.note(source, err)
	}
	e := &Error{Name: j.set.name, Attempts: j.attempts, Missing: lists.Map(j.missing(), func(f file) string { return f.name })}
	names := strings.Join(e.Missing, ", ")
	own := fmt.Sprintf("put %s (unpacked) into DIR/%s and set MERCER_DATA=DIR", names, j.set.name)
	switch {
	case full(err):
		e.Advice = fmt.Sprintf("the disk is full: free about %d MB there, or set MERCER_CACHE to a directory on another disk", 2*j.set.bytes()>>20+1)
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		e.Advice = "it was interrupted; run it again: it continues where it stopped; or " + own
	case j.unwritable(err) || strings.HasPrefix(source, "cache"):
		e.Advice = "set MERCER_CACHE to a directory that can be written"
	case j.set.own != "":
		e.Advice = fmt.Sprintf("this data set cannot be fetched. Put %s into DIR/%s and set MERCER_DATA=DIR. Expected: %s", names, j.set.name, j.set.own)
	default:
		e.Advice = "with a network, run it again; without, " + own
	}
	return e
}

func listFiles(files []file) string {
	return strings.Join(lists.Map(files, func(f file) string { return f.name }), ", ")
}
