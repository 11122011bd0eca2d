package fetch

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"mercer/data/files"
)

// webFiles is a directory of the files at an address that ends in a slash, each as it is or,
// with the ending .gz, gzipped.
type webFiles struct{ base, ending string }

func (s webFiles) String() string { return s.base }

func (s webFiles) fetch(ctx context.Context, j *job) error {
	for _, f := range j.missing() {
		name, limit := f.name+s.ending, f.size
		if s.ending != "" {
			limit += f.size/100 + 1<<12 // gzip adds little to what it cannot compress
		}
		err := j.withDownload(ctx, s.base+url.PathEscape(name), limit, func(part *os.File) error {
			return j.keep(ctx, f, name, part)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// zipFile is a zip archive with the files in it, in whatever folder, or in a zip
// in it.
type zipFile struct{ addr string }

func (s zipFile) String() string { return s.addr }

const zipLimit = 64 << 20

func (s zipFile) fetch(ctx context.Context, j *job) error {
	return j.withDownload(ctx, s.addr, zipLimit, func(part *os.File) error {
		if err := j.unzip(ctx, part, sizeOf(part.Name()), true); err != nil {
			return err
		}
		return j.lacking()
	})
}

// unzip keeps the files from an archive, and from archives in it. A member whose name leads
// out of the archive's folder is passed over.
func (j *job) unzip(ctx context.Context, archive io.ReaderAt, size int64, nested bool) error {
	zr, err := zip.NewReader(archive, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return fmt.Errorf("not a zip archive: %w", err)
	}
	for _, m := range zr.File {
		inner := nested && strings.HasSuffix(m.Name, ".zip")
		if !inner && !j.wants(m.Name) {
			continue
		}
		in, err := m.Open()
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		if inner {
			err = j.unzipInner(ctx, in)
		} else {
			err = j.take(ctx, m.Name, in)
		}
		in.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	return nil
}

// unzipInner unpacks a zip inside a zip.
func (j *job) unzipInner(ctx context.Context, in io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(files.UntilDone{Context: ctx, Reader: in}, zipLimit+1))
	if err == nil && len(text) > zipLimit {
		err = fmt.Errorf("larger than %s", megabytes(zipLimit))
	}
	if err != nil {
		return err
	}
	return j.unzip(ctx, bytes.NewReader(text), int64(len(text)), false)
}

// untar keeps the files from a tar stream. With a folder, members of just that folder are
// looked at.
func (j *job) untar(ctx context.Context, r io.Reader, folder string) error {
	for tr := tar.NewReader(files.UntilDone{Context: ctx, Reader: r}); len(j.missing()) > 0; {
		h, err := tr.Next()
		if err == io.EOF {
			break
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return fmt.Errorf("not a tar archive: %w", err)
		}
		if h.Typeflag != tar.TypeReg || folder != "" && path.Dir(path.Clean(h.Name)) != folder || !j.wants(h.Name) {
			continue
		}
		if err := j.take(ctx, h.Name, tr); err != nil {
			return err
		}
	}
	return j.lacking()
}

// wants says whether a member of an archive is a missing file, plain or as NAME.gz. It is
// known by the last element of its name, and kept under the catalogue's name.
func (j *job) wants(member string) bool {
	_, missing := j.named(member)
	return missing && filepath.IsLocal(filepath.FromSlash(path.Clean(member)))
}

func (j *job) named(member string) (file, bool) {
	for _, f := range j.missing() {
		if f.name == strings.TrimSuffix(path.Base(member), ".gz") {
			return f, true
		}
	}
	return file{}, false
}

// take keeps the file that a member of an archive is.
func (j *job) take(ctx context.Context, member string, r io.Reader) error {
	f, _ := j.named(member)
	return j.keep(ctx, f, member, r)
}

// lacking fails where an archive did not have all missing files.
func (j *job) lacking() error {
	if missing := j.missing(); len(missing) > 0 {
		return fmt.Errorf("the archive has no %s", listFiles(missing))
	}
	return nil
}
