package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// Attempt is a source that was tried, and why it did not give the files.
type Attempt struct {
	Source string
	Err    error
}

// Error says why a data set could not be fetched: each source with its reason, and
// what the user can do. It wraps the reasons.
type Error struct {
	Name     string   // of the data set
	Missing  []string // files that could not be fetched
	Attempts []Attempt
	Advice   string
}

// Error has a line for each source.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: cannot get %s", e.Name, strings.Join(e.Missing, ", "))
	for _, a := range e.Attempts {
		fmt.Fprintf(&b, "\n  %s: %v", a.Source, a.Err)
	}
	fmt.Fprintf(&b, "\n  what to do: %s", e.Advice)
	return b.String()
}

// Unwrap gives the reasons.
func (e *Error) Unwrap() []error {
	var out []error
	for _, a := range e.Attempts {
		out = append(out, a.Err)
	}
	return out
}

// ChecksumError is a file whose content is not the published one.
type ChecksumError struct {
	File      string
	Got, Want string // SHA-256 in hex
}

func (e *ChecksumError) Error() string {
	return fmt.Sprintf("%s has SHA-256 %s, want %s: it is not the published file", e.File, e.Got, e.Want)
}

// storeError is a failure to write to the cache: no other source can mend it.
type storeError struct{ err error }

func (e *storeError) Error() string { return e.err.Error() }
func (e *storeError) Unwrap() error { return e.err }

// slowError is a server that sends too little to wait for.
type slowError struct {
	got    int64 // bytes a second
	limits limits
}

func (e *slowError) Error() string {
	return fmt.Sprintf("the server is too slow: %d bytes/s over the last %v, less than %d", e.got, e.limits.window, e.limits.rate)
}

// lateError is the end of the time that all sources together have.
type lateError time.Duration

func (e lateError) Error() string { return fmt.Sprintf("not done after %v", time.Duration(e)) }
func (lateError) Unwrap() error   { return context.DeadlineExceeded }

// unwritable tells that the cache cannot be written, so that no further source
// need be tried.
func unwritable(err error) bool {
	var se *storeError
	return errors.As(err, &se)
}

// note records why a source did not give the files.
func (j *job) note(source string, err error) {
	var ue *url.Error
	if errors.As(err, &ue) { // the source names the address already
		err = ue.Err
	}
	j.attempts = append(j.attempts, Attempt{source, err})
}

// fail notes the last reason, if there is one, and makes the Error.
func (j *job) fail(source string, err error) error {
	if err != nil {
		j.note(source, err)
	}
	e := &Error{Name: j.set.name, Attempts: j.attempts}
	for _, f := range j.missing() {
		e.Missing = append(e.Missing, f.name)
	}
	names := strings.Join(e.Missing, ", ")
	switch {
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT):
		e.Advice = fmt.Sprintf("the disk is full: free about %d MB there, or set MERCER_CACHE to a directory on another disk", 2*j.set.bytes()>>20+1)
	case unwritable(err) || source == "cache":
		e.Advice = "set MERCER_CACHE to a directory that can be written"
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		e.Advice = fmt.Sprintf("it was interrupted; run it again: it continues where it stopped; or put %s (plain or .gz) into DIR/%s and set MERCER_DATA=DIR", names, j.set.name)
	case j.set.own != "":
		e.Advice = fmt.Sprintf("this data set cannot be fetched. Put %s into DIR/%s and set MERCER_DATA=DIR. Expected: %s", names, j.set.name, j.set.own)
	default:
		e.Advice = fmt.Sprintf("with a network, run it again; without, put %s (plain or .gz) into DIR/%s and set MERCER_DATA=DIR", names, j.set.name)
	}
	return e
}

func listFiles(files []file) string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.name
	}
	return strings.Join(names, ", ")
}
