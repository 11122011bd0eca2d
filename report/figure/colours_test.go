package figure

import (
	"image/color"
	"math"
	"slices"
	"testing"
)

// lab is a colour in CIELAB under D65.
func lab(x, y, z float64) [3]float64 {
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	fx, fy, fz := f(x/0.95047), f(y), f(z/1.08883)
	return [3]float64{116*fy - 16, 500 * (fx - fy), 200 * (fy - fz)}
}

// seen is a colour in CIELAB as it is seen through a matrix on linear RGB.
func seen(drawn color.Color, by [3][3]float64) [3]float64 {
	c := color.NRGBAModel.Convert(drawn).(color.NRGBA)
	linear := func(v uint8) float64 {
		if x := float64(v) / 255; x > 0.04045 {
			return math.Pow((x+0.055)/1.055, 2.4)
		}
		return float64(v) / 255 / 12.92
	}
	in := [3]float64{linear(c.R), linear(c.G), linear(c.B)}
	var out [3]float64
	for i, row := range by {
		for k, weight := range row {
			out[i] += weight * in[k]
		}
		out[i] = math.Min(math.Max(out[i], 0), 1)
	}
	r, g, b := out[0], out[1], out[2]
	return lab(0.4124564*r+0.3575761*g+0.1804375*b, 0.2126729*r+0.7151522*g+0.0721750*b, 0.0193339*r+0.1191920*g+0.9503041*b)
}

// Vision without a fault, and without the cones for long, middle and short waves.
//
// Reference: Machado, Oliveira & Fernandes, A Physiologically-based Model for Simulation of
// Color Vision Deficiency, 2009, severity 1.
var visions = map[string][3][3]float64{
	"common": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protan": {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deutan": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritan": {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// The sequential scale rises evenly in lightness, and to people who are colour-blind it
// rises too: a scale is read by lightness alone where hue fails.
func TestSequentialColours(t *testing.T) {
	for name, by := range visions {
		first, last := seen(sequential.Colors()[0], by)[0], seen(sequential.Colors()[shades-1], by)[0]
		if last-first < 60 {
			t.Errorf("%s: lightness goes from %.1f to %.1f", name, first, last)
		}
		for i := 8; i < shades; i += 8 { // single steps are of the size of rounding to 8 bits
			if step := seen(sequential.Colors()[i], by)[0] - seen(sequential.Colors()[i-8], by)[0]; step <= 0 {
				t.Errorf("%s: lightness falls by %.2f before colour %d", name, -step, i)
			}
		}
	}
	first, last := seen(sequential.Colors()[0], visions["common"])[0], seen(sequential.Colors()[shades-1], visions["common"])[0]
	for i, c := range sequential.Colors() { // rounding to 8 bits moves the lightness by 0.3 at most
		want := first + (last-first)*float64(i)/(shades-1)
		if got := seen(c, visions["common"])[0]; math.Abs(got-want) > 1 {
			t.Errorf("colour %d has lightness %.2f, even steps have %.2f", i, got, want)
		}
	}
}

// The diverging scale is lightest in the middle, darkens to either side, and has ends that
// everybody tells apart.
func TestDivergingColours(t *testing.T) {
	for name, by := range visions {
		a, b := seen(diverging.Colors()[0], by), seen(diverging.Colors()[shades-1], by)
		if distance := math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2])); distance < 40 {
			t.Errorf("%s: the ends differ by %.1f", name, distance)
		}
	}
	for i := 16; i < shades; i += 16 {
		step := seen(diverging.Colors()[i], visions["common"])[0] - seen(diverging.Colors()[i-16], visions["common"])[0]
		if (i <= shades/2) != (step > 0) {
			t.Errorf("the lightness changes by %.2f before colour %d", step, i)
		}
	}
}

// Numbers have contrast on every colour: 4.5 by the ratio of the Web Content Accessibility Guidelines
// 2.1 is what text of any size needs, and the best that two inks can have on every colour is 4.58.
func TestInkHasContrast(t *testing.T) {
	luminance := func(c color.Color) float64 {
		l := seen(c, visions["common"])[0] // of CIELAB; luminance is its inverse
		if l <= 8 {
			return l * 27 / 24389
		}
		return math.Pow((l+16)/116, 3)
	}
	for _, c := range slices.Concat(sequential.Colors(), diverging.Colors()) {
		a, b := luminance(inkOn(c)), luminance(c)
		if got := (max(a, b) + 0.05) / (min(a, b) + 0.05); got < 4 {
			t.Errorf("%v: %.2f", c, got)
		}
	}
}
