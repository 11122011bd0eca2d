package fetch

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// points is the published file of the tests.
var points = bytes.Repeat([]byte("1,2,3\n"), 1000)

func set(addresses ...string) dataset {
	sum := sha256.Sum256(points)
	return dataset{name: "set", files: []file{{"points", int64(len(points)), hex.EncodeToString(sum[:])}}, addresses: addresses}
}

func gz(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func zipOf(name string, content []byte) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, member := range []string{"readme", name} {
		f, _ := w.Create(member)
		f.Write(map[bool][]byte{true: content}[member == name])
	}
	w.Close()
	return out.Bytes()
}

// serve answers every request by the content, or by 404 where that is nil, and counts them.
func serve(t *testing.T, content []byte) (address string, asked *int) {
	asked = new(int)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		*asked++
		if content == nil {
			http.Error(w, "no", http.StatusNotFound)
		}
		w.Write(content)
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

// cache is an empty cache of the environment, without copies of the user's own.
func cache(t *testing.T) string {
	dir := t.TempDir()
	t.Setenv("MERCER_CACHE", dir)
	t.Setenv("MERCER_DATA", "")
	return dir
}

// left are the names of what the cache has.
func left(t *testing.T, cache string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(cache, "set", "*"))
	hidden, _ := filepath.Glob(filepath.Join(cache, "set", ".m*"))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, path := range append(found, hidden...) {
		names = append(names, filepath.Base(path))
	}
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

// What an address answers, what Get makes of it, and what stays in the cache.
func TestGet(t *testing.T) {
	for _, c := range []struct {
		name    string
		path    string // of the address
		content []byte
		fails   string // words of the error; empty: it succeeds
	}{
		{"plain", "/FILE", points, ""},
		{"gzipped", "/FILE.gz", gz(points), ""},
		{"zip", "/a.zip", zipOf("folder/points", points), ""},
		{"gzipped in a zip in a zip", "/a.zip", zipOf("b.zip", zipOf("points.gz", gz(points))), ""},
		{"three deep is not looked into", "/a.zip", zipOf("b.zip", zipOf("c.zip", zipOf("points", points))), "/a.zip has no points"},
		{"leads out, by its last name", "/a.zip", zipOf("../../points", points), ""},
		{"another name", "/a.zip", zipOf("pints", points), "/a.zip has no points"},
		{"wrong content", "/FILE", points[1:], "points has SHA-256"},
		{"wrong content in gzip", "/FILE.gz", gz(points[1:]), "it is not the published file"},
		{"cut", "/FILE.gz", gz(points)[:40], "unexpected EOF"},
		{"a bomb", "/FILE.gz", gz(make([]byte, most+1)), "more than 67108864 bytes"},
		{"a proxy's page", "/FILE.gz", []byte("<html>log in</html>"), "points.gz: gzip: invalid header"},
		{"no zip", "/a.zip", points, "not a valid zip file"},
		{"missing", "/FILE", nil, "404 Not Found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			address, _ := serve(t, c.content)
			dir, want := cache(t), []string{"points"}
			paths, err := set(address+c.path).get(context.Background(), io.Discard)
			if c.fails != "" {
				want = []string{}
				says(t, err, "set: cannot get points", address, c.fails, "what to do: with a network", "MERCER_DATA=DIR")
				if !errors.As(err, new(*Error)) {
					t.Errorf("%T", err)
				}
			} else if err != nil {
				t.Fatal(err)
			} else if got, err := os.ReadFile(paths["points"]); err != nil || !bytes.Equal(got, points) {
				t.Errorf("%v, %d bytes", err, len(got))
			}
			if diff := cmp.Diff(want, left(t, dir)); diff != "" {
				t.Errorf("left in the cache:\n%s", diff)
			}
		})
	}
}

// The second address gives what the first has not, a good cache asks no one, and a damaged
// file is mended.
func TestNextAddressAndCache(t *testing.T) {
	bad, badAsked := serve(t, nil)
	good, goodAsked := serve(t, points)
	dir, d := cache(t), set(bad+"/FILE", good+"/FILE")
	for range 2 {
		if _, err := d.get(context.Background(), io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	if *badAsked != 1 || *goodAsked != 1 {
		t.Errorf("asked %d and %d times, want once each", *badAsked, *goodAsked)
	}
	os.WriteFile(filepath.Join(dir, "set", "points"), points[1:], 0o600)
	paths, err := d.get(context.Background(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(paths["points"]); !bytes.Equal(got, points) {
		t.Error("the damaged file stays")
	}
}

// The user's own directory: used in place; a wrong file there is an error.
func TestOwnDirectory(t *testing.T) {
	for name, c := range map[string]struct {
		file    string
		content []byte
		asked   int
		fails   bool
	}{
		"in place":  {"points", points, 0, false},
		"elsewhere": {"points.gz", gz(points), 1, false},
		"wrong":     {"points", points[1:], 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			address, asked := serve(t, points)
			cache(t)
			own := t.TempDir()
			t.Setenv("MERCER_DATA", own)
			os.MkdirAll(filepath.Join(own, "set"), 0o755)
			os.WriteFile(filepath.Join(own, "set", c.file), c.content, 0o600)
			paths, err := set(address+"/FILE").get(context.Background(), io.Discard)
			if c.fails {
				says(t, err, "points has SHA-256", "replace "+filepath.Join(own, "set", "points"), "or remove it")
				if !errors.As(err, new(*ChecksumError)) {
					t.Errorf("%T", err)
				}
			} else if err != nil {
				t.Fatal(err)
			} else if inPlace := filepath.Dir(paths["points"]) == filepath.Join(own, "set"); inPlace != (c.asked == 0) {
				t.Errorf("used at %s", paths["points"])
			}
			if *asked != c.asked {
				t.Errorf("asked %d times, want %d", *asked, c.asked)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	stop := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-stop }))
	t.Cleanup(func() { close(stop); s.Close() })
	next, asked := serve(t, points)
	dir := cache(t)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := set(s.URL+"/FILE", next+"/FILE").get(ctx, io.Discard)
	if !errors.Is(err, context.DeadlineExceeded) || *asked > 0 || len(left(t, dir)) > 0 {
		t.Errorf("%v; the next address was asked %d times; left %v", err, *asked, left(t, dir))
	}
}

func TestUnwritableCache(t *testing.T) {
	address, _ := serve(t, points)
	next, asked := serve(t, points)
	file := filepath.Join(cache(t), "a file")
	os.WriteFile(file, nil, 0o600)
	t.Setenv("MERCER_CACHE", file)
	_, err := set(address+"/FILE", next+"/FILE").get(context.Background(), io.Discard)
	says(t, err, "set MERCER_CACHE to a directory that can be written")
	if *asked > 0 || errors.As(err, new(*Error)) {
		t.Errorf("the next address was asked %d times: %T", *asked, err)
	}
}
