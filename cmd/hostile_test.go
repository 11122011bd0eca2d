package cmd

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// gigabyte writes a gzipped file of a head and a gigabyte of a text: a gzip member of a
// megabyte, again and again.
func gigabyte(path, head, text string) error {
	member := func(text string) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write([]byte(text)); err != nil {
			panic(err) // a buffer takes everything
		}
		if err := w.Close(); err != nil {
			panic(err)
		}
		return b.Bytes()
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(member(head)); err != nil {
		return err
	}
	megabyte := member(strings.Repeat(text, 1<<20/len(text)))
	for range 1 << 10 {
		if _, err := f.Write(megabyte); err != nil {
			return err
		}
	}
	return f.Close()
}

// idxHead is the header of an IDX file of n×d bytes.
func idxHead(n, d uint32) string {
	return string(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte{0, 0, 8, 2}, n), d))
}

// hostile makes files that take all memory of who believes them, and a spec like
// pipe.yaml for each.
func hostile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: hostile")
	}
	ts.Check(gigabyte(ts.MkAbs("bomb.csv.gz"), "", "1,2,3,4\n"))
	ts.Check(gigabyte(ts.MkAbs("endless.csv.gz"), "", "1,2,3,4,"))
	ts.Check(gigabyte(ts.MkAbs("quoted.csv.gz"), "1,2\n3,\"", "4\n"))
	ts.Check(gigabyte(ts.MkAbs("endless.svm.gz"), "1 ", "0"))
	ts.Check(gigabyte(ts.MkAbs("claim.idx.gz"), idxHead(1<<10, 1<<20), "\x00"))
	ts.Check(os.WriteFile(ts.MkAbs("lie.idx"), []byte(idxHead(1<<31, 1<<31)), 0o666))
	ts.Check(os.Truncate(ts.MkAbs("lie.idx"), 1<<30))
	spec := ts.ReadFile("pipe.yaml")
	for name, source := range map[string]string{
		"zero": "use: csv, path: zero.csv", "folder": "use: csv, path: folder.csv", "bomb": "use: csv, path: bomb.csv.gz",
		"endless": "use: csv, path: endless.csv.gz", "quoted": "use: csv, path: quoted.csv.gz", "svm": "use: libsvm, path: endless.svm.gz",
		"claim": "use: idx, path: claim.idx.gz", "lie": "use: idx, path: lie.idx",
	} {
		ts.Check(os.WriteFile(filepath.Join(ts.MkAbs("."), name+".yaml"), []byte(strings.Replace(spec, "use: csv, path: pipe.csv", source, 1)), 0o666))
	}
}
