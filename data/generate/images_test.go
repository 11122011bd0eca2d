package generate

import (
	"bytes"
	"math"
	"slices"
	"testing"
)

// someDigits are count fake images: a bright bar and a dot, at places that
// depend on the image.
func someDigits(count int) []byte {
	base := make([]byte, count*Pixels)
	for i := range count {
		for r := 5; r < 23; r++ {
			for c := 10 + i%5; c < 14+i%5; c++ {
				base[i*Pixels+r*Side+c] = byte(200 + i)
			}
		}
		base[i*Pixels+4*Side+20] = 255
	}
	return base
}

func someImages(d Deformation, count int) *Images {
	return NewBank(d, stream(1)).Images(someDigits(count), stream(2))
}

func image(m *Images, i int) []byte {
	dst := make([]byte, Pixels)
	m.Image(i, dst)
	return dst
}

// TestImagesDependOnSeedAndIndex: any order, any sequence with the same seed.
func TestImagesDependOnSeedAndIndex(t *testing.T) {
	one, two := someImages(DefaultDeformation, 7), someImages(DefaultDeformation, 7)
	other := NewBank(DefaultDeformation, stream(1)).Images(someDigits(7), stream(3))
	same := 0
	for i := 99; i >= 0; i-- {
		if a, b := image(one, i), image(two, i); !bytes.Equal(a, b) {
			t.Fatalf("image %d differs between sequences of one seed", i)
		}
		if bytes.Equal(image(one, i), image(other, i)) {
			same++
		}
		if i >= 7 && bytes.Equal(image(one, i), image(one, i-7)) {
			t.Errorf("images %d and %d, of one base image, are equal", i-7, i)
		}
	}
	if same > 0 {
		t.Errorf("%d of 100 images are the same with another seed", same)
	}
	dirty := bytes.Repeat([]byte{77}, Pixels)
	one.Image(5, dirty)
	if !bytes.Equal(dirty, image(one, 5)) {
		t.Error("what was in dst shows")
	}
}

// TestSourceIsBalanced: every base image once in each run of as many.
func TestSourceIsBalanced(t *testing.T) {
	m := someImages(DefaultDeformation, 50)
	for run := range 3 {
		var seen []int
		for i := range 50 {
			seen = append(seen, m.Source(run*50+i))
		}
		if slices.IsSorted(seen) {
			t.Error("base images come in order")
		}
		slices.Sort(seen)
		for i, s := range seen {
			if s != i {
				t.Fatalf("run %d does not use every base image once", run)
			}
		}
	}
}

// Displacement is where pixel (r, c) of image i comes from, less where it is:
// pixels to the right and below.
func (m *Images) Displacement(i, r, c int) (right, below float64) {
	d := m.displacement(i)
	a, b := d.lines(r)
	x, y := d.at(a, b, c)
	return float64(x) / (1 << pixelBits), float64(y) / (1 << pixelBits)
}

// interpolated is an image by the definition, in floating point.
func interpolated(m *Images, i int) []float64 {
	from := m.base[m.Source(i)*Pixels:][:Pixels]
	pixel := func(r, c int) float64 {
		if r < 0 || c < 0 || r >= Side || c >= Side {
			return 0
		}
		return float64(from[r*Side+c])
	}
	out := make([]float64, Pixels)
	for r := range Side {
		for c := range Side {
			right, below := m.Displacement(i, r, c)
			x, y := float64(c)+right, float64(r)+below
			left, top := int(math.Floor(x)), int(math.Floor(y))
			fx, fy := x-float64(left), y-float64(top)
			out[r*Side+c] = (1-fy)*((1-fx)*pixel(top, left)+fx*pixel(top, left+1)) + fy*((1-fx)*pixel(top+1, left)+fx*pixel(top+1, left+1))
		}
	}
	return out
}

// TestImageInterpolates: fixed point is exact here but for the last rounding, of
// half a grey level.
func TestImageInterpolates(t *testing.T) {
	for _, d := range []Deformation{DefaultDeformation, {Shift: 5, Amplitude: 2.5, Smooth: 2}} {
		m := someImages(d, 5)
		for i := range 60 {
			got := image(m, i)
			for p, want := range interpolated(m, i) {
				if math.Abs(float64(got[p])-want) > 0.5 {
					t.Fatalf("%+v: image %d, pixel %d: %d, want %.3f", d, i, p, got[p], want)
				}
			}
		}
	}
}

// TestNoDeformation leaves images as they are.
func TestNoDeformation(t *testing.T) {
	m := someImages(Deformation{Smooth: 4}, 5)
	for i := range 20 {
		if !bytes.Equal(image(m, i), m.base[m.Source(i)*Pixels:][:Pixels]) {
			t.Fatalf("image %d is changed", i)
		}
	}
}

// bound is the largest displacement along an axis, in pixels.
func bound(d Deformation) float64 { return d.Shift + clip*math.Sqrt2*d.Amplitude }

// TestDisplacementLaw holds the displacements against their law: bounded, mean
// 0, variance Shift²/3 + Amplitude² along each axis, correlation
// exp(−r²/4·smooth²) between pixels and none between axes. Of 20,000 images,
// standard errors of means are below 0.01; those of a bank of 256 fields, a
// given sample of the law, are about 0.01 of the variance (each field counts
// some 10 independent values), and clipping at ±3 takes 0.5 % of it. 0.05 is
// beyond all of these, 0.2 beyond 4 times as much of a mean product of squares, and a factor of 2 anywhere is far beyond.
func TestDisplacementLaw(t *testing.T) {
	d := Deformation{Shift: 0.5, Amplitude: 1.5, Smooth: 3}
	m := someImages(d, 3)
	const images, gap = 20000, 4
	var x, y, xx, yy, xy, along, squares float64
	for i := range images {
		right, below := m.Displacement(i, 13, 9)
		next, _ := m.Displacement(i, 13, 9+gap)
		if math.Max(math.Abs(right), math.Abs(below)) > bound(d) {
			t.Fatalf("image %d is displaced by (%v, %v), more than %v", i, right, below, bound(d))
		}
		x, y = x+right/images, y+below/images
		xx, yy, xy, along = xx+right*right/images, yy+below*below/images, xy+right*below/images, along+right*next/images
		squares += right * right * below * below / images
	}
	offset, wave := d.Shift*d.Shift/3, d.Amplitude*d.Amplitude
	check := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.05*(offset+wave) {
			t.Errorf("%s is %.4f, want %.4f", name, got, want)
		}
	}
	check("mean to the right", x, 0)
	check("mean below", y, 0)
	check("variance to the right", xx, offset+wave)
	check("variance below", yy, offset+wave)
	check("covariance of the axes", xy, 0)
	// Coordinates are independent: normal, and rotated.
	if ratio := squares / (xx * yy); math.Abs(ratio-1) > 0.2 {
		t.Errorf("squares of the axes: mean product %.3f times the product of means", ratio)
	}
	check("covariance of pixels", along, offset+wave*math.Exp(-gap*gap/(4*d.Smooth*d.Smooth)))
}

// TestDrawsAreUniform: what is drawn of consecutive images. χ² of 256 fields has
// mean 255 and standard deviation 22.6; beyond 5 of these either way has
// probability below 1e-5. So it is for the offsets in 256 bins, and for the
// fields of pairs of neighbours.
func TestDrawsAreUniform(t *testing.T) {
	d := Deformation{Shift: 2, Amplitude: 1, Smooth: 4}
	m := someImages(d, 3)
	const images = 51200
	index := map[*[torus * torus]int16]int{}
	for f := range m.bank.field {
		index[&m.bank.field[f]] = f
	}
	var first, second, offset, pairs [256]int
	before := 0
	for i := range images {
		v := m.displacement(i)
		if v.a == v.b {
			t.Fatalf("image %d has one field twice", i)
		}
		first[index[v.a]]++
		second[index[v.b]]++
		offset[int(v.right+512)*256/1025]++
		pairs[(before*16+index[v.a]/16)%256]++
		before = index[v.a] / 16
	}
	for name, counts := range map[string][256]int{"first field": first, "second field": second, "offset": offset, "neighbours": pairs} {
		chi2 := 0.0
		for _, c := range counts {
			chi2 += float64((c-images/256)*(c-images/256)) / (images / 256)
		}
		if math.Abs(chi2-255) > 5*22.6 {
			t.Errorf("%s: χ² of 256 bins is %.0f", name, chi2)
		}
	}
}

func BenchmarkImage(b *testing.B) {
	m := someImages(DefaultDeformation, 100)
	dst := make([]byte, Pixels)
	i := 0
	for b.Loop() {
		m.Image(i, dst)
		i++
	}
}
