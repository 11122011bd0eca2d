package landmark

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"mercer/configs"
	"mercer/data/files"
	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/regular"
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
func (p *problem) named(indices []int) (Set, error) {
	seen := map[int]bool{}
	for _, i := range indices {
		if i < 0 || i >= p.n || seen[i] {
			return Set{}, fmt.Errorf("%d: want different whole numbers from 0 to %d, rows of the sample", i, p.n-1)
		}
		seen[i] = true
	}
	return Set{Indices: indices}, nil
}

// File has the indices of landmarks, the first m of which are taken: a vector in a .npy file, or
// whole numbers in a text, from 0.
type File struct {
	_       struct{} `word:"path"`
	Path    string   `yaml:"path" fixed:"true" required:"true" doc:"a .npy file with a vector of whole numbers, or a text with these; relative paths start from the spec's directory"`
	SHA256  string   `yaml:"-"` // once found
	indices []int
}

// Find reads the file.
func (f *File) Find(dir string, _ exec.Commands) (err error) {
	path := strings.ReplaceAll(f.Path, "{dir}", dir)
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	if f.indices, f.SHA256, err = readIndices(path); err != nil {
		err = fmt.Errorf("landmarks: %s: %w", f.Path, err)
	}
	return err
}

func readIndices(path string) (indices []int, hash string, err error) {
	file, _, err := regular.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, "", err
	}
	hash = fmt.Sprintf("%x", sha256.Sum256(text))

	if strings.HasSuffix(path, ".npy") {
		x, err := files.Opener{}.ReadNPY(file, 1)
		if err != nil {
			return nil, "", err
		}
		for _, v := range mat.Col(nil, 0, x) {
			if v != math.Trunc(v) || math.Abs(v) > math.MaxInt32 {
				return nil, "", fmt.Errorf("%v is no index", v)
			}
			indices = append(indices, int(v))
		}
		return indices, hash, nil
	}
	for i, word := range strings.Fields(string(text)) {
		index, err := strconv.Atoi(word)
		if err != nil {
			return nil, "", fmt.Errorf("word %d, %.20q, is no whole number", i+1, word)
		}
		indices = append(indices, index)
	}
	return indices, hash, nil
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
	indices, err := got.Integers("indices", 0, p.n)
	if err == nil && len(indices) > p.m {
		err = errors.New("more landmarks than m")
	}
	if err != nil {
		return Set{}, fmt.Errorf("indices: %w", err)
	}
	set, err := p.named(indices)
	set.Warnings = got.Warnings
	return p.short(set, "the program named no more"), err
}
