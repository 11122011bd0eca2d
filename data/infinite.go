package data

import (
	"encoding/json"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"mercer/data/fetch"
	"mercer/data/files"
	"mercer/data/generate"
	"mercer/internal/kernel"
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
	Deformation generate.Deformation `yaml:",inline"`
	Population  PopulationOption     `yaml:"population" doc:"population of the errors: {held_out: N} images made from MNIST's test images in each repeat, or none (default); with held_out, floors and eigenvalues are those of the N points: the floor is lower than that of their law, 0 from ell = N on"`
}

func defaultInfinite() InfiniteOptions {
	return InfiniteOptions{Deformation: generate.DefaultDeformation, Population: PopulationOption{Kind: "none"}}
}

// Traits follow the population.
func (o *InfiniteOptions) Traits() Traits { return o.Population.traits() }

// Validate checks the parameters.
func (o *InfiniteOptions) Validate() error {
	if kind := o.Population.Kind; kind != "none" && kind != "held_out" {
		return fmt.Errorf("population: %s, but this data set is endless; take {held_out: N}", kind)
	}
	return o.Deformation.Validate()
}

// Open fetches MNIST where the cache has it not.
func (o *InfiniteOptions) Open(c Context) (Dataset, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	train, test, err := fetch.Load(c.context(), "mnist", fetch.LoadOptions{Options: fetch.Options{Log: c.log()}, Memory: c.Memory})
	if err != nil {
		return nil, err
	}
	return newInfinite(train, test, *o, c)
}

// pixelsVersion is that of the images that a seed gives. Raise it whenever they
// change.
const pixelsVersion = 1

// infiniteDataset makes images as they are asked for.
type infiniteDataset struct {
	options     InfiniteOptions
	bank        *generate.Bank
	train, test originals
	spread      *poolDistances
	hash        string
}

// originals are the images that others are made of.
type originals struct {
	pixels []byte
	labels []int
}

// distanceImages is how many images a bandwidth rule looks at.
const distanceImages = 20000

func newInfinite(train, test files.Table, o InfiniteOptions, c Context) (Dataset, error) {
	d := &infiniteDataset{options: o, bank: generate.NewBank(o.Deformation, c.Streams.rand("fields"))}
	for of, table := range map[*originals]files.Table{&d.train: train, &d.test: test} {
		of.labels = table.Labels
		err := files.Each(c.context(), table.X, func(_ int, x []float64) error {
			for _, v := range x {
				of.pixels = append(of.pixels, byte(v))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	parameters, err := json.Marshal(o.Deformation)
	if err != nil {
		return nil, err
	}
	ofTrain, err := train.Fingerprint(c.context())
	if err != nil {
		return nil, err
	}
	ofTest, err := test.Fingerprint(c.context())
	if err != nil {
		return nil, err
	}
	d.hash = fmt.Sprintf("images %d %s of %s and %s, scale true, held out %d",
		pixelsVersion, parameters, ofTrain, ofTest, o.Population.HeldOut)
	d.spread = &poolDistances{pool: d.images(d.train, "bandwidth points", c.Streams, distanceImages), streams: c.Streams, ctx: c.context()}
	return d, nil
}

func (d *infiniteDataset) Describe() string {
	o := d.options.Deformation
	text := fmt.Sprintf("infinite-mnist, digits shifted by up to %g px and deformed by %g px (smooth over %g px)", o.Shift, o.Amplitude, o.Smooth)
	if held := d.options.Population.HeldOut; held > 0 {
		text += fmt.Sprintf("; population: %d images made of test images in each repeat", held)
	}
	return text
}

func (d *infiniteDataset) Constants() map[string]float64 {
	return map[string]float64{"D": generate.Pixels, "classes": 10}
}

// Support is made in each repeat.
func (d *infiniteDataset) Support() Support { return Support{Points: d.options.Population.HeldOut} }

// Unchanged has no files to look at: the originals are in memory.
func (*infiniteDataset) Unchanged() error { return nil }

func (d *infiniteDataset) Fingerprint() string         { return d.hash }
func (d *infiniteDataset) Kernel() kernel.Kernel       { return nil }
func (d *infiniteDataset) Distances() kernel.Distances { return d.spread }

// images are n images of a purpose's sequence.
func (d *infiniteDataset) images(from originals, purpose string, streams Streams, n int) imagePool {
	return imagePool{images: d.bank.Images(from.pixels, streams.rand(purpose)), n: n, from: from}
}

// Draw begins one repeat's sequences.
func (d *infiniteDataset) Draw(streams Streams) (Draw, error) {
	return &infiniteDraw{dataset: d, streams: streams}, nil
}

type infiniteDraw struct {
	dataset *infiniteDataset
	streams Streams
	points  *mat.Dense // held out; nil before they are asked for
	labels  []int
}

func (d *infiniteDraw) Rows(n int) (Rows, []int, error) {
	pool := d.dataset.images(d.dataset.train, "sample", d.streams, n)
	return pool, pool.labels(), nil
}

func (d *infiniteDraw) Sample(n int) (*mat.Dense, []int, error) {
	rows, labels, err := d.Rows(n)
	return files.Table{X: rows}.Dense(), labels, err
}

func (*infiniteDraw) Counted() *Counts { return nil }

func (d *infiniteDraw) HeldOut() (*mat.Dense, []int) {
	if held := d.dataset.options.Population.HeldOut; d.points == nil && held > 0 {
		pool := d.dataset.images(d.dataset.test, "population", d.streams, held)
		d.points, d.labels = files.Table{X: pool}.Dense(), pool.labels()
	}
	return d.points, d.labels
}

func (d *infiniteDraw) Population(k kernel.Kernel, rank int) (Population, error) {
	points, _ := d.HeldOut()
	if points == nil {
		return nil, nil
	}
	return newEmpiricalPopulation(points, k, rank), nil
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
	var value [256]float64
	for b := range value {
		value[b] = float64(b) / 255
	}
	var pixels [generate.Pixels]byte
	for row, i := range idx {
		if i < 0 || i >= p.n {
			panic(fmt.Sprintf("data: image %d of %d", i, p.n))
		}
		p.images.Image(i, pixels[:])
		out := dst.RawRowView(row)[:generate.Pixels]
		for c, b := range pixels {
			out[c] = value[b]
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
