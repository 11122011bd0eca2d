package files

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// plainly opens files without limits.
var plainly Opener

// loaders are all that read a data file.
func loaders(o Opener, dir string) map[string]func(path string) error {
	return map[string]func(path string) error{
		"csv":          func(path string) error { _, err := o.LoadCSV(path, DefaultCSV); return err },
		"libsvm":       func(path string) error { _, err := o.LoadLIBSVM(path, 0); return err },
		"libsvm bytes": func(path string) error { return o.LIBSVMToBytes(path, 3, filepath.Join(dir, "out")) },
		"idx":          func(path string) error { _, err := o.OpenIDX(path, false); return err },
		"idx in place": func(path string) error { _, err := o.OpenIDX(path, false); return err },
		"idx labels":   func(path string) error { _, err := o.LoadLabels(path); return err },
		"npy":          func(path string) error { _, err := o.LoadNPY(path); return err },
		"npy in place": func(path string) error { _, err := o.OpenNPY(path); return err },
		"npy labels":   func(path string) error { _, err := o.LoadLabels(path); return err },
	}
}

// bomb writes a gzipped file of a head and so many times a megabyte of a text, which
// it repeats: each gzip member after the first is the same.
func bomb(t *testing.T, head, text string, megabytes int) string {
	t.Helper()
	var member bytes.Buffer
	w := gzip.NewWriter(&member)
	for range 1 << 20 / len(text) {
		io.WriteString(w, text)
	}
	w.Close()
	path := filepath.Join(t.TempDir(), "bomb.gz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	f.Write(gz([]byte(head)))
	for range megabytes {
		f.Write(member.Bytes())
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// sparse is a file of a head and zeros up to a size, which take no room on disk.
func sparseFile(t *testing.T, head []byte, size int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sparse")
	if err := errors.Join(os.WriteFile(path, head, 0o600), os.Truncate(path, size)); err != nil {
		t.Skipf("SKIPPED: no sparse file of %d bytes here: %v", size, err)
	}
	return path
}

// TestHostileFiles: what a file of some megabytes unpacks to, what its header claims,
// and lines that do not end, are held to the memory that there is.
func TestHostileFiles(t *testing.T) {
	const memory = 32 << 20
	twice31 := []uint32{1 << 31, 1 << 31}
	gigabyte := idx(8, []uint32{1 << 10, 1 << 20}, nil)
	const zeros = "\x00\x00\x00\x00\x00\x00\x00\x00"
	for _, tt := range []struct{ load, name, path, want string }{
		{"csv", "a gigabyte of zeros", bomb(t, "", zeros, 1024), ":1: the line, or a quoted cell, does not end within 256.0 KiB"},
		{"csv", "a gigabyte of rows", bomb(t, "", "1,2,3,4\n", 1024), "of memory, more than the 32.0 MiB that there are: raise --memory"},
		{"csv", "a quoted cell of a gigabyte", bomb(t, "1,\"", "2,3\n", 1024), ":1: the line, or a quoted cell, does not end within 256.0 KiB"},
		{"libsvm", "a gigabyte of zeros", bomb(t, "", zeros, 1024), ":1: the line, or a quoted cell, does not end within 256.0 KiB"},
		{"libsvm", "a gigabyte of rows", bomb(t, "", "1 1:1\n", 1024), "of memory, more than the 32.0 MiB that there are: raise --memory"},
		{"libsvm", "a gigabyte of fields", bomb(t, "1 ", "1:1 ", 1024), "does not end within 256.0 KiB"},
		{"libsvm bytes", "a gigabyte of zeros", bomb(t, "", zeros, 1024), "does not end within 256.0 KiB"},
		{"idx", "a gigabyte of zeros that it claims", bomb(t, string(gigabyte), zeros, 1024), "reading it takes 1.0 GiB of memory, more than the 32.0 MiB that there are"},
		{"idx in place", "a gigabyte of zeros that it claims", bomb(t, string(gigabyte), zeros, 1024), "reading it takes 1.0 GiB of memory, more than the 32.0 MiB that there are"},
		{"idx", "a gigabyte of zeros that it does not claim", bomb(t, string(idx(8, []uint32{1, 100}, nil)), zeros, 1024), "bytes follow the 100 that the header claims"},
		{"npy", "a gigabyte of zeros that it claims", bomb(t, string(npyFile("<f8", "(1024, 131072)", false, binary.LittleEndian, []float64{})), zeros, 1024), "reading it takes 1.0 GiB of memory"},
		{"idx", "2^62 bytes claimed", sparseFile(t, idx(8, twice31, nil), 1<<30), "4611686018427387916 bytes in all, but the file has 1073741824"},
		{"idx in place", "2^62 bytes claimed", sparseFile(t, idx(8, twice31, nil), 1<<30), "4611686018427387916 bytes in all, but the file has 1073741824"},
		{"idx labels", "2^31 bytes claimed", sparseFile(t, idx(8, twice31[:1], nil), 1<<30), "2147483656 bytes in all, but the file has 1073741824"},
		{"idx", "2^62 bytes claimed, gzipped", bomb(t, string(idx(8, twice31, nil)), zeros, 1024), "4611686018427387916 bytes in all, but a gzipped file of this size holds at most"},
		{"npy", "2^62 numbers claimed", sparseFile(t, npyFile("<f8", "(2147483648, 2147483648)", false, binary.LittleEndian, []float64{}), 1<<30), "18446744073709551615 bytes in all, but the file has 1073741824"},
		{"idx labels", "a gigabyte of labels", sparseFile(t, idx(8, []uint32{1<<30 - 8}, nil), 1<<30), "reading it takes 8.0 GiB of memory"},
		{"npy labels", "a gigabyte of labels", sparseFile(t, npyFile("|u1", "(1073741696,)", false, binary.LittleEndian, []uint8{}), 1<<30), "reading it takes 8.0 GiB of memory"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := loaders(Opener{Memory: memory}, t.TempDir())[tt.load](tt.path)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), tt.path) {
			t.Errorf("%s, %s: %v, want …%s…", tt.load, tt.name, err, tt.want)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 8*memory { // slices that grow are counted each time
			t.Errorf("%s, %s: %d bytes were allocated under a limit of %d", tt.load, tt.name, taken, int64(memory))
		}
	}
}

// TestEndless: lines, cells and fields that do not end are given up.
func TestEndless(t *testing.T) {
	o := Opener{Memory: 64 << 20}
	for _, tt := range []struct {
		o                Opener
		head, text, want string
	}{
		{o, "", "1,", "f:1: the line, or a quoted cell, does not end within 512.0 KiB"},
		{o, "1,2\n3,4\n", "5,6,", "f:3: the line, or a quoted cell, does not end within 512.0 KiB"},
		{o, "1,2\n3,\"", "4\n", "f:2: the line, or a quoted cell, does not end within 512.0 KiB"},
		{o, "1,2\n", "\n", "f:2: the line, or a quoted cell, does not end within 512.0 KiB"},
		{plainly, "", "1,", "f:1: the line, or a quoted cell, does not end within 8.0 MiB; is this a text file? If it is, save the points as an .npy or IDX file"},
	} {
		_, err := tt.o.ReadCSV(strings.NewReader(tt.head+strings.Repeat(tt.text, 10<<20/len(tt.text))), "f", DefaultCSV)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("CSV, %q %q…: %v, want %s", tt.head, tt.text, err, tt.want)
		}
	}
	for _, tt := range []struct{ head, text string }{{"1 1:1\n2 ", "9"}, {"1 1:1\n2 1:", "9"}, {"1 1:1\n", " "}, {"1 1:1\n#", "x"}} {
		_, err := o.ReadLIBSVM(strings.NewReader(tt.head+strings.Repeat(tt.text, 1<<20)), "f", 0)
		if err == nil || !strings.HasPrefix(err.Error(), "f:2: the line, or a quoted cell, does not end within 512.0 KiB") {
			t.Errorf("LIBSVM, %q %q…: %v", tt.head, tt.text, err)
		}
	}
}

// endsLater is a context that has ended once it has been asked so many times.
type endsLater struct {
	context.Context
	times int
}

func (e *endsLater) Err() error {
	if e.times--; e.times < 0 {
		return context.Canceled
	}
	return nil
}

// TestCancelledReading: a context ends reading under way, of text, of gzipped
// files, and of numbers that are looked through where they lie.
func TestCancelledReading(t *testing.T) {
	o := func() Opener { return Opener{Context: &endsLater{t.Context(), 10}} }
	for name, text := range map[string]string{"csv": "1,2,3,4\n", "libsvm": "1 1:100\n"} {
		if err := loaders(o(), t.TempDir())[name](bomb(t, "", text, 64)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	head := npyFile("<f8", "(1073741824, 128)", false, binary.LittleEndian, []float64{})
	terabyte := sparseFile(t, head, 1<<40+int64(len(head)))
	if _, err := o().OpenNPY(terabyte); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), terabyte) {
		t.Errorf("a terabyte in place: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	pool, err := plainly.OpenIDX(sparseFile(t, idx(8, []uint32{1 << 20, 1 << 20}, nil), 1<<40+12), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (Table{X: pool}).Fingerprint(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the fingerprint of a terabyte: %v", err)
	}
}

// TestGzipped: every format is read through gzip as it is without.
func TestGzipped(t *testing.T) {
	dir := t.TempDir()
	for load, content := range map[string][]byte{
		"csv":        []byte("1,2\n3,4\n"),
		"libsvm":     []byte("1 1:2\n2 1:4\n"),
		"idx":        idx(8, []uint32{2, 2}, []byte{1, 2, 3, 4}),
		"idx labels": idx(8, []uint32{2}, []byte{1, 2}),
		"npy":        npyFile("<f8", "(1, 2)", false, binary.LittleEndian, []float64{1, 2}),
		"npy labels": npyFile("<i4", "(2,)", false, binary.LittleEndian, []int32{1, 2}),
	} {
		path := filepath.Join(dir, "file")
		for _, written := range [][]byte{content, gz(content), slices.Concat(gz(content[:3]), gz(content[3:]))} {
			if err := os.WriteFile(path, written, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := loaders(plainly, dir)[load](path); err != nil {
				t.Errorf("%s: %v", load, err)
			}
		}
		if err := os.WriteFile(path, gz(content)[:20], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := loaders(plainly, dir)[load](path); err == nil {
			t.Errorf("%s: a gzipped file that is cut short passes", load)
		}
	}
	var gzipped bytes.Buffer
	w := gzip.NewWriter(&gzipped)
	fmt.Fprint(w, "1\t2\n3\t4\n")
	w.Close()
	table, err := plainly.ReadCSV(&gzipped, "x.tsv.gz", DefaultCSV)
	if err != nil || table.Dim() != 2 {
		t.Errorf("tab-separated: %v", err)
	}
}
