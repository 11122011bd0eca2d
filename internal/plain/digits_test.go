package plain

import (
	"fmt"
	"math"
	"testing"
)

func TestDigits(t *testing.T) {
	for _, test := range []struct {
		verb     byte
		least    int
		interval []float64
		with     float64
		want     string
	}{
		{'g', 4, []float64{1.31, 1.29, 1.33}, 1.25, "[1.31 1.29 1.33]"},
		{'g', 4, []float64{1.0000142, 1.00001, 1.0000195}, 1.0005, "[1.0000142 1.00001 1.0000195]"},
		{'g', 4, []float64{0.2788137, 0.2788117, 0.2788148}, 0.278811, "[0.2788137 0.2788117 0.2788148]"},
		{'g', 4, []float64{1.00000001, 1.00000001, 1.00000001}, 1, "[1.00000001 1.00000001 1.00000001]"},
		{'g', 4, []float64{1 + 1e-12, 1, 1 + 2e-12}, 1, "[1 1 1]"}, // rounding
		{'g', 4, []float64{1.31, math.NaN(), math.NaN()}, 1.25, "[1.31 NaN NaN]"},
		{'g', 4, []float64{5.31, 0.0212, 1407}, 1, "[5.31 0.0212 1407]"},
		{'f', 3, []float64{-0.2501, -0.2502, -0.24995}, -0.25, "[-0.25010 -0.25020 -0.24995]"},
		{'f', 3, []float64{-0.262, -0.2743, -0.2497}, -0.3, "[-0.262 -0.274 -0.250]"},
	} {
		var got []string
		digits := Digits(test.verb, test.least, test.interval, test.with)
		for _, v := range test.interval {
			got = append(got, fmt.Sprintf("%.*"+string(test.verb), digits, v))
		}
		if fmt.Sprint(got) != test.want {
			t.Errorf("%v beside %g: %v; want %v", test.interval, test.with, got, test.want)
		}
	}
}

func TestClaimed(t *testing.T) {
	for _, test := range []struct {
		v        float64
		interval []float64
		want     string
	}{
		{1.0005, nil, "1.0005"},
		{math.Exp(math.Log(1.0005)), nil, "1.0005"}, // on a logarithmic scale and back
		{0.278811, nil, "0.278811"},
		{123456789012, nil, "123456789012"},
		{1e-05, nil, "1e-05"},
		{math.Copysign(0, -1), nil, "0"},
		{1.0 / 3, nil, "0.3333"},
		{1.0 / 3, []float64{0.33334, 0.33333, 0.33335}, "0.333333"},
	} {
		if got := Claimed(test.v, test.interval...); got != test.want {
			t.Errorf("%v beside %v: %s; want %s", test.v, test.interval, got, test.want)
		}
	}
}
