package plan

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"mercer/results"
)

// setKeys gives the cells of all repeats their keys. Of a plan of which a shard is
// wanted it leaves the cells of that alone: keys are most of the work of making a
// plan.
func (p *Plan) setKeys(ctx context.Context, only *Shard) error {
	if only == nil {
		only = &Shard{To: p.Records()}
	}
	measures := p.Spec.Measure.Texts()
	slices.Sort(measures)
	empty := map[*Fit][]*Fit{} // the fits of a group without their cells, by its first fit
	at := 0
	for _, g := range p.Groups {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		due := g.Records()
		from, to := max(only.From-at, 0), min(only.To-at, due)
		at += due
		switch {
		case len(g.Fits) == 0:
			continue
		case from >= to:
			if empty[g.Fits[0]] == nil {
				empty[g.Fits[0]] = copyFits(g.Fits, func(*Fit) []Cell { return nil })
			}
			g.Fits = empty[g.Fits[0]]
			continue
		case from > 0 || to < due:
			p.cut(g, from, to)
		}
		p.setGroupKeys(g, measures)
	}
	return nil
}

// cut leaves of a group the records from … to−1, in the order of its passes.
func (p *Plan) cut(g *Group, from, to int) {
	cells := map[*Fit][]Cell{}
	at := 0
	for _, f := range slices.Concat(p.Passes(g)...) {
		first, last := max(from-at, 0), min(to-at, len(f.Cells))
		at += len(f.Cells)
		if first < last {
			cells[f] = f.Cells[first:last]
		}
	}
	g.Fits = copyFits(g.Fits, func(f *Fit) []Cell { return cells[f] })
}

func (p *Plan) setGroupKeys(g *Group, measures []string) {
	last := int32(-1)
	for _, f := range g.Fits {
		for _, c := range f.Cells {
			last = max(last, c.at)
		}
	}
	g.keys = make([]cellKey, last+1)
	params := p.datasetParams(g.Dataset)
	if p.Absent[g.Dataset] != nil {
		for _, f := range g.Fits {
			for _, c := range f.Cells {
				g.keys[c.at] = p.absentKey(g, f.Method, params)
			}
		}
		return
	}
	of := groupKey{params, p.Datasets[g.Dataset].Fingerprint(), p.Kernels[g.Dataset][g.Kernel].String(), measures}
	for _, f := range g.Fits {
		for _, c := range f.Cells {
			g.keys[c.at] = p.key(g, f.Method, of, c)
		}
	}
}

// groupKey is what the keys of a group have in common. The texts of a population with many
// eigenvalues take longer to write than all else of a key.
type groupKey struct {
	params, fingerprint, kernel string
	measures                    []string
}

// key hashes everything that determines a record.
func (p *Plan) key(g *Group, id string, of groupKey, c Cell) cellKey {
	method := p.Methods[id]
	text, err := json.Marshal(struct {
		Schema, Dataset, Fingerprint, Options, Kernel, KernelID, Method, Use, Version, Params string
		Seed                                                                                  uint64
		Repeat                                                                                int
		Point                                                                                 map[string]float64
		Sizes                                                                                 keySizes
		Measures                                                                              []string
		Measuring                                                                             string
		Timing                                                                                *Timing `json:",omitempty"`
	}{
		Schema: fmt.Sprint(results.SchemaVersion), Dataset: g.Dataset,
		Fingerprint: of.fingerprint, Options: of.params,
		Kernel: of.kernel, KernelID: g.Kernel,
		Method: id, Use: method.Use, Version: method.Version, Params: method.Params,
		Seed: p.Spec.Seed, Repeat: g.Repeat, Point: g.Point(c), Sizes: keySizes(c.Sizes), Measures: of.measures, Measuring: results.Measuring, Timing: p.timing(),
	})
	if err != nil {
		panic(fmt.Sprintf("plan: key of a record: %v", err)) // numbers of a point are finite
	}
	hash := sha256.Sum256(text)
	return cellKey(hash[:digestBytes])
}

// keySizes are sizes in the form that keys have: the form that records have would change every key.
type keySizes struct{ N, M, D, Ell, K int }

// timing is what of a timed cell's surroundings determines its record.
func (p *Plan) timing() *Timing {
	if !p.Timed {
		return nil
	}
	return &p.Timing
}

func (p *Plan) datasetParams(id string) string {
	for _, c := range p.Spec.Datasets {
		if c.ID == id {
			return c.Params.Canonical()
		}
	}
	return ""
}

// absentKey is the key of a record of a data set that is absent.
func (p *Plan) absentKey(g *Group, method, params string) cellKey {
	hash := sha256.Sum256(fmt.Appendf(nil, "absent %q %q %q %q %d %d", g.Dataset, params, g.Kernel, method, p.Spec.Seed, g.Repeat))
	return cellKey(hash[:digestBytes])
}

// Keys are the keys of the plan's records, those that one pass over a sample
// computes side by side.
func (p *Plan) Keys() []string {
	return slices.AppendSeq(make([]string, 0, p.Records()), p.eachKey)
}

// eachKey yields the keys of Keys in their order.
func (p *Plan) eachKey(yield func(key string) bool) {
	for _, g := range p.Groups {
		for _, u := range p.unitsOf(g) {
			for _, f := range u.fits {
				for _, c := range f.Cells {
					if !yield(g.Key(c)) {
						return
					}
				}
			}
		}
	}
}

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
