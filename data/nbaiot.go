package data

import (
	"errors"

	"mercer/data/fetch"
	"mercer/data/files"
)

// NBaIoTOptions are the parameters of the N-BaIoT sample.
type NBaIoTOptions struct {
	NBaIoT       fetch.NBaIoT `yaml:",inline"`
	TableOptions `yaml:",inline"`
}

// Validate checks the parameters.
func (o *NBaIoTOptions) Validate() error {
	return errors.Join(checkPath("path", o.NBaIoT.Path), o.NBaIoT.Validate())
}

// Open draws the sample from the user's files, by the data set's own stream: it
// is the same for all repeats.
func (o *NBaIoTOptions) Open(c Context) (Dataset, error) {
	from := o.NBaIoT
	if from.Path != "" {
		from.Path = c.resolve(from.Path)
	}
	table, err := fetch.LoadNBaIoT(c.context(), from, fetch.LoadOptions{Options: fetch.Options{Log: c.log()}, Memory: c.Memory}, c.Streams.rand("rows"))
	return openTable("n-baiot", table, files.Table{}, err, o.TableOptions, c)
}
