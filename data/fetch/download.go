package fetch

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"
	"time"
)

const (
	patience = 10 * time.Minute // with one address
	most     = 64 << 20         // bytes of a download, and of a file in it
)

// download is what an https address gives.
func download(ctx context.Context, address string) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("not done after %v", patience))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, errors.New(response.Status)
	}
	return readAll(response.Body)
}

// readAll reads no more than a file of the catalogue can have.
func readAll(r io.Reader) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && len(content) > most {
		err = fmt.Errorf("more than %d bytes", most)
	}
	return content, err
}

// unpack visits the files that a download has: itself, what is gzipped in it, or the members
// of a zip archive and, two deep, of the archives in it. Folders in their names are cut.
func unpack(name string, content []byte, deep int, visit func(name string, content []byte) error) error {
	name = path.Base(name)
	plain, gzipped := strings.CutSuffix(name, ".gz")
	switch {
	case gzipped:
		unzipped, err := gzip.NewReader(bytes.NewReader(content))
		if err == nil {
			content, err = readAll(unzipped)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	case deep > 0 && path.Ext(name) == ".zip":
		return unzip(content, deep, visit)
	}
	return visit(plain, content)
}

func unzip(content []byte, deep int, visit func(name string, content []byte) error) error {
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return err
	}
	for _, member := range archive.File {
		in, err := member.Open()
		var inside []byte
		if err == nil {
			inside, err = readAll(in)
			in.Close()
		}
		if err == nil {
			err = unpack(member.Name, inside, deep-1, visit)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", member.Name, err)
		}
	}
	return nil
}
