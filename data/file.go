package data

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"mercer/configs"
	"mercer/data/fetch"
	"mercer/data/files"
	"mercer/internal/lists"
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
	Path         string            `yaml:"path" fixed:"true" required:"true" doc:"the file, relative to the spec's directory or else to $MERCER_DATA; separated by comma, tab, semicolon or |, whichever the first line has most of; lines that begin with # are left out"`
	Header       Word              `yaml:"header" doc:"true: the first line names the columns; false: it is a point; auto (default): it names them if no cell of it is a number; refused where its numbers count 0, 1, 2 or 2018, 2019, 2020, as names can and a point"`
	Label        Word              `yaml:"label" doc:"column of the class label: its name, its index from 0 (negative: from the end), or none (default)"`
	Response     Word              `yaml:"response" doc:"column of the response, a number that regression predicts, named as label; default no responses"`
	Drop         []Word            `yaml:"drop" doc:"columns that are no coordinates, each by its name or its index"`
	OneHot       map[string][]Word `yaml:"one_hot" doc:"columns of words, each by its name or its index, with its words: {town: [Bonn, Ulm]}; such a column is a coordinate for each word, 1 in its rows and 0 elsewhere (scikit-learn's OneHotEncoder)"`
	TableOptions `yaml:",inline"`
}

func (o *CSVOptions) layout() files.CSVOptions {
	texts := func(words []Word) []string { return lists.Map(words, func(word Word) string { return string(word) }) }
	oneHot := map[string][]string{}
	for column, words := range o.OneHot {
		oneHot[column] = texts(words)
	}
	return files.CSVOptions{Header: string(o.Header), Label: string(o.Label), Response: string(o.Response), Drop: texts(o.Drop), OneHot: oneHot}
}

// Validate checks the parameters.
func (o *CSVOptions) Validate() error {
	return errors.Join(checkPath("path", o.Path), o.layout().Validate(), o.TableOptions.Validate())
}

// Traits say what is predicted too.
func (o *CSVOptions) Traits() Traits {
	t := o.TableOptions.Traits()
	t.Classes, t.Responses = o.Label != "none", o.Response != ""
	return t
}

// Open reads the file.
func (o *CSVOptions) Open(c Context) (Dataset, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	table, err := c.opener().LoadCSV(c.resolve(o.Path), o.layout())
	return openTable(filepath.Base(o.Path), table, files.Table{}, err, o.TableOptions, c)
}

// ArrayOptions are the parameters of IDX and NumPy files.
type ArrayOptions struct {
	Path         string `yaml:"path" fixed:"true" required:"true" doc:"the points, N×D, of precomputed the kernel matrix, N×N, relative to the spec's directory or else to $MERCER_DATA; they stay in the file and are read as they are needed"`
	Labels       string `yaml:"labels" fixed:"true" doc:"the class labels, N whole numbers"`
	Responses    string `yaml:"responses" fixed:"true" doc:"the responses that regression predicts, N numbers"`
	Scale        bool   `yaml:"scale" doc:"divide bytes by 255"`
	TableOptions `yaml:",inline"`
}

// Validate checks the parameters.
func (o *ArrayOptions) Validate() error {
	return errors.Join(checkPath("path", o.Path), checkPath("labels", o.Labels), checkPath("responses", o.Responses), o.TableOptions.Validate())
}

// Traits say what is predicted too.
func (o *ArrayOptions) Traits() Traits {
	t := o.TableOptions.Traits()
	t.Classes, t.Responses = o.Labels != "", o.Responses != ""
	return t
}

// Open opens the files: points stay there, unless they are in Fortran order, and are read as
// they are needed.
func (o *ArrayOptions) Open(c Context) (Dataset, error) {
	table, err := c.opener().OpenArrays(c.resolve(o.Path), c.resolve(o.Labels), c.resolve(o.Responses), o.Scale)
	return openTable(filepath.Base(o.Path), table, files.Table{}, err, o.TableOptions, c)
}

// resolve finds a relative path, if there is one, beside the spec or, where nothing is there,
// in $MERCER_DATA.
func (c Context) resolve(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	beside := filepath.Join(c.Dir, path)
	if own := fetch.DataDir(); own != "" {
		elsewhere := filepath.Join(own, path)
		_, here := os.Stat(beside)
		if _, there := os.Stat(elsewhere); errors.Is(here, fs.ErrNotExist) && there == nil {
			return elsewhere
		}
	}
	return beside
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
	if err == nil && options.Split != nil && test.Len() > 0 {
		err = errors.New("split: this data set has a test part; take population: test, or parts: all to split all of its points")
	}
	if err != nil {
		return nil, err
	}
	return newTable(name, hash, train, test, options, c)
}

// newTable is the data set of a table, split where the options say so.
func newTable(name, hash string, train, test files.Table, options TableOptions, c Context) (Dataset, error) {
	if options.Split != nil {
		return newSplit(name, hash, train, options, c)
	}
	return newTableDataset(name, hash, train, test, options, c)
}

// PublishedOptions are the parameters of a published data set.
type PublishedOptions struct {
	Parts        string `yaml:"parts" enum:"train,all" doc:"train (default): the training part; all: the training part followed by the test part"`
	TableOptions `yaml:",inline"`
	set          fetch.Published
}

// Traits say that there are classes.
func (o *PublishedOptions) Traits() Traits {
	t := o.TableOptions.Traits()
	t.Classes = true
	return t
}

// Open fetches the data set where the cache has it not, and reads it; pixels are divided by 255.
func (o *PublishedOptions) Open(c Context) (Dataset, error) {
	train, test, err := fetch.Load(c.opener(), o.set.Name, o.set.Images, c.log())
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
