package landmark

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"mercer/configs"
	"mercer/data/files"
	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/methods/exec"
)

// ownIndices is why landmarks of the user's are not picked among points that stand for several.
const ownIndices = "they are rows of a sample of points; of use: atoms take sample: points"

func free(_, _, _ float64) cost.Cost { return cost.Cost{} }

var (
	fromFile = Entry{
		DataIndependent: true, NoCounts: ownIndices, Picking: free,
		pick: func(p *problem) (Set, error) { return p.named(p.File.indices[:p.m]) },
	}
	fromProgram = Entry{NoCounts: ownIndices, Picking: free, pick: (*problem).byProgram}
)

// named is the set of points that the user names.
func (p *problem) named(indices []float64) (set Set, err error) {
	for at, v := range indices {
		i := int(v)
		if float64(i) != v || i < 0 || i >= p.n {
			return Set{}, fmt.Errorf("%v: want different whole numbers from 0 to %d, rows of the sample", v, p.n-1)
		}
		if first := slices.Index(set.Indices, i); first >= 0 {
			return Set{}, fmt.Errorf("%d is there twice, at [%d] and [%d]: want different rows of the sample", i, first, at)
		}
		set.Indices = append(set.Indices, i)
	}
	return set, nil
}

// File has the indices of landmarks, the first m of which are taken.
type File struct {
	_       struct{} `word:"path"`
	Path    string   `yaml:"path" fixed:"true" required:"true" doc:"a .npy or a CSV file of whole numbers; relative paths start from the spec's directory"`
	SHA256  string   `yaml:"-"` // once found
	indices []float64
}

// Find reads the file.
func (f *File) Find(dir string, _ exec.Commands) error {
	file := exec.File{Path: strings.ReplaceAll(f.Path, "{dir}", dir)}
	if !filepath.IsAbs(file.Path) {
		file.Path = filepath.Join(dir, file.Path)
	}
	err := file.Read()
	var table files.Table
	switch {
	case err != nil:
	case filepath.Ext(file.Path) == ".npy":
		table, err = files.Opener{}.OpenArrays(file.Path, "", "", false)
	default:
		table, err = files.Opener{}.LoadCSV(file.Path, files.CSVOptions{Header: "false", Label: "none"})
	}
	if err != nil {
		return fmt.Errorf("landmarks: %s: %w", f.Path, err)
	}
	f.SHA256, f.indices = file.SHA256, table.Dense().RawMatrix().Data
	return nil
}

// Program names landmarks, in a spec by its command alone or by all its options.
type Program struct{ exec.Options }

// DecodeNode reads either form.
func (p *Program) DecodeNode(n *configs.Node, d *configs.Decoder) {
	if n.Kind == configs.List {
		n = &configs.Node{Kind: configs.Map, Pos: n.Pos, Pairs: []configs.Pair{{Key: "command", At: n.Pos, Value: n}}}
	}
	p.Options = exec.DefaultOptions()
	d.Decode(n, &p.Options)
}

// Takes says so in words.
func (*Program) Takes(reflect.StructTag) string {
	return "a list of texts, the command, or a mapping with command, timeout, version and env"
}

// byProgram asks the program for up to m landmarks.
func (p *problem) byProgram() (Set, error) {
	form, err := kernel.FormOf(p.kernel)
	if err != nil {
		return Set{}, err
	}
	_, dim := p.x.Dims()
	request := exec.Request{
		Call: "landmarks", X: "X.npy", N: p.n, Dim: dim,
		Fit: &exec.Fit{M: p.m, Kernel: form, Seed: p.rng.Int32(), Threads: 1},
	}
	got, err := p.Exec.Call(p.ctx, request, map[string]mat.Matrix{request.X: p.x}, "indices")
	if err != nil {
		return Set{}, err
	}
	indices, err := got.Vector("indices", 0)
	if err == nil && len(indices) > p.m {
		err = fmt.Errorf("%d indices: more than m", len(indices))
	}
	if err != nil {
		return Set{}, err
	}
	set, err := p.named(indices)
	set.Warnings = got.Warnings
	return p.short(set, "the program named no more"), err
}
