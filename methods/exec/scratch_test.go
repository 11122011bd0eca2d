//go:build unix

package exec

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sbinet/npyio/npy"
	"gonum.org/v1/gonum/mat"
)

// put writes a file into a scratch directory.
func put(t *testing.T, s *Scratch, name string, content any) {
	t.Helper()
	data, ok := content.([]byte)
	if !ok {
		var b bytes.Buffer
		if err := npy.Write(&b, content); err != nil {
			t.Fatal(err)
		}
		data = b.Bytes()
	}
	if err := os.WriteFile(filepath.Join(s.dir, name), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestArrays(t *testing.T) {
	s := scratch(t)
	want := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	put(t, s, "double.npy", want)
	put(t, s, "fortran.npy", []byte("\x93NUMPY\x01\x00\x46\x00{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }           \n\x01\x04\x02\x05\x03\x06"))
	put(t, s, "single.npy", []float32{1, 2, 3})
	put(t, s, "labels.npy", []int64{1, 2, 3})
	for _, array := range []string{`"double.npy"`, `"fortran.npy"`, `"./double.npy"`, `[[1,2,3],[4,5,6]]`} {
		if got, err := read(`{"coef":`+array+`}`, s); err != nil || !mat.Equal(got.Arrays["coef"], want) {
			t.Errorf("%s: %v, error %v", array, got, err)
		}
	}
	for _, array := range []string{`"single.npy"`, `"labels.npy"`, `[1,2,3]`} {
		got, err := read(`{"labels":`+array+`}`, s)
		if err != nil {
			t.Fatal(err)
		}
		if labels, err := got.Integers("labels", 3, 4); err != nil || labels[0] != 1 || labels[2] != 3 {
			t.Errorf("%s: %v, error %v", array, labels, err)
		}
	}
}

// TestWrite: what is written reads back, symmetric matrices whole.
func TestWrite(t *testing.T) {
	s := scratch(t)
	x := mat.NewDense(4, 5, nil)
	x.Apply(func(i, j int, _ float64) float64 { return float64(i) + float64(j)/7 }, x)
	part := x.Slice(1, 3, 1, 4).(*mat.Dense) // its rows lie apart in memory
	k := mat.NewSymDense(3, []float64{1, 2, 3, 0, 4, 5, 0, 0, 6})
	if err := errors.Join(s.Write("x.npy", part), s.Write("k.npy", k)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]mat.Matrix{"x.npy": part, "k.npy": k} {
		if got, err := s.load(name, 2); err != nil || !mat.Equal(got, want) {
			t.Errorf("%s: %v, error %v", name, got, err)
		}
	}
}

func TestArraysFail(t *testing.T) {
	s := scratch(t)
	outside := filepath.Join(t.TempDir(), "outside.npy")
	put(t, s, "good.npy", mat.NewDense(2, 1, []float64{1, 2}))
	good, err := os.ReadFile(filepath.Join(s.dir, "good.npy"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "vector.npy", []float64{1, 2})
	put(t, s, "half.npy", []float64{1, 1.5})
	put(t, s, "nan.npy", []byte(strings.Replace(string(good), "\xf0\x3f", "\xf8\x7f", 1))) // 1.0 to NaN
	put(t, s, "infinite.npy", []byte(strings.Replace(string(good), "\xf0\x3f", "\xf0\x7f", 1)))
	put(t, s, "short.npy", good[:len(good)-1])
	put(t, s, "empty.npy", []byte{})
	put(t, s, "text.npy", []byte("1 2\n3 4\n"))
	put(t, s, "complex.npy", []complex128{1})
	put(t, s, "pickle.npy", []byte(strings.Replace(string(good), "<f8", "|O8", 1)))
	for name, err := range map[string]error{
		"outside": os.WriteFile(outside, good, 0o600), "link": os.Symlink(outside, filepath.Join(s.dir, "link.npy")),
		"within": os.Symlink("good.npy", filepath.Join(s.dir, "within.npy")), "away": os.Symlink(filepath.Dir(outside), filepath.Join(s.dir, "away")),
		"directory": os.Mkdir(filepath.Join(s.dir, "directory.npy"), 0o700), "pipe": syscall.Mkfifo(filepath.Join(s.dir, "pipe.npy"), 0o600),
	} {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	matrices := map[string]string{
		"none.npy":         "the program has not written it",
		outside:            "the path must be relative and stay in the scratch directory",
		"../x.npy":         "the path must be relative",
		"a/../../x.npy":    "the path must be relative",
		".":                "is a folder: want a regular file",
		"link.npy":         "is a link: want a regular file",
		"within.npy":       "is a link",
		"away/outside.npy": "path escapes",
		"directory.npy":    "is a folder",
		"pipe.npy":         "is a pipe: want a regular file",
		"vector.npy":       "an array of 1 dimensions",
		"nan.npy":          "is NaN: not a finite number",
		"infinite.npy":     "is +Inf: not a finite number",
		"short.npy":        "but the file has",
		"empty.npy":        "no .npy file",
		"text.npy":         "no .npy file",
		"complex.npy":      "want a plain array of floats",
		"pickle.npy":       "want a plain array of floats",
		"good.npy\x00":     "file",
	}
	for name, says := range matrices {
		quoted, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := read(`{"coef":`+string(quoted)+`}`, s); err == nil || !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), "coef: ") {
			t.Errorf("%q: %v, error %v, want one that says %q", name, got, err, says)
		}
	}
	if _, err := read(`{"values":"good.npy"}`, s); err == nil || !strings.Contains(err.Error(), "2 dimensions; want 1") {
		t.Errorf("a matrix in a file passes for a vector: %v", err)
	}
	half, err := read(`{"labels":"half.npy"}`, s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := half.Integers("labels", 2, 2); err == nil || !strings.Contains(err.Error(), "number 1 is 1.5") {
		t.Errorf("a label of 1.5: error %v", err)
	}
}

// TestNameIsTaken: what a program leaves under the name of an array neither blocks writing it
// nor is written through.
func TestNameIsTaken(t *testing.T) {
	s := scratch(t)
	outside := filepath.Join(t.TempDir(), "outside")
	for _, err := range []error{syscall.Mkfifo(filepath.Join(s.dir, "X.npy"), 0o600), os.Symlink(outside, filepath.Join(s.dir, "K.npy"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	x := mat.NewDense(1, 1, []float64{1})
	if err := errors.Join(s.Write("X.npy", x), s.Write("K.npy", x)); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(outside); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("written through a link: %v", err)
	}
}

// TestNoRoom: arrays cannot be written, here since the program has removed its directory.
func TestNoRoom(t *testing.T) {
	s := scratch(t)
	if err := os.RemoveAll(s.dir); err != nil {
		t.Fatal(err)
	}
	err := s.Write("X.npy", mat.NewDense(300, 300, nil))
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "720000 bytes are needed; $TMPDIR says") {
		t.Errorf("error %v", err)
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	if _, err := NewScratch(); err == nil || !strings.Contains(err.Error(), "scratch directory: ") {
		t.Errorf("no place for a scratch directory: error %v", err)
	}
}
