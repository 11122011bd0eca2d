package fetch

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// patient limits no loaded machine passes by chance; impatient ones are for
// servers and clients that hang.
var (
	patient   = limits{connect: 30 * time.Second, header: 30 * time.Second, window: time.Hour, retry: time.Millisecond, client: 30 * time.Second, total: time.Hour}
	impatient = limits{connect: time.Second, header: time.Second, rate: 1, window: time.Second, retry: time.Millisecond, client: time.Second, total: time.Hour}
)

// content is incompressible, so that a .gz of it is long enough to be cut.
func content(n int) []byte {
	rng := rand.New(rand.NewPCG(uint64(n), 7))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.UintN(256))
	}
	return b
}

func fileOf(name string, b []byte) file {
	sum := sha256.Sum256(b)
	return file{name, int64(len(b)), hex.EncodeToString(sum[:])}
}

func gz(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

type member struct {
	name string
	data []byte
}

func zipOf(members ...member) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, m := range members {
		f, _ := w.Create(m.name)
		f.Write(m.data)
	}
	w.Close()
	return out.Bytes()
}

func tgzOf(members ...member) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, m := range members {
		w.WriteHeader(&tar.Header{Name: m.name, Size: int64(len(m.data)), Mode: 0o644, Typeflag: tar.TypeReg})
		w.Write(m.data)
	}
	w.Close()
	return gz(out.Bytes())
}

// server answers with a file and counts the requests; its fields make it fail.
type server struct {
	*httptest.Server
	data []byte

	mu       sync.Mutex
	ranges   []string // Range header of each request
	cutFirst int      // close the connection after so many bytes of the first request
	noRange  bool     // answer Range by the whole file
	badRange bool     // answer Range from another place
	status   int
	hang     string // "header" or "body"
	slow     time.Duration
	drip     bool // send the body in four parts, 0.4 of an impatient stall apart
	stop     chan struct{}
}

func serve(t *testing.T, data []byte) *server {
	s := &server{data: data, stop: make(chan struct{})}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() { close(s.stop); s.Close() })
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.ranges = append(s.ranges, r.Header.Get("Range"))
	first, hang, cut := len(s.ranges) == 1, s.hang, s.cutFirst
	s.mu.Unlock()
	if hang == "header" {
		<-s.stop
		return
	}
	if s.slow > 0 {
		time.Sleep(s.slow)
	}
	if s.status != 0 {
		http.Error(w, "no", s.status)
		return
	}
	if s.noRange {
		r.Header.Del("Range")
	}
	if s.badRange && r.Header.Get("Range") != "" {
		r.Header.Set("Range", "bytes=1-")
	}
	if first && cut > 0 || hang == "body" {
		w.Header().Set("Content-Length", strconv.Itoa(len(s.data)))
		w.Write(s.data[:cut])
		w.(http.Flusher).Flush()
		if hang == "body" {
			<-s.stop
			return
		}
		panic(http.ErrAbortHandler)
	}
	if s.drip {
		for part := range slices.Chunk(s.data, len(s.data)/4+1) {
			w.Write(part)
			w.(http.Flusher).Flush()
			time.Sleep(impatient.window * 4 / 10)
		}
		return
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(s.data))
}

func (s *server) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.ranges...)
}

// try runs get for a data set with one file and the given sources.
func try(ctx context.Context, cache string, f file, sources ...source) (map[string]string, error) {
	return tryWithin(ctx, patient, cache, f, sources...)
}

func tryWithin(ctx context.Context, l limits, cache string, f file, sources ...source) (map[string]string, error) {
	o := Options{CacheDir: cache, DataDir: filepath.Join(cache, "own"), Log: io.Discard, limits: l}
	return o.get(ctx, dataset{name: "set", files: []file{f}, sources: sources})
}

// holds checks that path has the content, and that the cache has nothing but the
// given names.
func holds(t *testing.T, path string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: %v, %d bytes, want %d of the published content", path, err, len(got), len(want))
	}
}

// left lists what the data set's cache directory holds but for the lock.
func left(t *testing.T, cache string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(cache, "set"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		if e.Name() != ".lock" {
			names = append(names, e.Name())
		}
	}
	sort.Strings(names)
	return names
}

// says checks that the error has all the words.
func says(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error does not say %q:\n%v", w, err)
		}
	}
}
