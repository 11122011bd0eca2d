package files

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"mercer/internal/regular"
)

// byteFileInfo is what is kept beside points as bytes.
type byteFileInfo struct {
	D       int
	Labels  []byte   // codes of the classes
	Classes []string // at most 256
	SHA256  string   // of the points, then the labels
}

const (
	bytePoints = "points" // N·D bytes
	byteInfo   = "info.json"
)

// LIBSVMToBytes converts a LIBSVM file whose values are whole numbers from 0 to 255, such as
// mnist8m, to bytes in the folder dir, which it makes: N·D of points, and what is known of
// them. The format is that of LoadLIBSVM; there may be up to 256 classes. The folder appears
// complete or not at all.
//
// It fails, with an *Error that has the line, on other values and where LoadLIBSVM
// does, and where the disk is full. Cost: a pass over the file.
func (o Opener) LIBSVMToBytes(path string, dim int, dir string) error {
	tmp, err := os.MkdirTemp(filepath.Dir(dir), ".tmp-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	out, err := os.Create(filepath.Join(tmp, bytePoints))
	if err != nil {
		return err
	}
	defer out.Close()
	w := bufio.NewWriterSize(out, 1<<20)
	info, err := load(o, path, func(in *input) (byteFileInfo, error) { return in.writeBytes(dim, w) })
	if err != nil {
		return err
	}
	text, err := json.Marshal(info)
	return errors.Join(err, w.Flush(), out.Sync(), out.Close(),
		os.WriteFile(filepath.Join(tmp, byteInfo), text, 0o644),
		os.Rename(tmp, dir))
}

// writeBytes writes dim bytes for each line of a LIBSVM file.
func (in *input) writeBytes(dim int, w io.Writer) (byteFileInfo, error) {
	r, codes, info := &libsvmRows{in: in, dim: dim}, map[string]int{}, byteFileInfo{D: dim}
	row, hash := make([]byte, dim), sha256.New()
	wrong := func(format string, args ...any) error {
		return &Error{File: in.name, Line: r.line, Problem: fmt.Sprintf(format, args...)}
	}
	var names []string // in the order of their first lines
	err := eachRow(r, func(x []float64, class string) error {
		for j, v := range x {
			if row[j] = byte(v); float64(row[j]) != v {
				return wrong("%d:%v: want a whole number from 0 to 255 as value; bytes: true is for such files alone", j+1, v)
			}
		}
		if _, known := codes[class]; !known {
			codes[class] = len(names)
			names = append(names, class)
		}
		if len(names) > 256 {
			return wrong("%d classes in %d rows; at most 256 are kept in bytes", len(names), r.read)
		}
		info.Labels = append(info.Labels, byte(codes[class]))
		hash.Write(row)
		_, err := w.Write(row)
		return err
	})
	if err != nil {
		return info, err
	}
	info.Classes = order(codes)
	for i, code := range info.Labels {
		info.Labels[i] = byte(codes[names[code]])
	}
	hash.Write(info.Labels)
	info.SHA256 = hex.EncodeToString(hash.Sum(nil))
	return info, nil
}

// OpenByteFile opens what LIBSVMToBytes left in dir: points stay on disk. The hash tells
// contents apart. It fails where something is missing or of another size.
func OpenByteFile(dir string, divisor float64) (t Table, hash string, err error) {
	text, err := regular.ReadFile(filepath.Join(dir, byteInfo))
	if err != nil {
		return t, "", err
	}
	file, opened, err := regular.Open(filepath.Join(dir, bytePoints))
	if err != nil {
		return t, "", err
	}
	var info byteFileInfo
	err = json.Unmarshal(text, &info)
	if n := len(info.Labels); err != nil || n*info.D == 0 || int64(n*info.D) != opened.Size() {
		file.Close()
		return t, "", fmt.Errorf("%s: its files are not of %d×%d bytes; remove the folder, and it is made again", dir, n, info.D)
	}
	a := array{kind: "u1", order: binary.LittleEndian, shape: []uint64{uint64(len(info.Labels))}, items: uint64(opened.Size()), divisor: divisor}
	t = Table{X: &FilePool{array: a, numbers: io.NewSectionReader(file, 0, opened.Size()), file: file, opened: opened}, Classes: info.Classes}
	for _, code := range info.Labels {
		t.Labels = append(t.Labels, int(code))
	}
	return t, info.SHA256, nil
}
