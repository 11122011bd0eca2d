package runner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"time"

	"mercer/configs"
)

// Recipe is all that a plan is made of, so that another process, here or on
// another machine, can make the same one. What it leaves out are the data
// themselves and the environment in which they are looked for ($MERCER_DATA, the
// cache directory).
type Recipe struct {
	File     string `json:"file"` // what errors call the spec
	Spec     string `json:"spec"` // its YAML text
	Dir      string `json:"dir"`  // that relative paths in it start from
	Profile  string `json:"profile"`
	Filter   string `json:"filter,omitempty"`
	Optional bool   `json:"optional,omitempty"` // data sets that cannot be had are skipped
	Stream   bool   `json:"stream,omitempty"`   // every fit streams that can
	Timing   Timing `json:"timing"`
	Memory   int64  `json:"memory,omitempty"` // bytes that reading a data file may take; 0: files.DefaultMemory
}

// Prepare makes the plan: it parses the spec, opens its data and lists its
// records; log gets the progress of downloads. Errors in the spec are
// configs.Problems with their places.
func (r Recipe) Prepare(ctx context.Context, log io.Writer) (*Plan, error) {
	return r.PrepareShard(ctx, log, nil)
}

// PrepareShard makes the plan with the cells of a shard alone, nil for all. They are
// computed as they would be in the whole plan, bit for bit. Of the others there are
// only the fits, not the cells with their keys, which are most of a plan.
func (r Recipe) PrepareShard(ctx context.Context, log io.Writer, shard *Shard) (*Plan, error) {
	begun := time.Now()
	spec, err := configs.Parse(r.File, []byte(r.Spec))
	if err != nil {
		return nil, err
	}
	if spec, err = spec.WithProfile(r.Profile); err != nil {
		return nil, err
	}
	var plan *Plan
	resolved, err := Resolve(spec)
	if err == nil {
		plan, err = Prepare(ctx, resolved, PrepareOptions{Filter: r.Filter, Log: log, Dir: r.Dir, Timing: r.Timing, Optional: r.Optional, Stream: r.Stream, Memory: r.Memory, Shard: shard})
	}
	if problems := (configs.Problems{}); errors.As(err, &problems) { // what it did not come to
		_, more := Check(ctx, spec, r.Dir)
		problems.Add(more)
		return nil, problems.Err()
	}
	if err != nil {
		return nil, err
	}
	plan.Recipe, plan.shard, plan.digest, plan.making = &r, shard, plan.Digest(), time.Since(begun)
	return plan, nil
}

// digestBytes are those of a digest, two letters each.
const digestBytes = 16

// Digest is equal for plans of the same records in the same order: a hash of
// their keys, which hash the data, the methods' versions and the seeds.
func (p *Plan) Digest() string { return digestOf(p.eachKey) }

func digestOf(keys iter.Seq[string]) string {
	hash := sha256.New()
	for key := range keys {
		fmt.Fprintln(hash, key)
	}
	return hex.EncodeToString(hash.Sum(nil)[:digestBytes])
}

// Keep leaves only the records for whose keys keep holds. What is left is computed
// as it would be in the whole plan, bit for bit.
func (p *Plan) Keep(keep func(key string) bool) {
	for _, g := range p.Groups {
		due := g.records()
		fits := copyFits(g.Fits, func(f *Fit) []Cell {
			return slices.DeleteFunc(slices.Clone(f.Cells), func(c Cell) bool { return !keep(g.Key(c)) })
		})
		if kept := (&Group{Fits: fits}).records(); kept < due {
			g.Fits = fits // else they are still shared with other repeats
		}
	}
	p.shareFlops()
}
