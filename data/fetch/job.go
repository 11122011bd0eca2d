package fetch

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/lockedfile"

	"mercer/data/files"
	"mercer/internal/lists"
	"mercer/internal/regular"
)

// source is where files come from. fetch keeps those of the missing files that
// it can get and verify; on its first failure it gives up.
type source interface {
	fmt.Stringer
	fetch(ctx context.Context, j *job) error
}

// job is one Get.
type job struct {
	set      dataset
	dir      string // the data set's directory in the cache
	options  Options
	paths    map[string]string // verified files by name
	attempts []error           // why sources did not give the files
}

func (j *job) logf(format string, args ...any) {
	if j.options.Log != nil {
		fmt.Fprintf(j.options.Log, j.set.name+": "+format+"\n", args...)
	}
}

func (j *job) missing() []file {
	return lists.Where(j.set.files, func(f file) bool { return j.paths[f.name] == "" })
}

// own looks for the user's copies. A file that is there must be right.
func (j *job) own(ctx context.Context, data string) error {
	if data == "" {
		j.note("$MERCER_DATA", errors.New("not set"))
		return nil
	}
	dir := filepath.Join(data, j.set.name)
	source := "$MERCER_DATA (" + dir + ")"
	for _, f := range j.set.files {
		path := filepath.Join(dir, f.name)
		err := j.verify(ctx, path, f)
		if err == nil {
			j.paths[f.name] = path
		} else if !errors.Is(err, os.ErrNotExist) {
			j.note(source, err)
			return &Error{Name: j.set.name, Missing: []string{f.name}, Attempts: j.attempts,
				Advice: fmt.Sprintf("replace %s by the published file, or remove it so that the other sources are tried", path)}
		}
	}
	if lacks := j.missing(); len(lacks) > 0 {
		j.note(source, fmt.Errorf("has no %s", listFiles(lacks)))
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
		if err == nil {
			j.paths[f.name] = path
		} else if locked && errors.As(err, new(*ChecksumError)) {
			j.logf("dropped from the cache: %v", err)
			os.Remove(path)
		}
	}
	if locked {
		j.clear(".mercer-tmp-*")
		if lacks := j.missing(); len(lacks) > 0 {
			j.note("cache "+j.dir, fmt.Errorf("has no %s", listFiles(lacks)))
		}
	}
}

// clear removes what matches a pattern from the cache.
func (j *job) clear(pattern string) {
	left, _ := filepath.Glob(filepath.Join(j.dir, pattern))
	for _, path := range left {
		os.RemoveAll(path)
	}
}

func (j *job) verify(ctx context.Context, path string, f file) error {
	in, _, err := regular.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	h := sha256.New()
	if _, err := io.Copy(h, files.UntilDone{Context: ctx, Reader: in}); err != nil {
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
		return nil, err
	}
	got := make(chan error, 1)
	var release func()
	go func() {
		var err error
		release, err = lockedfile.MutexAt(filepath.Join(j.dir, ".lock")).Lock()
		got <- err
	}()
	select {
	case err := <-got:
		return release, err
	case <-ctx.Done():
		go func() {
			if <-got == nil {
				release()
			}
		}()
		return nil, fmt.Errorf("waiting for another process that gets %s: %w", j.set.name, ctx.Err())
	}
}

// keep writes r, decompressed if name ends in .gz, to the cache under f's name if its
// checksum is right, and leaves nothing otherwise. It reads at most a byte more than f's
// size.
func (j *job) keep(ctx context.Context, f file, name string, r io.Reader) error {
	if strings.HasSuffix(name, ".gz") {
		unzipped, err := gzip.NewReader(r)
		if err != nil {
			return fmt.Errorf("%s is not gzip: %w", name, err)
		}
		r = unzipped
	}
	tmp, err := os.CreateTemp(j.dir, ".mercer-tmp-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // where it was not renamed
	defer tmp.Close()
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(h, tmp), io.LimitReader(files.UntilDone{Context: ctx, Reader: r}, f.size+1))
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
	if err := errors.Join(tmp.Chmod(0o644), tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return err
	}
	j.paths[f.name] = path
	return nil
}
