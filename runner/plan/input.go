package plan

import (
	"context"
	"fmt"
	"io"
	"math"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/data"
	"mercer/internal/lists"
	"mercer/methods/exec"
	"mercer/results"
)

// Input is all that a plan is made of, so that another process, here or on another machine,
// can make the same one. What it leaves out are the data themselves and the environment in
// which they are looked for ($MERCER_DATA, the cache directory).
type Input struct {
	File    string   `json:"file"` // what errors call the spec
	Spec    string   `json:"spec"` // its YAML text
	Dir     string   `json:"dir"`  // that relative paths in it start from
	Profile string   `json:"profile"`
	Set     []string `json:"set,omitempty"` // assignments to the spec, such as grid.n=[1000,2000]
	Filter  string   `json:"filter,omitempty"`
	Shard   Shard    `json:"shard"`
	// UntilDecided adds repeats until the verdicts are decided, up to MaxRepeats, or as
	// the spec has it where that is 0.
	UntilDecided bool   `json:"until_decided,omitempty"`
	Optional     bool   `json:"optional,omitempty"` // absent data sets are skipped
	Stream       bool   `json:"stream,omitempty"`   // every fit streams that can
	Timing       Timing `json:"timing"`
	Memory       int64  `json:"memory,omitempty"` // bytes that the run may take, and reading a data file; 0: no limit
	// Only is the data set that is opened, by its id; all where it is empty. A worker
	// process computes one group, and opens no other data.
	Only string `json:"only,omitempty"`
}

// Timing is how timed cells are run; it enters the ids of their rows.
type Timing struct {
	Threads int // 0 means 1
	Warmup  int // fits before the one that counts
}

// Prepare makes the plan: it opens the data of the spec and lists the rows that are due; log
// gets the progress of downloads. Errors in the spec are configs.Problems with their places.
func (in Input) Prepare(ctx context.Context, log io.Writer) (*Plan, error) {
	spec, err := source.Parse(in.File, []byte(in.Spec))
	if err != nil {
		return nil, err
	}
	if spec, err = source.Under(spec, in.Profile, in.Set...); err != nil {
		return nil, err
	}
	if in.UntilDecided {
		spec.Repeats = spec.Repeats.UntilDecided()
	}
	return in.PrepareSpec(ctx, log, spec)
}

// PrepareSpec is Prepare for a spec that is resolved under its profile.
func (in Input) PrepareSpec(ctx context.Context, log io.Writer, spec *configs.Spec) (*Plan, error) {
	r, err := Resolve(spec)
	if err != nil {
		return nil, err
	}
	o := newOpener(ctx, log, r, in)
	if err := o.findNamed(); err != nil {
		return nil, err
	}
	o.Notes = append(o.Notes, r.notes()...)

	var problems configs.Problems
	for _, c := range spec.Datasets {
		if in.Only != "" && c.ID != in.Only {
			continue
		}
		err := o.expandSafely(c)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil && (c.Optional || in.Optional) && data.Missing(err):
			o.leaveOut(c, err)
		default:
			problems.Add(atPlace(c, err))
		}
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	problems.Add(o.checkMethods(in.Only == ""))
	problems.Add(o.checkCells())
	problems.Add(o.setFilter())
	problems.Add(o.markShown())
	if err := problems.Err(); err != nil {
		return nil, err
	}

	for _, g := range o.Groups {
		if o.Absent[g.Dataset.ID] == nil {
			o.estimate(g)
		}
	}
	o.setHashes()
	o.setPopulations()
	return o.Plan, ctx.Err()
}

// newOpener begins a plan.
func newOpener(ctx context.Context, log io.Writer, r *Resolved, in Input) *opener {
	p := &Plan{Resolved: r, Input: in, Absent: map[string]error{}, Programs: exec.Commands{}}
	p.Timed = p.Measures("time") || p.Measures("transform")
	return &opener{Plan: p, ctx: ctx, log: log, methods: map[string]*Method{}, groups: map[groupID]*Group{}, used: map[results.Key][]string{}, badSizes: map[string]bool{}}
}

// expandSafely is expand, where a file that cannot be read is an error.
func (o *opener) expandSafely(c configs.Component) (err error) {
	defer failedRead(&err)
	return o.expand(c)
}

func (p *Plan) note(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}

// Shard is the I-th of N parts of a run that other processes share; all of it where N is 0.
// The parts are made of units (one fit in one repeat, or one streaming pass), by their hash.
type Shard struct{ I, N int }

// ParseShard reads "3/8".
func ParseShard(text string) (s Shard, err error) {
	if text == "" {
		return s, nil
	}
	if n, err := fmt.Sscanf(text, "%d/%d", &s.I, &s.N); n != 2 || err != nil || s.String() != text || s.I < 1 || s.I > s.N {
		return s, fmt.Errorf("--shard %s: write it as 3/8, the third of eight parts", text)
	}
	return s, nil
}

// String is as in --shard, "" for all.
func (s Shard) String() string {
	if s.N == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.I, s.N)
}

// has says whether a unit whose first row has an id is of the shard.
func (s Shard) has(unit [hashBytes]byte) bool {
	sum := uint64(0)
	for _, b := range unit[:8] {
		sum = sum<<8 | uint64(b)
	}
	return sum%uint64(s.N) == uint64(s.I-1)
}

// setFilter compiles the filter, a condition over the columns of the table and repeat.
func (o *opener) setFilter() error {
	if o.Input.Filter == "" {
		return nil
	}
	kinds := map[string]configs.Kind{"dataset": configs.Text, "kernel": configs.Text, "method": configs.Text, "repeat": configs.Number}
	for name, kind := range Kinds(o.Spec) {
		kinds[name] = kind
	}
	filter, err := configs.CompileFilter(o.Input.Filter, kinds)
	if err != nil {
		return err
	}
	o.filter, o.values = &filter, map[string]map[results.Value]bool{}
	for _, name := range filter.Names() {
		o.values[name] = map[results.Value]bool{}
		for c := range o.Cells {
			if v := c.At.Get(name); v.Kind != configs.None {
				o.values[name][v] = true
			}
		}
	}
	for c := range o.Cells {
		for repeat := range o.Spec.Repeats.Value {
			if o.picks(c.At, repeat) {
				return nil
			}
		}
	}
	return configs.Errorf(configs.Pos{}, "filter %q picks no row of this spec", o.Input.Filter)
}

// picks says whether the filter has a row. A column that the row does not use stands for each
// of its values, as in the where of a claim: one that meets the condition suffices.
func (p *Plan) picks(at results.Key, repeat int) bool {
	if p.filter == nil {
		return true
	}
	env := configs.Env{"repeat": configs.NumberOf(float64(repeat))}
	for name, v := range at.All() {
		env[name] = v
	}
	return p.meets(env, p.filter.Names())
}

// meets says whether the filter is true for one value of each of the names that env lacks.
func (p *Plan) meets(env configs.Env, names []string) bool {
	for i, name := range names {
		if _, known := env[name]; known {
			continue
		}
		defer delete(env, name)
		for v := range p.values[name] {
			env[name] = v
			if p.meets(env, names[i+1:]) {
				return true
			}
		}
		return false
	}
	picked, err := p.filter.Match(env)
	return err == nil && picked
}

// due are the cells of each fit of a pass that are due in a repeat, of this shard and picked by
// the filter.
func (p *Plan) due(pass []*Fit, repeat int) [][]*Cell {
	cells := make([][]*Cell, len(pass))
	if shard := p.Input.Shard; shard.N > 0 && !shard.has(rowHash(pass[0].Cells[0].hash, repeat)) {
		return cells
	}
	for i, f := range pass {
		cells[i] = lists.Where(f.Cells, func(c *Cell) bool { return repeat < c.Due && p.picks(c.At, repeat) })
	}
	return cells
}

// maxBytes keeps counts of absurd sizes within an int64.
const maxBytes = 1 << 58

func bytesOf(x float64) int64 { return int64(math.Min(x, maxBytes)) }
