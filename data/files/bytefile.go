package files

import (
	"bufio"
	"bytes"
	"crypto/sha256"
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
// classes. say is told what is about to be done,
// with the size by estimate, before it is. The folder appears complete or not at
// all.
//
// It fails, with an *Error that has line and column, on other values and where LoadLIBSVM
// does, and where the disk is full. Cost: a pass over the file, some 20 s a GB.
func (o Opener) LIBSVMToBytes(path string, dim int, dir string, say func(text string)) error {
	if dim <= 0 {
		return fmt.Errorf("dim: %d; want the number of coordinates", dim)
	}
	_, err := load(o, path, func(in *input) (struct{}, error) { return struct{}{}, toBytes(in, dim, dir, say) })
	return err
}

func toBytes(in *input, dim int, dir string, say func(text string)) error {
	in.Reader = bufio.NewReaderSize(in.Reader, 1<<20)
	if head, _ := in.Peek(1 << 20); in.size >= 0 {
		lines := max(1, bytes.Count(head, []byte("\n")))
		rows := float64(in.size) / float64(max(1, len(head))) * float64(lines)
		say(fmt.Sprintf("converting %s (%.1f GB of text) once to about %.1f GB of bytes in %s", in.name, float64(in.size)/1e9, rows*float64(dim)/1e9, dir))
	} else {
		say(fmt.Sprintf("unpacking and converting %s once to bytes in %s", in.name, dir))
	}
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
	if err := in.room(uint64(dim)); err != nil {
		return in.failed(err)
	}
	w, hash := bufio.NewWriterSize(out, 1<<20), sha256.New()
	labels, classes, err := convertToBytes(in, dim, io.MultiWriter(w, hash))
	if err != nil {
		return err
	}
	raw := make([]byte, len(labels))
	for i, l := range labels {
		raw[i] = byte(l)
	}
	hash.Write(raw)
	info, err := json.Marshal(byteFileInfo{N: len(labels), D: dim, Classes: classes, SHA256: hex.EncodeToString(hash.Sum(nil))})
	return errors.Join(err, w.Flush(), out.Sync(), out.Close(),
		os.WriteFile(filepath.Join(tmp, byteLabels), raw, 0o644),
		os.WriteFile(filepath.Join(tmp, byteInfo), info, 0o644),
		os.Rename(tmp, dir))
}

// OpenByteFile opens what LIBSVMToBytes left in dir: labels are read, points stay
// on disk. The hash tells contents apart. It fails where something is missing or
// of another size.
func OpenByteFile(dir string, divisor float64) (t Table, hash string, err error) {
	text, err := regular.ReadFile(filepath.Join(dir, byteInfo))
	if err != nil {
		return Table{}, "", err
	}
	var info byteFileInfo
	if err := json.Unmarshal(text, &info); err != nil || info.N < 1 || info.D < 1 {
		return Table{}, "", fmt.Errorf("%s: broken; remove the folder, and it is made again", dir)
	}
	raw, err := regular.ReadFile(filepath.Join(dir, byteLabels))
	if err != nil {
		return Table{}, "", err
	}
	file, stat, err := regular.Open(filepath.Join(dir, bytePoints))
	if err != nil {
		return Table{}, "", err
	}
	if stat.Size() != int64(info.N)*int64(info.D) || len(raw) != info.N {
		file.Close()
		return Table{}, "", fmt.Errorf("%s: its files are not of %d×%d bytes; remove the folder, and it is made again", dir, info.N, info.D)
	}
	pool, err := newFilePool(file, 0, info.N, info.D, 1, scaledBytes(divisor))
	if err != nil {
		return Table{}, "", err
	}
	labels := make([]int, info.N)
	for i, b := range raw {
		labels[i] = int(b)
	}
	return Table{X: pool, Labels: labels, Classes: info.Classes}, info.SHA256, nil
}

// convertToBytes writes a row of dim bytes for each line of a LIBSVM file, and gives the labels.
func convertToBytes(in *input, dim int, w io.Writer) (labels []int, classes []string, err error) {
	row := make([]byte, dim)
	var r libsvmReader
	entry := func(index int, v float64) (problem string) {
		if row[index-1] = byte(v); float64(row[index-1]) != v {
			return "want a whole number from 0 to 255 as value; bytes: true is for such files alone"
		}
		return ""
	}
	endRow := func() error {
		if n := len(r.codes.names); n > 256 {
			return r.atLine(fmt.Sprintf("%d classes in %d rows; at most 256 are kept in bytes", n, r.codes.codes.len()))
		}
		if err := in.room(r.codes.bytes()); err != nil {
			return r.atLine(err.Error())
		}
		_, err := w.Write(row)
		clear(row)
		return err
	}
	r = newLIBSVMReader(in, dim, entry, endRow)
	if err := r.read(); err != nil {
		return nil, nil, err
	}
	labels, classes = r.codes.done()
	return labels, classes, nil
}
