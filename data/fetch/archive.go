package fetch

import (
	"archive/tar"
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// webFiles is a directory of the files at an address that ends in a slash, each as it is or,
// with the ending .gz, gzipped.
type webFiles struct{ base, ending string }

func (s webFiles) String() string { return s.base }

func (s webFiles) fetch(ctx context.Context, j *job, missing []file) error {
	for _, f := range missing {
		name, limit := f.name+s.ending, f.size
		if s.ending != "" {
			limit += f.size/100 + 1<<12 // gzip adds little to what it cannot compress
		}
		err := j.withDownload(ctx, s.base+url.PathEscape(name), limit, func(part string) error {
			return j.keepFile(ctx, f, name, part)
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

func (s zipFile) fetch(ctx context.Context, j *job, missing []file) error {
	return j.withDownload(ctx, s.addr, zipLimit, func(part string) error {
		return j.unzip(ctx, part, missing, true)
	})
}

// unzip keeps the files from an archive. Members are found by the last element
// of their name and kept under the catalogue's name; one whose name leads out of
// the archive's folder is passed over.
func (j *job) unzip(ctx context.Context, archive string, missing []file, nested bool) error {
	zr, err := zip.OpenReader(archive)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return fmt.Errorf("not a zip archive: %w", err)
	}
	defer zr.Close()
	wanted := byName(missing)
	var inner []*zip.File
	for _, m := range zr.File {
		if !filepath.IsLocal(filepath.FromSlash(m.Name)) {
			continue
		}
		f, ok := wanted[path.Base(m.Name)]
		if !ok {
			if nested && strings.HasSuffix(m.Name, ".zip") {
				inner = append(inner, m)
			}
			continue
		}
		in, err := m.Open()
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		err = j.keep(ctx, f, in)
		in.Close()
		if err != nil {
			return err
		}
		delete(wanted, f.name)
	}
	for _, m := range inner {
		if len(wanted) == 0 {
			break
		}
		if err := j.unzipInner(ctx, m, slices.Collect(maps.Values(wanted))); err != nil {
			return err
		}
		for name := range wanted {
			if j.paths[name] != "" {
				delete(wanted, name)
			}
		}
	}
	if nested {
		return lacking(wanted)
	}
	return nil
}

// unzipInner unpacks a zip inside a zip.
func (j *job) unzipInner(ctx context.Context, m *zip.File, missing []file) error {
	in, err := m.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	defer in.Close()
	tmp, err := os.CreateTemp(j.dir, ".mercer-tmp-*")
	if err != nil {
		return &storeError{err}
	}
	defer os.Remove(tmp.Name())
	defer tmp.Close()
	n, err := io.Copy(writer{tmp}, io.LimitReader(reader{ctx, in}, zipLimit+1))
	if err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	if n > zipLimit {
		return fmt.Errorf("%s: larger than %s", m.Name, megabytes(zipLimit))
	}
	return j.unzip(ctx, tmp.Name(), missing, false)
}

// untar keeps the files from a tar stream, plain or as NAME.gz. With a folder,
// members of just that folder are looked at.
func (j *job) untar(ctx context.Context, r io.Reader, folder string, missing []file) error {
	wanted := byName(missing)
	for tr := tar.NewReader(reader{ctx, r}); len(wanted) > 0; {
		h, err := tr.Next()
		if err == io.EOF {
			break
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return fmt.Errorf("not a tar archive: %w", err)
		}
		dir, base := path.Split(path.Clean(h.Name))
		f, ok := wanted[strings.TrimSuffix(base, ".gz")]
		if !ok || h.Typeflag != tar.TypeReg || folder != "" && path.Clean(dir) != folder {
			continue
		}
		if err := j.keepStream(ctx, f, base, tr); err != nil {
			return err
		}
		delete(wanted, f.name)
	}
	return lacking(wanted)
}

func byName(files []file) map[string]file {
	m := map[string]file{}
	for _, f := range files {
		m[f.name] = f
	}
	return m
}

func lacking(wanted map[string]file) error {
	if len(wanted) == 0 {
		return nil
	}
	return fmt.Errorf("the archive has no %s", listFiles(slices.Collect(maps.Values(wanted))))
}
