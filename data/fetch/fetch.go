package fetch

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mercer/internal/lists"
)

// Options says where data sets lie and what Get may do. The zero Options is the
// default: the directories of the environment, no log.
type Options struct {
	Log      io.Writer // lines on what is tried and how far it is; nil: none
	CacheDir string    // empty: $MERCER_CACHE, or mercer in the user's cache directory
	DataDir  string    // empty: $MERCER_DATA, if set; the user's own copies

	limits limits
	dial   func(ctx context.Context, network, addr string) (net.Conn, error) // nil: the system's
}

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
func List(o Options) []Info {
	return lists.Map(catalog, func(set dataset) Info { return describe(set, o) })
}

func describe(set dataset, o Options) Info {
	info := Info{Name: set.name, Describe: set.describe, N: set.n, D: set.d, Classes: set.classes, Bytes: set.bytes()}
	info.Files = lists.Map(set.files, func(f file) string { return f.name })
	if paths, err := locate(set, o); err == nil {
		info.Cached = true
		info.Source = filepath.Dir(paths[set.files[0].name])
		return info
	}
	info.Source = strings.Join(append([]string{"$MERCER_DATA/" + set.name}, lists.Map(set.sources, source.String)...), ", ")
	return info
}

// Path tells where the files of a data set lie, by file name, without network
// and without a look at their content. It fails if one is missing or has
// another size than published; Get is what to do then.
func Path(name string, o Options) (map[string]string, error) {
	set, err := find(catalog, name)
	if err != nil {
		return nil, err
	}
	return locate(set, o)
}

func locate(set dataset, o Options) (map[string]string, error) {
	var dirs []string
	if data := DataDir(o); data != "" {
		dirs = append(dirs, filepath.Join(data, set.name))
	}
	if cache, err := CacheDir(o); err == nil {
		dirs = append(dirs, filepath.Join(cache, set.name))
	}
	paths := map[string]string{}
	for _, f := range set.files {
		for _, dir := range dirs {
			path := filepath.Join(dir, f.name)
			info, err := os.Stat(path)
			if err == nil && info.Mode().IsRegular() && (f.sha256 == "" || info.Size() == f.size) {
				paths[f.name] = path
				break
			}
		}
		if paths[f.name] == "" {
			return nil, fmt.Errorf("%s: %s is not in %s; get it first (mercer data get %s)", set.name, f.name, strings.Join(dirs, " or "), set.name)
		}
	}
	return paths, nil
}

// Get makes the files of a data set available and returns their paths by file
// name. Every file has been read and its SHA-256 compared in this very call,
// but for data sets without a published checksum (n-baiot), whose sum is
// logged. It may be called from several goroutines and processes at once.
//
// It fails with an *Error that lists what was tried. A cancelled ctx stops it
// within moments; what a download has got so far stays as a .part, which the
// next Get resumes. A server that sends less than 4 kB/s over 30 s is given up for the
// next source; all sources together have 30 minutes. Cost: a pass over the files, 0.2 s for MNIST; a first Get
// downloads them.
func Get(ctx context.Context, name string, o Options) (map[string]string, error) {
	set, err := find(catalog, name)
	if err != nil {
		return nil, err
	}
	o.limits = defaultLimits
	return o.get(ctx, set)
}

// limits bound how long a silent or slow peer is waited for.
type limits struct {
	connect time.Duration // name, connection, TLS: each
	header  time.Duration // until the response begins
	rate    int64         // bytes a second, on average over each window
	window  time.Duration
	retry   time.Duration // pause before a cut download is resumed
	client  time.Duration // a registry client's whole run
	total   time.Duration // all sources together
}

var defaultLimits = limits{
	connect: 5 * time.Second,
	header:  15 * time.Second,
	rate:    4000,
	window:  30 * time.Second,
	retry:   time.Second,
	client:  10 * time.Minute,
	total:   30 * time.Minute,
}

func (o Options) get(ctx context.Context, set dataset) (map[string]string, error) {
	j := &job{set: set, options: o, paths: map[string]string{}}
	cache, err := CacheDir(o)
	if err != nil {
		return nil, j.fail("cache", err)
	}
	j.dir = filepath.Join(cache, set.name)
	if err := j.own(ctx, DataDir(o)); err != nil {
		return nil, err
	}
	j.cached(ctx, false)
	if len(j.missing()) == 0 {
		return j.paths, nil
	}
	if len(set.sources) == 0 {
		return nil, j.fail("", nil)
	}
	unlock, err := j.lock(ctx)
	if err != nil {
		return nil, j.fail("cache "+j.dir, err)
	}
	defer unlock()
	j.cached(ctx, true)
	ctx, cancel := context.WithTimeoutCause(ctx, o.limits.total, fmt.Errorf("not done after %v: %w", o.limits.total, context.DeadlineExceeded))
	defer cancel()
	if err := j.trySources(ctx); err != nil {
		return nil, err
	}
	j.clear("*.mercer.part")
	return j.paths, nil
}

// trySources asks each source for what is still missing.
func (j *job) trySources(ctx context.Context) error {
	for _, s := range j.set.sources {
		missing := j.missing()
		if len(missing) == 0 {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return j.fail(s.String(), context.Cause(ctx))
		}
		j.logf("trying %s", s)
		err := s.fetch(ctx, j)
		switch {
		case err == nil:
			j.logf("got %s", listFiles(missing))
		case ctx.Err() != nil:
			return j.fail(s.String(), context.Cause(ctx))
		case j.unwritable(err):
			return j.fail(s.String(), err)
		default:
			j.note(s.String(), err)
			j.logf("no: %v", j.attempts[len(j.attempts)-1])
		}
	}
	if len(j.missing()) > 0 {
		return j.fail("", nil)
	}
	return nil
}

// DataDir is the directory of the user's own copies, "" for none.
func DataDir(o Options) string { return cmp.Or(o.DataDir, os.Getenv("MERCER_DATA")) }

// CacheDir is the directory that fetched data sets are kept in.
func CacheDir(o Options) (string, error) {
	if dir := cmp.Or(o.CacheDir, os.Getenv("MERCER_CACHE")); dir != "" {
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache directory: %w", err)
	}
	return filepath.Join(dir, "mercer"), nil
}
