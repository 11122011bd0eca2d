package plan

import (
	"context"
	"errors"
	"io"
	"time"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/data"
)

// Prepare makes the plan of the input's spec, which has been parsed: it opens its data
// and lists its records; log gets the progress of downloads. Errors in the spec are
// configs.Problems with their places.
func (in Input) Prepare(ctx context.Context, log io.Writer, spec *configs.Spec) (*Plan, error) {
	return in.prepare(ctx, log, spec, nil, time.Now())
}

// PrepareShard parses the spec and makes the plan with the cells of a shard alone, nil
// for all. They are computed as they would be in the whole plan, bit for bit. Of the
// others there are only the fits, not the cells with their keys, which are most of a
// plan.
func (in Input) PrepareShard(ctx context.Context, log io.Writer, shard *Shard) (*Plan, error) {
	begun := time.Now()
	spec, err := source.Parse(in.File, []byte(in.Spec))
	if err != nil {
		return nil, err
	}
	return in.prepare(ctx, log, spec, shard, begun)
}

func (in Input) prepare(ctx context.Context, log io.Writer, spec *configs.Spec, shard *Shard, begun time.Time) (*Plan, error) {
	spec, err := source.Under(spec, in.Profile, in.Set...)
	if err != nil {
		var problems configs.Problems
		problems.Add(err)
		if spec != nil {
			_, more := Check(ctx, spec, in.Dir)
			problems.Add(more)
		}
		return nil, problems.Err()
	}
	if in.UntilDecided {
		spec.Repeats = spec.Repeats.UntilDecided(in.MaxRepeats)
	}
	var plan *Plan
	resolved, err := Resolve(spec)
	if err == nil {
		plan, err = prepare(ctx, log, resolved, in, shard)
	}
	if problems := (configs.Problems{}); errors.As(err, &problems) { // what it did not come to
		_, more := Check(ctx, spec, in.Dir)
		problems.Add(more)
		return nil, problems.Err()
	}
	if err != nil {
		return nil, err
	}
	plan.Origin = &Origin{Input: in, Shard: shard, Digest: plan.Digest(), Elapsed: time.Since(begun)}
	return plan, nil
}

// Prepare opens the data of a resolved spec and lists its records; of the input it
// takes all but the spec's text and the profile. Errors in the spec that show only now
// (a grid expression, a bandwidth) are configs.Problems with their places.
func Prepare(ctx context.Context, log io.Writer, r *Resolved, in Input) (*Plan, error) {
	return prepare(ctx, log, r, in, nil)
}

func prepare(ctx context.Context, log io.Writer, r *Resolved, in Input, shard *Shard) (*Plan, error) {
	p := newPlan(r)
	p.Timing, p.Filter, p.Stream, p.memory = in.Timing, in.Filter, in.Stream, in.Memory
	var problems configs.Problems
	for _, c := range r.Spec.Datasets {
		if err := p.open(ctx, log, c, in); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if (c.Optional || in.Optional) && data.Missing(err) {
				p.leaveOut(c, err)
				continue
			}
			problems.Add(atPlace(c, err))
		}
	}
	problems.Add(p.openMethods(in.Dir))
	if err := problems.Err(); err != nil {
		return nil, err
	}
	p.Notes = append(p.Notes, p.notes()...)
	if err := p.expandAll(ctx, true); err != nil {
		return nil, err
	}
	for _, g := range p.Groups {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if p.Absent[g.Dataset] == nil {
			p.estimate(g)
		}
	}
	p.keepMatrices()
	if err := p.filter(in.Filter); err != nil {
		return nil, err
	}
	if err := p.markShown(); err != nil {
		return nil, err
	}
	p.noteInMemory()
	if in.Due != nil {
		p = p.UpTo(in.Due)
	}
	if err := p.setKeys(ctx, shard); err != nil {
		return nil, err
	}
	p.shareFlops()
	return p, nil
}
