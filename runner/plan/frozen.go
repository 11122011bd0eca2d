package plan

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/regular"
	"mercer/results"
)

// Frozen is a plan cut into shards, as a file that processes on other machines
// read: how to make the plan again, how to tell that it is the same, and which part
// is whose.
type Frozen struct {
	Schema  int               `json:"schema"`
	Input   Input             `json:"recipe"`
	Digest  string            `json:"digest"` // Plan.Digest
	Records int               `json:"records"`
	Data    map[string]string `json:"data"` // fingerprints of the data sets, "" for one that is absent
	Program Program           `json:"program"`
	Workers int               `json:"workers"`      // of each shard, unless its job says otherwise
	Memory  int64             `json:"memory_bytes"` // of each shard, unless its job says otherwise; 0 for no limit
	configs.CellLimits
	Command string  `json:"command"` // that gives the run again
	Shards  []Shard `json:"shards"`
}

// Program is the binary that computes the shards.
type Program struct {
	File    string `json:"file"` // beside the plan
	SHA256  string `json:"sha256"`
	Version string `json:"version"`
}

// frozenSchema is the version of the file.
const frozenSchema = 1

// Freeze cuts a plan that was made from the input into about count shards.
func (p *Plan) Freeze(input Input, count int) Frozen {
	f := Frozen{Schema: frozenSchema, Input: input, Digest: p.Digest(), Records: p.Records(), Data: p.fingerprints()}
	f.Cut(p.Shards(count), p.Keys())
	return f
}

// Cut makes parts of the plan of some keys its shards.
func (f *Frozen) Cut(shards []Shard, keys []string) {
	f.Shards = slices.Clone(shards)
	for i := range f.Shards {
		s := &f.Shards[i]
		s.Digest = digestOf(slices.Values(keys[s.From:s.To]))
	}
}

// Write writes the file in one step.
func (f Frozen) Write(path string) error {
	text, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return fmt.Errorf("frozen plan: %w", err)
	}
	return results.WriteAtomic(path, append(text, '\n'))
}

// ReadFrozen reads a file of Write. It fails on one that is broken, whose
// digest is none or whose shards do not follow one another, or that a newer mercer wrote.
func ReadFrozen(path string) (Frozen, error) {
	var f Frozen
	text, err := regular.ReadFile(path)
	if err != nil {
		return f, fmt.Errorf("frozen plan: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&f); err != nil {
		return f, fmt.Errorf("frozen plan %s is broken: %w; submit the run again", path, err)
	}
	if f.Schema != frozenSchema {
		return f, fmt.Errorf("frozen plan %s has schema %d, and this mercer reads %d: use the binary beside it", path, f.Schema, frozenSchema)
	}
	if sum, err := hex.DecodeString(f.Digest); err != nil || len(sum) != digestBytes {
		return f, fmt.Errorf("frozen plan %s is broken: %q is no digest; submit the run again", path, f.Digest)
	}
	at := 0
	for i, s := range f.Shards {
		if s.From != at || s.To <= s.From {
			return f, fmt.Errorf("frozen plan %s is broken: shard %d does not follow the one before it; submit the run again", path, i)
		}
		at = s.To
	}
	if at != f.Records {
		return f, fmt.Errorf("frozen plan %s is broken: its shards have %d of %d records; submit the run again", path, at, f.Records)
	}
	return f, nil
}

// Plan makes the part of a shard again. It fails where what comes out is not what
// was frozen: data, programs or mercer itself have changed since, or are others here.
func (f Frozen) Plan(ctx context.Context, log io.Writer, index int) (*Plan, error) {
	shard := &f.Shards[index]
	plan, err := f.Input.PrepareShard(ctx, log, shard)
	if err != nil {
		return nil, err
	}
	if plan.Origin.Digest == shard.Digest {
		return plan, nil
	}
	here := plan.fingerprints()
	var changed []string
	for _, id := range slices.Sorted(maps.Keys(f.Data)) {
		switch {
		case f.Data[id] != "" && here[id] == "":
			changed = append(changed, fmt.Sprintf("data set %q is not available here: %v", id, plan.Absent[id]))
		case f.Data[id] != here[id]:
			changed = append(changed, fmt.Sprintf("data set %q is another than when the run was submitted", id))
		}
	}
	if changed == nil {
		changed = []string{"a program of a method or mercer itself is another than when the run was submitted"}
	}
	return nil, fmt.Errorf("this is not the plan that was frozen (shard %d has digest %s, not %s): %s; put back what was there, or submit the run again",
		index, plan.Origin.Digest, shard.Digest, strings.Join(changed, "; "))
}

// Check says whether a binary is the one that the plan was frozen for.
func (p Program) Check(path string) error {
	sum, err := FileSHA256(path)
	if err != nil {
		return err
	}
	if sum != p.SHA256 {
		return fmt.Errorf("%s is not the mercer that the run was submitted with (SHA-256 %s, not %s): its results are not to be mixed; submit the run again, which copies the present one", path, sum, p.SHA256)
	}
	return nil
}

// FileSHA256 is the SHA-256 of a file in hexadecimal.
func FileSHA256(path string) (string, error) {
	file, _, err := regular.Open(path)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	if err = errors.Join(err, file.Close()); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
