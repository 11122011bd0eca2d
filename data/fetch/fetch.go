package fetch

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"mercer/data/files"
	"mercer/internal/lists"
	"mercer/internal/regular"
)

// Info describes a data set of the catalogue.
type Info struct {
	Name     string   `json:"name"`
	Describe string   `json:"describe"`
	N        int      `json:"n"`       // points, train and test together
	D        int      `json:"d"`       // dimension
	Classes  int      `json:"classes"` // number of classes
	Bytes    int64    `json:"bytes"`   // of the files as kept; 0 if unknown
	Files    []string `json:"files"`   // their names
	Cached   bool     `json:"cached"`  // all files are here, by name and size; Get also checks their content
	Source   string   `json:"source"`  // the directory they are in; if not cached, the sources to try
}

// List describes all data sets in the catalogue's order. It looks at names and
// sizes on disk alone: no network, no hashing.
func List() []Info { return lists.Map(catalog, describe) }

func describe(set dataset) Info {
	info := Info{Name: set.name, Describe: set.describe, N: set.n, D: set.d, Classes: set.classes, Files: set.names()}
	for _, f := range set.files {
		info.Bytes += f.size
	}
	if paths, err := set.locate(); err == nil {
		info.Cached = true
		info.Source = filepath.Dir(paths[set.files[0].name])
		return info
	}
	info.Source = strings.Join(append([]string{"$MERCER_DATA/" + set.name}, set.addresses...), ", ")
	return info
}

// Path tells where the files of a data set lie, by file name, without network
// and without a look at their content. It fails if one is missing or has
// another size than published; Get is what to do then.
func Path(name string) (map[string]string, error) {
	set, err := find(catalog, name)
	if err != nil {
		return nil, err
	}
	return set.locate()
}

func (d dataset) locate() (map[string]string, error) {
	var dirs []string
	if data := DataDir(); data != "" {
		dirs = append(dirs, filepath.Join(data, d.name))
	}
	if cache, err := CacheDir(); err == nil {
		dirs = append(dirs, filepath.Join(cache, d.name))
	}
	paths := map[string]string{}
	for _, f := range d.files {
		for _, dir := range dirs {
			path := filepath.Join(dir, f.name)
			info, err := os.Stat(path)
			if err == nil && info.Mode().IsRegular() && (f.sha256 == "" || info.Size() == f.size) {
				paths[f.name] = path
				break
			}
		}
		if paths[f.name] == "" {
			return nil, fmt.Errorf("%s: %s is not in %s; get it first (mercer data get %s)", d.name, f.name, strings.Join(dirs, " or "), d.name)
		}
	}
	return paths, nil
}

// DataDir is the directory of the user's own copies, "" for none.
func DataDir() string { return os.Getenv("MERCER_DATA") }

// CacheDir is the directory that fetched data sets are kept in.
func CacheDir() (string, error) {
	if dir := os.Getenv("MERCER_CACHE"); dir != "" {
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache directory: %w; %s", err, cacheAdvice)
	}
	return filepath.Join(dir, "mercer"), nil
}

const cacheAdvice = "set MERCER_CACHE to a directory that can be written and has room"

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
	text := fmt.Sprintf("%s: cannot get %s", e.Name, strings.Join(e.Missing, ", "))
	for _, attempt := range e.Attempts {
		text += fmt.Sprintf("\n  %v", attempt)
	}
	return text + "\n  what to do: " + e.Advice
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

// Get makes the files of a data set available and returns their paths by file
// name; it logs what it fetches. Every file has been read and its SHA-256 compared in this
// very call, but for data sets without a published checksum (n-baiot), whose sum is
// logged. It may be called from several goroutines and processes at once: each then fetches,
// and whole files take each other's place.
//
// It fails with an *Error that lists what was tried, and where the cache cannot be written. A
// cancelled ctx stops it within moments. An address has 10 minutes for each file. Cost: a pass
// over the files, 0.2 s for MNIST; a first Get downloads them.
func Get(ctx context.Context, name string, log io.Writer) (map[string]string, error) {
	set, err := find(catalog, name)
	if err != nil {
		return nil, err
	}
	return set.get(ctx, log)
}

func (d dataset) get(ctx context.Context, log io.Writer) (map[string]string, error) {
	cache, err := CacheDir()
	if err != nil {
		return nil, err
	}
	dir, paths := filepath.Join(cache, d.name), map[string]string{}
	if err := d.local(ctx, dir, paths, log); err != nil {
		return nil, err
	}
	failed := &Error{Name: d.name}
	for _, address := range d.addresses {
		err := d.fetch(ctx, address, dir, paths, log)
		if errors.As(err, new(unwritable)) || ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			failed.Attempts = append(failed.Attempts, err)
			fmt.Fprintf(log, "%s: no: %v\n", d.name, err)
		}
	}
	failed.Missing = lists.Where(d.names(), func(name string) bool { return paths[name] == "" })
	if len(failed.Missing) == 0 {
		return paths, nil
	}
	failed.Advice = fmt.Sprintf("put %s (unpacked) into DIR/%s and set MERCER_DATA=DIR. %s", strings.Join(failed.Missing, ", "), d.name, cmp.Or(d.own, d.elsewhere))
	if d.own == "" {
		failed.Advice = "with a network, run it again; without, " + failed.Advice
	}
	return nil, failed
}

// local finds the files that are here: the user's own, which must be right, and those of
// the cache.
func (d dataset) local(ctx context.Context, cache string, paths map[string]string, log io.Writer) error {
	for _, f := range d.files {
		own := filepath.Join(DataDir(), d.name, f.name)
		err := error(os.ErrNotExist)
		if DataDir() != "" {
			err = f.verify(ctx, own, log)
		}
		switch {
		case err == nil:
			paths[f.name] = own
			continue
		case !errors.Is(err, os.ErrNotExist):
			return &Error{Name: d.name, Missing: []string{f.name}, Attempts: []error{err},
				Advice: fmt.Sprintf("replace %s by the published file, or remove it so that it is fetched", own)}
		}
		kept := filepath.Join(cache, f.name)
		if f.sha256 != "" && f.verify(ctx, kept, log) == nil {
			paths[f.name] = kept
		}
	}
	return ctx.Err()
}

func (f file) verify(ctx context.Context, path string, log io.Writer) error {
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
		fmt.Fprintf(log, "%s: no published checksum; SHA-256 is %s\n", path, sum)
		return nil
	}
	if sum != f.sha256 {
		return &ChecksumError{path, sum, f.sha256}
	}
	return nil
}

// fetch asks an address for the files that are still missing.
func (d dataset) fetch(ctx context.Context, address, dir string, paths map[string]string, log io.Writer) error {
	for _, f := range d.files {
		if paths[f.name] != "" {
			continue
		}
		from := strings.ReplaceAll(address, "FILE", url.PathEscape(f.name))
		fmt.Fprintf(log, "%s: fetching %s\n", d.name, from)
		content, err := download(ctx, from)
		if err == nil {
			err = unpack(from, content, 2, func(name string, content []byte) error {
				return d.keep(name, content, dir, paths)
			})
		}
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", from, err)
		case paths[f.name] == "":
			return fmt.Errorf("%s has no %s", from, f.name)
		}
	}
	return nil
}

// unwritable is an error of writing to the cache: no other address need be tried.
type unwritable struct{ error }

func (e unwritable) Unwrap() error { return e.error }

// keep writes the content to the cache, if it is a missing file of this name.
func (d dataset) keep(name string, content []byte, dir string, paths map[string]string) error {
	for _, f := range d.files {
		if f.name != name || paths[name] != "" {
			continue
		}
		hash := sha256.Sum256(content)
		if sum := hex.EncodeToString(hash[:]); sum != f.sha256 {
			return &ChecksumError{name, sum, f.sha256}
		}
		path := filepath.Join(dir, name)
		err := os.MkdirAll(dir, 0o755)
		if err == nil {
			err = regular.Replace(path, content)
		}
		if err != nil {
			return unwritable{fmt.Errorf("%w; %s", err, cacheAdvice)}
		}
		paths[name] = path
	}
	return nil
}
