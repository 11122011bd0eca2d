package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"testing"
)

// within gives an archive to read with the file points wanted from it, and checks
// that nothing but points of the published content, or nothing at all, is left in
// the cache, and nothing elsewhere.
func within(t *testing.T, archive []byte, read func(j *job, path string) error) {
	root := t.TempDir()
	published := content(50)
	wanted := []file{fileOf("points", published)}
	j := &job{set: dataset{name: "set", files: wanted}, options: Options{limits: patient}, dir: filepath.Join(root, "deep", "cache"), paths: map[string]string{}}
	if err := os.MkdirAll(j.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, "archive")
	if err := os.WriteFile(path, archive, 0o666); err != nil {
		t.Fatal(err)
	}
	err := read(j, path)
	kept, readErr := os.ReadFile(filepath.Join(j.dir, "points"))
	if (err == nil) != (readErr == nil) && j.paths["points"] != "" || readErr == nil && !bytes.Equal(kept, published) {
		t.Errorf("error %v; kept %q, %v", err, kept, readErr)
	}
	for dir, most := range map[string]int{root: 2, filepath.Join(root, "deep"): 1, j.dir: 1} {
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) > most {
			t.Errorf("%s has %v, %v", dir, entries, err)
		}
	}
}

// FuzzZip: no zip makes the fetcher write outside its directory, or keep another
// content than the published one.
func FuzzZip(f *testing.F) {
	points := member{"points", content(50)}
	f.Add(zipOf(points))
	f.Add(zipOf(member{"a/b/points", points.data}))
	f.Add(zipOf(member{"../../points", points.data}, member{"/points", points.data}, member{`..\points`, points.data}))
	f.Add(zipOf(member{"inner.zip", zipOf(points)}))
	f.Add(zipOf(member{"points", make([]byte, 100)}))
	f.Fuzz(func(t *testing.T, archive []byte) {
		within(t, archive, func(j *job, path string) error {
			f, err := os.Open(path)
			if err != nil {
				return err
			}
			defer f.Close()
			return j.unzip(context.Background(), f, int64(len(archive)), true)
		})
	})
}

// FuzzTar: the same of a tar, plain and with its members gzipped.
func FuzzTar(f *testing.F) {
	points := member{"points", content(50)}
	for _, tgz := range [][]byte{
		tgzOf(points), tgzOf(member{"package/points.gz", gz(points.data)}), tgzOf(member{"../../points", points.data}),
		tgzOf(member{"points", make([]byte, 100)}), tgzOf(member{"points.gz", gz(make([]byte, 1<<16))}),
	} {
		zr, err := gzip.NewReader(bytes.NewReader(tgz))
		if err != nil {
			f.Fatal(err)
		}
		var plain bytes.Buffer
		if _, err := plain.ReadFrom(zr); err != nil {
			f.Fatal(err)
		}
		f.Add(plain.Bytes())
	}
	f.Fuzz(func(t *testing.T, archive []byte) {
		within(t, archive, func(j *job, path string) error {
			return j.untar(context.Background(), bytes.NewReader(archive), "")
		})
	})
}

// FuzzGzip: a gzipped file is kept where it holds the published content.
func FuzzGzip(f *testing.F) {
	f.Add(gz(content(50)))
	f.Add(gz(make([]byte, 1<<20)))
	f.Add(gz(nil)[:5])
	f.Fuzz(func(t *testing.T, archive []byte) {
		within(t, archive, func(j *job, path string) error {
			return j.keep(context.Background(), j.set.files[0], "points.gz", bytes.NewReader(archive))
		})
	})
}
