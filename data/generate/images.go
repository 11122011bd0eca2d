package generate

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Deformation says how an image is varied: displaced by a random offset and by
// a random smooth vector field. Lengths are in pixels.
//
// Pixel p of the new image is the old one, interpolated bilinearly, at
//
//	p + t + Amplitude·R(θ)·(F_a(p), F_b(p)),
//
// t uniform on [−Shift, Shift]², R(θ) a rotation by a uniform angle, F_a and F_b
// two different fields of a bank, each mirrored and moved about its torus at
// random. Outside the old image is 0.
//
// Reference: Loosli, Canu and Bottou, Training invariant support vector machines
// using selective sampling, 2007, whose data set MNIST8M KKM §5 clusters.
// Deviation: they move along tangent vectors, the first order of a
// displacement, and also thicken strokes; here the displacement itself is
// applied, and thickness is left as it is. Amplitudes are not theirs.
type Deformation struct {
	Shift     float64 `json:"shift"`     // largest offset along each axis, in pixels
	Amplitude float64 `json:"amplitude"` // root mean square of each coordinate of the smooth displacement, in pixels; at most 3√2 times this at any pixel
	Smooth    float64 `json:"smooth"`    // standard deviation of the Gaussian that smooths the displacement, in pixels: displacements a distance r apart have correlation exp(−r²/4·smooth²)
}

// DefaultDeformation leaves digits readable.
var DefaultDeformation = Deformation{Shift: 1, Amplitude: 1, Smooth: 4}

const (
	// Side is the height and the width of the images that Bank deforms.
	Side = 28
	// Pixels is their number of pixels.
	Pixels = Side * Side

	torus      = 32   // side of a field
	fields     = 256  // of a bank
	clip       = 3    // largest value of a field
	unitBits   = 11   // of a field's 1
	rotateBits = 10   // of Amplitude·cos θ and Amplitude·sin θ
	pixelBits  = 8    // of a displacement of one pixel
	angles     = 4096 // that θ takes
	canvas     = 64   // side of the old image with its margins
	margin     = (canvas - Side) / 2
)

// Bank is a deformation made ready: its fields and rotations in fixed point. It
// does not change, and may be used from several goroutines.
type Bank struct {
	field    [fields][torus * torus]int16
	cos, sin [angles]int32 // of 2π·index/angles, times Amplitude
	shift    int64         // Shift in fixed point
}

// NewBank draws the fields: Gaussian white noise on a 32×32 torus, smoothed by a
// Gaussian, scaled to variance 1 and clipped at ±3. The deformation must move no pixel by more than a
// margin of 17.
func NewBank(d Deformation, rng *rand.Rand) *Bank {
	b := &Bank{shift: int64(math.Round(d.Shift * (1 << pixelBits)))}
	for i := range angles {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / angles)
		b.cos[i] = int32(math.Round(d.Amplitude * cos * (1 << rotateBits)))
		b.sin[i] = int32(math.Round(d.Amplitude * sin * (1 << rotateBits)))
	}
	weights := smoothing(d.Smooth)
	for f := range b.field {
		noise := make([]float64, torus*torus)
		for i := range noise {
			noise[i] = rng.NormFloat64()
		}
		for i, v := range smoothed(smoothed(noise, weights), weights) {
			b.field[f][i] = int16(math.Round(min(max(v, -clip), clip) * (1 << unitBits)))
		}
	}
	return b
}

// smoothing are the weights of a Gaussian on the circle of torus points, their
// squares summing to 1.
func smoothing(sd float64) []float64 {
	weights := make([]float64, torus)
	squares := 0.0
	for i := range weights {
		for around := -3; around <= 3; around++ {
			r := float64(i + around*torus)
			weights[i] += math.Exp(-r * r / (2 * sd * sd))
		}
		squares += weights[i] * weights[i]
	}
	for i := range weights {
		weights[i] /= math.Sqrt(squares)
	}
	return weights
}

// smoothed convolves the rows of a field and transposes it.
func smoothed(field, weights []float64) []float64 {
	out := make([]float64, len(field))
	for r := range torus {
		for c := range torus {
			for i, w := range weights {
				out[c*torus+r] += w * field[r*torus+(c+i)%torus]
			}
		}
	}
	return out
}

// Images is an endless sequence of deformed images. Image i is a function of
// the bank, the base, the seed and i alone, so any of them can be made at any
// time, from several goroutines. Each run of as many images as the base has
// uses each of its images once, in a random order.
type Images struct {
	bank  *Bank
	base  []byte
	seed  uint64
	order []int32
}

// Images draws the sequence's seed and order. The base is N images of Pixels
// bytes, row by row; it is kept, not copied. It panics where that is no whole
// number of images, or none.
func (b *Bank) Images(base []byte, rng *rand.Rand) *Images {
	if len(base) == 0 || len(base)%Pixels != 0 {
		panic(fmt.Sprintf("generate: %d bytes are no whole number of images of %d", len(base), Pixels))
	}
	m := &Images{bank: b, base: base, seed: rng.Uint64(), order: make([]int32, len(base)/Pixels)}
	for i := range m.order {
		m.order[i] = int32(i)
	}
	rng.Shuffle(len(m.order), func(i, j int) { m.order[i], m.order[j] = m.order[j], m.order[i] })
	return m
}

// Source is the base image that image i is made of.
func (m *Images) Source(i int) int { return int(m.order[i%len(m.order)]) }

// displacement is where the pixels of an image come from.
type displacement struct {
	a, b         *[torus * torus]int16
	ax, ay       int // shift of field a about its torus
	bx, by       int
	flips        [4]int // 31 mirrors: columns and rows of a, of b
	cos, sin     int32
	right, below int32 // offset, in fixed point
}

// displacement draws that of image i from a stream of its own.
func (m *Images) displacement(i int) displacement {
	var stream rand.PCG
	stream.Seed(m.seed, uint64(i))
	bits := stream.Uint64()
	take := func(count int) int {
		v := int(bits & (1<<count - 1))
		bits >>= count
		return v
	}
	d := displacement{}
	first := take(8)
	second := (first + 1 + take(16)*(fields-1)>>16) % fields // never the first
	d.a, d.b = &m.bank.field[first], &m.bank.field[second]
	d.ax, d.ay, d.bx, d.by = take(5), take(5), take(5), take(5)
	for k := range d.flips {
		d.flips[k] = take(1) * (torus - 1)
	}
	angle := take(12)
	d.cos, d.sin = m.bank.cos[angle], m.bank.sin[angle]
	bits = stream.Uint64()
	width := 2*m.bank.shift + 1
	d.right = int32(int64(take(32))*width>>32 - m.bank.shift)
	d.below = int32(int64(take(32))*width>>32 - m.bank.shift)
	return d
}

// lines are the rows of the two fields that row r of the image takes.
func (d *displacement) lines(r int) (a, b *[torus]int16) {
	a = (*[torus]int16)(d.a[((r+d.ay)&(torus-1)^d.flips[1])*torus:])
	b = (*[torus]int16)(d.b[((r+d.by)&(torus-1)^d.flips[3])*torus:])
	return a, b
}

// at is the displacement of the pixel in column c of a row, right and below, in
// fixed point; a and b are the row's lines of the fields.
func (d *displacement) at(a, b *[torus]int16, c int) (right, below int32) {
	u, v := int32(a[(c+d.ax)&(torus-1)^d.flips[0]&(torus-1)]), int32(b[(c+d.bx)&(torus-1)^d.flips[2]&(torus-1)])
	const down = unitBits + rotateBits - pixelBits
	return d.right + (u*d.cos-v*d.sin)>>down, d.below + (u*d.sin+v*d.cos)>>down
}

// Image writes image i, Pixels bytes, into dst.
func (m *Images) Image(i int, dst []byte) {
	dst = dst[:Pixels]
	d := m.displacement(i)
	var old [canvas * (canvas + 2)]byte
	from := m.base[m.Source(i)*Pixels:][:Pixels]
	for r := range Side {
		copy(old[(r+margin)*canvas+margin:][:Side], from[r*Side:])
	}
	const one, half = 1 << pixelBits, 1 << (2*pixelBits - 1)
	for r := range Side {
		row := dst[r*Side:][:Side]
		a, b := d.lines(r)
		for c := range row {
			right, below := d.at(a, b, c)
			x, y := int32(c+margin)<<pixelBits+right, int32(r+margin)<<pixelBits+below
			at := int(y>>pixelBits&(canvas-1))*canvas + int(x>>pixelBits&(canvas-1))
			fx, fy := x&(one-1), y&(one-1)
			top := int32(old[at])<<pixelBits + fx*(int32(old[at+1])-int32(old[at]))
			bottom := int32(old[at+canvas])<<pixelBits + fx*(int32(old[at+canvas+1])-int32(old[at+canvas]))
			row[c] = byte((top<<pixelBits + fy*(bottom-top) + half) >> (2 * pixelBits))
		}
	}
}
