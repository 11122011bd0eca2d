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
	"strconv"

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
// bytes of points and N of labels. The format is that of ReadLIBSVM, without
// comments; there may be up to 256 classes. say is told what is about to be done,
// with the size by estimate, before it is. The folder appears complete or not at
// all.
//
// It fails, with an *Error that has the line, on other values, indices that do
// not rise or are above dim, and where a number of dim is not positive; and where
// the disk is full. Cost: a pass over the file, some 5 s a GB.
func (o Opener) LIBSVMToBytes(path string, dim int, dir string, say func(text string)) error {
	if dim <= 0 {
		return fmt.Errorf("dim: %d; want the number of coordinates", dim)
	}
	_, err := load(o, path, func(in *input) (struct{}, error) { return struct{}{}, toBytes(in, dim, dir, say) })
	return err
}

func toBytes(in *input, dim int, dir string, say func(text string)) error {
	r := bufio.NewReaderSize(in, 1<<20)
	if head, _ := r.Peek(1 << 20); in.size >= 0 {
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
	c := &byteConverter{name: in.name, memory: uint64(in.memory), dim: dim, row: make([]byte, dim)}
	w, hash := bufio.NewWriterSize(out, 1<<20), sha256.New()
	if err := c.convert(r, io.MultiWriter(w, hash)); err != nil {
		return err
	}
	labels, classes := c.codes.done()
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

// byteConverter reads lines into rows of bytes.
type byteConverter struct {
	name   string
	memory uint64 // bytes that labels may take
	dim    int
	line   int
	row    []byte
	codes  coder
}

func (c *byteConverter) convert(r *bufio.Reader, w io.Writer) error {
	for {
		line, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return c.wrong("a line longer than 1 MiB", nil)
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		c.line++
		if line = bytes.Trim(line, " \t\r\n"); len(line) > 0 {
			if err := c.parse(line); err != nil {
				return err
			}
			if len(c.codes.names) > 256 || c.codes.bytes() > c.memory {
				return c.wrong(fmt.Sprintf("%d classes in %d rows; at most 256 are kept in bytes, and labels in %s of memory", len(c.codes.names), c.codes.codes.len(), sizeText(c.memory)), nil)
			}
			if _, err := w.Write(c.row); err != nil {
				return err
			}
		}
		if err == io.EOF {
			break
		}
	}
	if c.codes.codes.len() == 0 {
		return &Error{File: c.name, Problem: "the file has no rows"}
	}
	return nil
}

func (c *byteConverter) wrong(problem string, text []byte) error {
	return &Error{File: c.name, Line: c.line, Text: string(text), Problem: problem}
}

// parse fills the row from a line.
func (c *byteConverter) parse(line []byte) error {
	clear(c.row)
	label, rest, _ := bytes.Cut(line, []byte(" "))
	v, err := strconv.ParseFloat(string(label), 64)
	if err != nil || v-v != 0 || !decimal(string(label)) {
		return c.wrong("want a number as label", label)
	}
	c.codes.add(numberName(string(label), v))
	last := 0
	for at := 0; at < len(rest); {
		if rest[at] == ' ' || rest[at] == '\t' {
			at++
			continue
		}
		start := at
		index, next := digits(rest, at)
		if next == at || next >= len(rest) || rest[next] != ':' || index <= last || index > c.dim {
			return c.wrong(fmt.Sprintf("want index:value, the index above %d and at most dim: %d", last, c.dim), field(rest, start))
		}
		value, end := digits(rest, next+1)
		if end == next+1 || value > 255 || end < len(rest) && rest[end] != ' ' && rest[end] != '\t' {
			return c.wrong("want a whole number from 0 to 255 as value; bytes: true is for such files alone", field(rest, start))
		}
		c.row[index-1] = byte(value)
		last, at = index, end
	}
	return nil
}

// digits reads a whole number at a place and says where it ends; numbers above a
// million stay there.
func digits(b []byte, at int) (value, end int) {
	for end = at; end < len(b) && b[end]-'0' <= 9; end++ {
		value = min(10*value+int(b[end]-'0'), 1e6)
	}
	return value, end
}

func field(b []byte, at int) []byte {
	text, _, _ := bytes.Cut(b[at:], []byte(" "))
	return text
}
