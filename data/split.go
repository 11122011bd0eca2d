package data

import (
	"errors"
	"fmt"
	"math"

	"mercer/data/files"
)

// SplitOptions divide a table into a training and a test part, anew in each repeat.
type SplitOptions struct {
	_      struct{} `oneof:"mask,test,folds"`
	Mask   string   `yaml:"mask" fixed:"true" doc:"a csv file without a header, a line for each point: repeat r, from 0, is tested on the points that have 1 in column r, and trained on those that have 0"`
	Column *int     `yaml:"column" min:"0" doc:"the column of the mask for all repeats"`
	Test   float64  `yaml:"test" above:"0" below:"1" doc:"share of the points that is drawn for the test part in each repeat, rounded up to points as by scikit-learn's train_test_split"`
	Folds  int      `yaml:"folds" min:"2" doc:"k parts of the points at random, as by scikit-learn's KFold: repeat r is tested on part r; the next k repeats divide them anew"`
}

func (o *SplitOptions) check() error {
	switch {
	case o == nil:
		return nil
	case o.Column != nil && o.Mask == "":
		return errors.New("split: column is one of a mask")
	}
	return checkPath("split: mask", o.Mask)
}

// splits are the test parts of repeats.
type splits struct {
	test  func(repeat int) []bool // which points are in it
	sizes int                     // how many first repeats have all sizes of parts that there are
	most  int                     // repeats; 0 for any number
	hash  string                  // of a file
}

// of are the splits of n points.
func (o *SplitOptions) of(n int, c Context) (splits, error) {
	if o.Mask != "" {
		return o.masks(n, c)
	}
	drawn := func(purpose string, repeat, from, to int) []bool {
		test := make([]bool, n)
		for _, i := range c.Streams.rand(fmt.Sprint(purpose, repeat)).Perm(n)[from:to] {
			test[i] = true
		}
		return test
	}
	count := int(math.Ceil(o.Test * float64(n)))
	s := splits{sizes: 1, test: func(repeat int) []bool { return drawn("split ", repeat, 0, count) }}
	if k := o.Folds; k > 0 {
		s.sizes = k
		from := func(part int) int { return part*(n/k) + min(part, n%k) } // the first n mod k parts have one point more
		s.test = func(repeat int) []bool { return drawn("folds ", repeat/k, from(repeat%k), from(repeat%k+1)) }
	}
	return s, nil
}

// masks are the splits of a file.
func (o *SplitOptions) masks(n int, c Context) (s splits, err error) {
	table, err := c.opener().LoadCSV(c.resolve(o.Mask), files.CSVOptions{Header: "false", Label: "none"})
	if err != nil {
		return s, fmt.Errorf("split: %w", err)
	}
	mask, columns := table.Dense(), table.Dim()
	switch {
	case table.Len() != n:
		return s, fmt.Errorf("split: %s has %d rows for %d points: a mask has a line for each point, and no header", o.Mask, table.Len(), n)
	case o.Column != nil && *o.Column >= columns:
		return s, fmt.Errorf("split: %s has no column %d: they are counted 0 … %d", o.Mask, *o.Column, columns-1)
	}
	for i, v := range mask.RawMatrix().Data {
		if v != 0 && v != 1 {
			return s, fmt.Errorf("split: %s: row %d, column %d is %v: want 0 for the training part or 1 for the test part", o.Mask, i/columns+1, i%columns, v)
		}
	}
	s.sizes, s.most = columns, columns
	if o.Column != nil {
		s.sizes, s.most = 1, 0
	}
	s.test = func(repeat int) []bool {
		if o.Column != nil {
			repeat = *o.Column
		}
		test := make([]bool, n)
		for i := range test {
			test[i] = mask.At(i, repeat) == 1
		}
		return test
	}
	s.hash, err = table.Fingerprint(c.context())
	return s, err
}

// Split is a Dataset of which each repeat has a training and a test part of its own.
type Split struct {
	Dataset // of the repeat with the fewest training points
	// Of is the data set of a repeat: samples are of its training part, its population is the
	// test part.
	Of      func(repeat int) (Dataset, error)
	Repeats int // how many there may be; 0 for any number
}

// DrawOf is the Draw of a repeat, of its own parts where the data set is split.
func DrawOf(d Dataset, repeat int, streams Streams) (Draw, error) {
	if split, ok := d.(Split); ok {
		var err error
		if d, err = split.Of(repeat); err != nil {
			return nil, err
		}
	}
	return d.Draw(streams)
}

// newSplit splits a table. It fails where a part has no point.
func newSplit(name, hash string, table files.Table, options TableOptions, c Context) (Dataset, error) {
	s, err := options.Split.of(table.Len(), c)
	if err != nil {
		return nil, err
	}
	rows := func(repeat int) (train, test []int) { // in the order of the table
		for i, tested := range s.test(repeat) {
			if tested {
				test = append(test, i)
			} else {
				train = append(train, i)
			}
		}
		return train, test
	}
	options.Population.Kind = "test"
	of := func(repeat int) (Dataset, error) {
		train, test := rows(repeat)
		return newTableDataset(name+", split in each repeat", hash+s.hash, table.Take(train), table.Take(test), options, c)
	}
	fewest, where := table.Len(), 0
	for repeat := range s.sizes {
		train, test := rows(repeat)
		if len(train) == 0 || len(test) == 0 {
			return nil, fmt.Errorf("split: repeat %d has %d points to train on and %d to be tested on: both parts need some", repeat, len(train), len(test))
		}
		if len(train) < fewest {
			fewest, where = len(train), repeat
		}
	}
	first, err := of(where)
	return Split{first, of, s.most}, err
}
