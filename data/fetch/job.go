package fetch

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/lockedfile"

	"mercer/internal/regular"
)

// source is where files come from. fetch keeps those of the missing files that
// it can get and verify; on its first failure it gives up.
type source interface {
	fmt.Stringer
	fetch(ctx context.Context, j *job, missing []file) error
}

// job is one Get.
type job struct {
	set      dataset
	dir      string // the data set's directory in the cache
	limits   limits
	dial     func(ctx context.Context, network, addr string) (net.Conn, error)
	log      io.Writer
	paths    map[string]string // verified files by name
	packed   map[string]string // the user's own .gz by name, to be unpacked
	attempts []Attempt
}

func (j *job) logf(format string, args ...any) {
	if j.log != nil {
		fmt.Fprintf(j.log, j.set.name+": "+format+"\n", args...)
	}
}

func (j *job) missing() (out []file) {
	for _, f := range j.set.files {
		if j.paths[f.name] == "" {
			out = append(out, f)
		}
	}
	return out
}

// own looks for the user's copies. A file that is there must be right.
func (j *job) own(ctx context.Context, data string) error {
	if data == "" {
		j.note("$MERCER_DATA", errors.New("not set"))
		return nil
	}
	dir := filepath.Join(data, j.set.name)
	source := "$MERCER_DATA (" + dir + ")"
	j.packed = map[string]string{}
	for _, f := range j.set.files {
		path := filepath.Join(dir, f.name)
		if _, err := os.Stat(path); err == nil {
			if err := j.verify(ctx, path, f); err != nil {
				return j.refuse(source, path, err)
			}
			j.paths[f.name] = path
		} else if _, gzErr := os.Stat(path + ".gz"); gzErr == nil && f.sha256 != "" {
			j.packed[f.name] = path + ".gz"
		} else if !errors.Is(err, os.ErrNotExist) {
			return j.refuse(source, path, err)
		}
	}
	if lacks := j.missing(); len(lacks) > len(j.packed) {
		j.note(source, fmt.Errorf("has no %s", listFiles(lacks)))
	}
	return nil
}

// refuse is the error on a file of the user's own that is not as it must be.
func (j *job) refuse(source, path string, err error) error {
	j.note(source, err)
	return &Error{Name: j.set.name, Missing: []string{filepath.Base(path)}, Attempts: j.attempts,
		Advice: fmt.Sprintf("replace %s by the published file, or remove it so that the other sources are tried", path)}
}

// unpackOwn decompresses the user's .gz files into the cache.
func (j *job) unpackOwn(ctx context.Context) error {
	for _, f := range j.missing() {
		path := j.packed[f.name]
		if path == "" {
			continue
		}
		if err := j.keepFile(ctx, f, path, path); ctx.Err() != nil {
			return j.fail(path, context.Cause(ctx))
		} else if unwritable(err) {
			return j.fail(path, err)
		} else if err != nil {
			return j.refuse("$MERCER_DATA", path, err)
		}
	}
	return nil
}

// cached takes verified files from the cache. With the lock held it drops
// damaged ones and what a killed Get left behind.
func (j *job) cached(ctx context.Context, locked bool) {
	for _, f := range j.missing() {
		path := filepath.Join(j.dir, f.name)
		if f.sha256 == "" {
			continue
		}
		err := j.verify(ctx, path, f)
		var wrong *ChecksumError
		if err == nil {
			j.paths[f.name] = path
		} else if locked && errors.As(err, &wrong) {
			j.logf("dropped from the cache: %v", err)
			os.Remove(path)
		}
	}
	if locked {
		left, _ := filepath.Glob(filepath.Join(j.dir, ".mercer-tmp-*"))
		for _, path := range left {
			os.RemoveAll(path)
		}
		if lacks := j.missing(); len(lacks) > 0 {
			j.note("cache "+j.dir, fmt.Errorf("has no %s", listFiles(lacks)))
		}
	}
}

// tidy removes unfinished downloads that no one needs any more.
func (j *job) tidy() {
	left, _ := filepath.Glob(filepath.Join(j.dir, "*.mercer.part"))
	for _, path := range left {
		os.Remove(path)
	}
}

func (j *job) verify(ctx context.Context, path string, f file) error {
	in, _, err := regular.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	h := sha256.New()
	if _, err := io.Copy(h, reader{ctx, in}); err != nil {
		return err
	}
	sum := hex.EncodeToString(h.Sum(nil))
	if f.sha256 == "" {
		j.logf("%s: no published checksum; SHA-256 is %s", path, sum)
		return nil
	}
	if sum != f.sha256 {
		return &ChecksumError{path, sum, f.sha256}
	}
	return nil
}

// lock waits for the data set's lock file, or for ctx.
func (j *job) lock(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(j.dir, 0o755); err != nil {
		return nil, &storeError{err}
	}
	type result struct {
		unlock func()
		err    error
	}
	got := make(chan result, 1)
	go func() {
		unlock, err := lockedfile.MutexAt(filepath.Join(j.dir, ".lock")).Lock()
		got <- result{unlock, err}
	}()
	select {
	case r := <-got:
		if r.err != nil {
			return nil, &storeError{r.err}
		}
		return r.unlock, nil
	case <-ctx.Done():
		go func() {
			if r := <-got; r.err == nil {
				r.unlock()
			}
		}()
		return nil, fmt.Errorf("waiting for another process that gets %s: %w", j.set.name, ctx.Err())
	}
}

// keep writes r to the cache under f's name if its checksum is right, and leaves
// nothing otherwise. It reads at most a byte more than f's size.
func (j *job) keep(ctx context.Context, f file, r io.Reader) (err error) {
	tmp, err := os.CreateTemp(j.dir, ".mercer-tmp-*")
	if err != nil {
		return &storeError{err}
	}
	defer func() {
		tmp.Close()
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(h, writer{tmp}), io.LimitReader(reader{ctx, r}, f.size+1))
	if err != nil {
		return err
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != f.sha256 {
		err = &ChecksumError{f.name, sum, f.sha256}
		if n != f.size {
			err = fmt.Errorf("%w (and another size than %d bytes)", err, f.size)
		}
		return err
	}
	path := filepath.Join(j.dir, f.name)
	for _, step := range []func() error{
		func() error { return tmp.Chmod(0o644) },
		tmp.Sync,
		tmp.Close,
		func() error { return os.Rename(tmp.Name(), path) },
	} {
		if err := step(); err != nil {
			return &storeError{err}
		}
	}
	j.paths[f.name] = path
	return nil
}

// keepFile keeps a file on disk, decompressed if name ends in .gz.
func (j *job) keepFile(ctx context.Context, f file, name, path string) error {
	in, _, err := regular.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	return j.keepStream(ctx, f, name, in)
}

// keepStream keeps a stream, decompressed if name ends in .gz.
func (j *job) keepStream(ctx context.Context, f file, name string, r io.Reader) error {
	if !strings.HasSuffix(name, ".gz") {
		return j.keep(ctx, f, r)
	}
	zr, err := gzip.NewReader(r)
	if err != nil {
		return fmt.Errorf("%s is not gzip: %w", name, err)
	}
	return j.keep(ctx, f, zr)
}

// reader stops reading when ctx is done.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// writer marks its failures as the cache's.
type writer struct{ f *os.File }

func (w writer) Write(p []byte) (int, error) {
	n, err := w.f.Write(p)
	if err != nil {
		err = &storeError{err}
	}
	return n, err
}
