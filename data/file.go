package data

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"mercer/configs"
	"mercer/data/fetch"
	"mercer/data/files"
	"mercer/internal/plain"
)

// Word is a scalar of any YAML type, taken as written: header: true, label: -1,
// label: class.
type Word string

// DecodeNode takes any scalar.
func (w *Word) DecodeNode(n *configs.Node, d *configs.Decoder) {
	if n.Kind == configs.Map || n.Kind == configs.List {
		d.Wrong(n, "a single word or number")
		return
	}
	*w = Word(n.Text)
}

// Takes says so in words.
func (*Word) Takes(reflect.StructTag) string { return "a word or a number" }

// CSVOptions are the parameters of a CSV file.
type CSVOptions struct {
	Path         string `yaml:"path" fixed:"true" required:"true" doc:"the file, relative to the spec's directory or else to $MERCER_DATA"`
	Header       Word   `yaml:"header" doc:"true, false or auto (default): the first line names the columns if it is text above numbers, has an empty first cell, or counts 0, 1, 2, …; a note says so where it could be a point"`
	Label        Word   `yaml:"label" doc:"column of the class label: its name, its index from 0 (negative: from the end), or none (default)"`
	Drop         []Word `yaml:"drop" doc:"columns that are no coordinates, each by its name or its index"`
	Missing      string `yaml:"missing" enum:"error,drop" doc:"rows with a missing cell, or without a label: error (default), or drop: they are left out, and plan and report say how many"`
	Comma        string `yaml:"comma" fixed:"true" doc:"separator: one character, tab, or auto (default)"`
	TableOptions `yaml:",inline"`
}

func (o *CSVOptions) layout() files.CSVOptions {
	layout := files.CSVOptions{Header: string(o.Header), Label: string(o.Label), Comma: o.Comma, Missing: o.Missing}
	for _, column := range o.Drop {
		layout.Drop = append(layout.Drop, string(column))
	}
	return layout
}

// Validate checks the parameters.
func (o *CSVOptions) Validate() error {
	return errors.Join(checkPath("path", o.Path), o.layout().Validate())
}

// Open reads the file.
func (o *CSVOptions) Open(c Context) (Dataset, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	table, err := c.opener().LoadCSV(c.resolve(o.Path), o.layout())
	name := filepath.Base(o.Path)
	if table.Skipped > 0 {
		name += fmt.Sprintf(" less %s with missing cells", plain.Count(table.Skipped, "row"))
	}
	d, err := openTable(name, table, files.Table{}, err, o.TableOptions, c)
	if t, ok := d.(*tableDataset); ok {
		if table.Guess != "" {
			t.doubts = append(t.doubts, fmt.Sprintf("%s: %s", filepath.Base(o.Path), table.Guess))
		}
		if table.Skipped > 0 {
			t.doubts = append(t.doubts, fmt.Sprintf("left out of %s for missing cells: %s", filepath.Base(o.Path), plain.Count(table.Skipped, "row")))
		}
		for _, name := range table.RowNumbers() {
			t.doubts = append(t.doubts, fmt.Sprintf("column %q of %s grows by whole numbers from row to row and is taken as a coordinate; if it numbers the rows, write drop: [%q]", name, filepath.Base(o.Path), name))
		}
	}
	return d, err
}

// ArrayOptions are the parameters of IDX and NumPy files.
type ArrayOptions struct {
	Path         string `yaml:"path" fixed:"true" required:"true" doc:"the points, N×D, relative to the spec's directory or else to $MERCER_DATA"`
	Labels       string `yaml:"labels" fixed:"true" doc:"the class labels, N whole numbers"`
	TestPath     string `yaml:"test_path" fixed:"true" doc:"the points of the test part"`
	Scale        bool   `yaml:"scale" doc:"divide bytes by 255"`
	TableOptions `yaml:",inline"`
}

// Validate checks the parameters.
func (o *ArrayOptions) Validate() error {
	return errors.Join(checkPath("path", o.Path), checkPath("labels", o.Labels), checkPath("test_path", o.TestPath))
}

// Open opens the files: points stay there, unless they are compressed or in Fortran order, and
// are read as they are needed.
func (o *ArrayOptions) Open(c Context) (Dataset, error) {
	train, err := c.opener().OpenArrays(c.resolve(o.Path), c.resolve(o.Labels), o.Scale)
	var test files.Table
	if err == nil && o.TestPath != "" {
		test, err = c.opener().OpenArrays(c.resolve(o.TestPath), "", o.Scale)
	}
	return openTable(filepath.Base(o.Path), train, test, err, o.TableOptions, c)
}

// LIBSVMOptions are the parameters of a LIBSVM file.
type LIBSVMOptions struct {
	Path         string `yaml:"path" fixed:"true" required:"true" doc:"the file, relative to the spec's directory or else to $MERCER_DATA"`
	Dim          int    `yaml:"dim" min:"0" doc:"dimension D; 0 (default): the largest index in the file"`
	Bytes        bool   `yaml:"bytes" doc:"the values are whole numbers from 0 to 255: convert the file once to N·D bytes in the cache directory and read points from there on demand; for files larger than memory, such as mnist8m; needs dim"`
	Scale        bool   `yaml:"scale" doc:"with bytes: divide by 255"`
	TableOptions `yaml:",inline"`
}

// Validate checks the parameters.
func (o *LIBSVMOptions) Validate() error {
	if err := checkPath("path", o.Path); err != nil {
		return err
	}
	if o.Bytes && o.Dim == 0 {
		return errors.New("bytes: give dim, the number of coordinates, too")
	}
	if o.Scale && !o.Bytes {
		return errors.New("scale: divides bytes alone; add bytes: true, or drop it")
	}
	return nil
}

// Open reads the file.
func (o *LIBSVMOptions) Open(c Context) (Dataset, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Bytes {
		return o.openBytes(c)
	}
	table, err := c.opener().LoadLIBSVM(c.resolve(o.Path), o.Dim)
	return openTable(filepath.Base(o.Path), table, files.Table{}, err, o.TableOptions, c)
}

// openBytes opens the file's bytes, converted before or now.
func (o *LIBSVMOptions) openBytes(c Context) (Dataset, error) {
	path, err := filepath.Abs(c.resolve(o.Path))
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	cache, err := fetch.CacheDir(fetch.Options{})
	if err != nil {
		return nil, fmt.Errorf("%w; %s", err, cacheAdvice)
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%q %d %d %d", path, info.Size(), info.ModTime().UnixNano(), o.Dim))
	dir := filepath.Join(cache, "libsvm-points", hex.EncodeToString(key[:8]))
	if !exists(dir) {
		fmt.Fprintf(c.log(), "converting %s (%.1f GB) once to bytes in %s\n", path, float64(info.Size())/1e9, dir)
		err := os.MkdirAll(filepath.Dir(dir), 0o755)
		if err == nil {
			err = c.opener().LIBSVMToBytes(path, o.Dim, dir)
		}
		switch {
		case err == nil, exists(dir): // another process was first
		case errors.As(err, new(*files.Error)), c.context().Err() != nil:
			return nil, err
		default:
			return nil, fmt.Errorf("%w; %s", err, cacheAdvice)
		}
	}
	divisor := 1.0
	if o.Scale {
		divisor = 255
	}
	table, hash, err := files.OpenByteFile(dir, divisor)
	if err != nil {
		return nil, err
	}
	return newTableDataset(filepath.Base(o.Path), fmt.Sprintf("bytes %s / %g", hash, divisor), table, files.Table{}, o.TableOptions, c)
}

const cacheAdvice = "set MERCER_CACHE to a directory that can be written and has room"

// resolve finds a relative path, if there is one, beside the spec or, where nothing is there,
// in $MERCER_DATA.
func (c Context) resolve(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	beside := filepath.Join(c.Dir, path)
	if own := fetch.DataDir(fetch.Options{}); own != "" {
		elsewhere := filepath.Join(own, path)
		if _, err := os.Stat(beside); errors.Is(err, fs.ErrNotExist) && exists(elsewhere) {
			return elsewhere
		}
	}
	return beside
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func openTable(name string, train, test files.Table, err error, options TableOptions, c Context) (Dataset, error) {
	if err != nil {
		return nil, err
	}
	hash, err := train.Fingerprint(c.context())
	if err == nil && test.Len() > 0 {
		var of string
		of, err = test.Fingerprint(c.context())
		hash += "+" + of
	}
	if err != nil {
		return nil, err
	}
	return newTableDataset(name, hash, train, test, options, c)
}

// PublishedOptions are the parameters of a published data set.
type PublishedOptions struct {
	Parts        string `yaml:"parts" enum:"train,all" doc:"train (default): the training part; all: the training part followed by the test part"`
	TableOptions `yaml:",inline"`
	set          fetch.Published
}

// Open fetches the data set where the cache has it not, and reads it; pixels are divided by 255.
func (o *PublishedOptions) Open(c Context) (Dataset, error) {
	train, test, err := fetch.Load(c.context(), o.set.Name, fetch.LoadOptions{Options: fetch.Options{Log: c.log()}, Scale: o.set.Images, Memory: c.Memory})
	if err == nil && o.Parts == "all" {
		train, test = files.Join(train, test), files.Table{}
	}
	return openTable(o.set.Name, train, test, err, o.TableOptions, c)
}

func published(set fetch.Published) Entry {
	defaults := PublishedOptions{set: set, Parts: "train", TableOptions: defaultTableOptions()}
	entry := Entry{
		Doc:       "published data set, fetched and verified: mercer data list",
		New:       func() Options { o := defaults; return &o },
		Constants: tableConstants,
	}
	if set.Own {
		entry.Doc = "published data set, a file of your own: mercer data list"
	}
	if set.Images {
		entry.Doc += "; pixels are divided by 255"
	}
	return entry
}
