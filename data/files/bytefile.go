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
	N, D    int
	Classes []string
	SHA256  string // of the points, then the labels
}

const (
	bytePoints = "points"
	byteLabels = "labels"
	byteInfo   = "info.json"
)

// LIBSVMToBytes converts a LIBSVM file whose values are whole numbers from 0 to
// 255, such as mnist8m, to files of bytes in the folder dir, which it makes: N·D
// bytes of points and N of labels. The format is that of LoadLIBSVM; there may be up to 256
// classes. say is told what is about to be done before it is. The folder appears complete or
// not at all.
//
// It fails, with an *Error that has the line, on other values and where LoadLIBSVM
// does, and where the disk is full. Cost: a pass over the file.
func (o Opener) LIBSVMToBytes(path string, dim int, dir string, say func(text string)) error {
	if dim <= 0 {
		return fmt.Errorf("dim: %d; want the number of coordinates", dim)
	}
	_, err := load(o, path, func(in *input) (struct{}, error) { return struct{}{}, in.toBytes(dim, dir, say) })
	return err
}

func (in *input) toBytes(dim int, dir string, say func(text string)) error {
	say(fmt.Sprintf("converting %s once to bytes in %s", in.name, dir))
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
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
	w, hash := bufio.NewWriterSize(out, 1<<20), sha256.New()
	labels, classes, err := in.writeBytes(dim, io.MultiWriter(w, hash))
	if err != nil {
		return err
	}
	hash.Write(labels)
	info, err := json.Marshal(byteFileInfo{N: len(labels), D: dim, Classes: classes, SHA256: hex.EncodeToString(hash.Sum(nil))})
	return errors.Join(err, w.Flush(), out.Sync(), out.Close(),
		os.WriteFile(filepath.Join(tmp, byteLabels), labels, 0o644),
		os.WriteFile(filepath.Join(tmp, byteInfo), info, 0o644),
		os.Rename(tmp, dir))
}

// writeBytes writes dim bytes for each line of a LIBSVM file, and gives the labels.
func (in *input) writeBytes(dim int, w io.Writer) (labels []byte, classes []string, err error) {
	r, codes, row := &libsvmRows{in: in, dim: dim}, map[string]int{}, make([]byte, dim)
	var names []string // in the order of their first lines
	wrong := func(format string, args ...any) error {
		return &Error{File: in.name, Line: r.line, Problem: fmt.Sprintf(format, args...)}
	}
	err = eachRow(r, func(x []float64, class string) error {
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
		labels = append(labels, byte(codes[class]))
		_, err := w.Write(row)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	classes = order(codes)
	for i, code := range labels {
		labels[i] = byte(codes[names[code]])
	}
	return labels, classes, nil
}

// OpenByteFile opens what LIBSVMToBytes left in dir: labels are read, points stay
// on disk. The hash tells contents apart. It fails where something is missing or
// of another size.
func OpenByteFile(dir string, divisor float64) (t Table, hash string, err error) {
	text, err := regular.ReadFile(filepath.Join(dir, byteInfo))
	if err != nil {
		return t, "", err
	}
	labels, err := regular.ReadFile(filepath.Join(dir, byteLabels))
	if err != nil {
		return t, "", err
	}
	file, opened, err := regular.Open(filepath.Join(dir, bytePoints))
	if err != nil {
		return t, "", err
	}
	var info byteFileInfo
	if err := json.Unmarshal(text, &info); err != nil || info.N < 1 || info.D < 1 || opened.Size() != int64(info.N)*int64(info.D) || len(labels) != info.N {
		file.Close()
		return t, "", fmt.Errorf("%s: its files are not of %d×%d bytes; remove the folder, and it is made again", dir, info.N, info.D)
	}
	a := array{kind: "u1", order: binary.LittleEndian, shape: []uint64{uint64(info.N), uint64(info.D)}, items: uint64(opened.Size()), divisor: divisor}
	t = Table{X: &FilePool{array: a, numbers: io.NewSectionReader(file, 0, opened.Size()), file: file, opened: opened}, Classes: info.Classes}
	for _, b := range labels {
		t.Labels = append(t.Labels, int(b))
	}
	return t, info.SHA256, nil
}
