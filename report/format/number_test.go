package format

import (
	"math"
	"testing"
)

func TestPlusMinus(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		mean, half float64
		want       string
	}{
		{0.12345, 0.00123, "0.1235 ± 0.0012"},
		{0.12345, 0.000996, "0.1235 ± 0.0010"},
		{123.456, 12.3, "123 ± 12"},
		{1234.5, 1000, "1234 ± 1000"},
		{1.2345e-7, 1.2e-9, "(1.235 ± 0.012)e−7"},
		{-4.2e9, 3e7, "(−4.200 ± 0.030)e9"},
		{0.5, 3, "0.5 ± 3.0"},
		{0, 0.01, "0.000 ± 0.010"},
		{-0.0001, 0.01, "0.000 ± 0.010"},
		{16, 0, "16"},
		{0.1 + 0.2, 0, "0.3"},
		{1, 3e-15, "1.00000 ± 3e−15"},
		{0.007465045, 5e-9, "0.00746505 ± 5e−09"},
		{0.007465045, 5e-7, "0.00746505 ± 0.00000050"},
		{0.25, nan, "0.25"},
		{nan, nan, None},
		{math.Inf(1), 1, None},
	} {
		if got := PlusMinus(test.mean, test.half); got != test.want {
			t.Errorf("%g, %g: %q; want %q", test.mean, test.half, got, test.want)
		}
	}
}

func TestInterval(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		estimate, low, high float64
		want                string
	}{
		{-0.262, -0.2743, -0.2497, "−0.262 [−0.274, −0.250]"},
		{1.31, nan, nan, "1.31"},
		{1.31, -inf, 1.4, "1.310 [−inf, 1.400]"},
		{2, 2, 2, "2 [2, 2]"},
		{3e-9, 2.9e-9, 3.1e-9, "3.00e−9 [2.90e−9, 3.10e−9]"},
		{-0.248624718, -0.248728, -0.248521, "−0.2486 [−0.2487, −0.2485]"},
		{5.31, 0.0212, 1407, "5 [0.021, 1407]"},
		{5.31, 0, 1407, "5 [0, 1407]"},
		{8.9e21, 1.5e15, 5.3e26, "8.9e21 [1.5e15, 5.3e26]"}, // 0.0e26 would be no estimate
		{1.0287, 1.0222, 1.0364, "1.029 [1.022, 1.036]"},
		{1.00000008, 1.00000006, 1.00000011, "1.000 [1.000, 1.000]"},
		{1.00019, 0.99963, 1.00086, "1.0002 [0.9996, 1.0009]"}, // 1.000 would be the lower end too
		{nan, 1, 2, None},
	} {
		if got := Interval(test.estimate, test.low, test.high); got != test.want {
			t.Errorf("%q; want %q", got, test.want)
		}
	}
}
