package data

import (
	"encoding/json"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"mercer/data/fetch"
	"mercer/data/files"
	"mercer/data/generate"
)

// InfiniteOptions are the parameters of endless deformed MNIST images.
//
// Each repeat has a sequence of its own. Among each 60,000 consecutive images
// every training image of MNIST is the origin of one, so that classes are as
// frequent as there.
//
// Reference: Loosli, Canu and Bottou 2007; [KKM, §5, MNIST8M]. Deviation: see
// generate.Deformation; held-out points are made of MNIST's test images, which
// no sample has seen.
type InfiniteOptions struct {
	Population PopulationOption `yaml:"population" doc:"population of the errors: {held_out: N} images made from MNIST's test images in each repeat, or none (default); with held_out, floors and eigenvalues are those of the N points: the floor is lower than that of their law, 0 from ell = N on"`
}

func defaultInfinite() InfiniteOptions {
	return InfiniteOptions{Population: PopulationOption{Kind: "none"}}
}

// Traits follow the population.
func (o *InfiniteOptions) Traits() Traits {
	t := o.Population.traits()
	t.Classes = true
	return t
}

// Validate checks the parameters.
func (o *InfiniteOptions) Validate() error {
	return o.Population.drawn("this data set is endless")
}

// Open fetches MNIST where the cache has it not.
func (o *InfiniteOptions) Open(c Context) (Dataset, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	train, test, err := fetch.Load(c.opener(), "mnist", false, c.log())
	if err != nil {
		return nil, err
	}
	return newInfinite(train, test, *o, c)
}

// pixelsVersion is that of the images that a seed gives. Raise it whenever they
// change.
const pixelsVersion = 1

// originals are the images that others are made of.
type originals struct {
	pixels []byte
	labels []int
}

// distanceImages is how many images a bandwidth rule looks at.
const distanceImages = 20000

func newInfinite(train, test files.Table, o InfiniteOptions, c Context) (Dataset, error) {
	bank := generate.NewBank(generate.DefaultDeformation, c.Streams.rand("fields"))
	hashes, from := [2]string{}, [2]originals{}
	for i, table := range []files.Table{train, test} {
		from[i] = originals{pixels: make([]byte, 0, table.Len()*table.Dim()), labels: table.Labels}
		hash, err := table.Fingerprint(c.context())
		hashes[i] = hash
		if err == nil {
			err = files.Each(c.context(), table.X, func(_ int, x []float64) error {
				for _, v := range x {
					from[i].pixels = append(from[i].pixels, byte(v))
				}
				return nil
			})
		}
		if err != nil {
			return nil, err
		}
	}
	parameters, err := json.Marshal(generate.DefaultDeformation)
	if err != nil {
		return nil, err
	}
	points := func(streams Streams, purpose string, n int) (Rows, []int) {
		of := from[0]
		if purpose == heldOut {
			of = from[1]
		}
		pool := imagePool{images: bank.Images(of.pixels, streams.rand(purpose)), n: n, from: of}
		return pool, pool.labels()
	}
	describe := fmt.Sprintf("infinite-mnist, digits shifted by up to %g px and deformed by %g px (smooth over %g px)%s", generate.DefaultDeformation.Shift, generate.DefaultDeformation.Amplitude, generate.DefaultDeformation.Smooth, o.Population.describe("images made of test images"))
	held := o.Population.HeldOut
	spread, _ := points(c.Streams, "bandwidth points", distanceImages)
	return &freshDataset{about: about{
		describe:  describe,
		hash:      fmt.Sprintf("images %d %s of %s and %s, scale true, held out %d", pixelsVersion, parameters, hashes[0], hashes[1], held),
		constants: map[string]float64{"D": generate.Pixels, "classes": 10},
		distances: &poolDistances{pool: spread, streams: c.Streams, ctx: c.context()},
		support:   Support{Points: held},
	}, points: points}, nil
}

// imagePool are the first n images of a sequence.
type imagePool struct {
	images *generate.Images
	n      int
	from   originals
}

func (p imagePool) Len() int { return p.n }
func (p imagePool) Dim() int { return generate.Pixels }

// Rows makes the images asked for.
func (p imagePool) Rows(idx []int, dst *mat.Dense) {
	if dst.IsEmpty() {
		dst.ReuseAs(len(idx), generate.Pixels)
	}
	var pixels [generate.Pixels]byte
	for row, i := range idx {
		if i < 0 || i >= p.n {
			panic(fmt.Sprintf("data: image %d of %d", i, p.n))
		}
		p.images.Image(i, pixels[:])
		out := dst.RawRowView(row)[:generate.Pixels]
		for c, b := range pixels {
			out[c] = float64(b) / 255
		}
	}
}

// labels are the classes of all images.
func (p imagePool) labels() []int {
	labels := make([]int, p.n)
	for i := range labels {
		labels[i] = p.from.labels[p.images.Source(i)]
	}
	return labels
}
