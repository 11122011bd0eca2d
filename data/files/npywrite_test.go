package files

import (
	"bytes"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sbinet/npyio/npy"
	"gonum.org/v1/gonum/mat"
)

// TestWriteNPY: what is written reads back here and with npyio, and the numbers
// begin at a multiple of 64 bytes for every length of the header's dictionary.
func TestWriteNPY(t *testing.T) {
	for _, shape := range [][2]int{{1, 1}, {3, 2}, {10, 9}, {12345, 1}, {7, 1234}, {100000, 2}} {
		n, d := shape[0], shape[1]
		x := mat.NewDense(n, d, nil)
		x.Apply(func(i, j int, _ float64) float64 { return math.Sqrt(float64(i)) - float64(j) }, x)
		var b bytes.Buffer
		if err := WriteNPY(&b, n, d, x.RawRowView); err != nil {
			t.Fatal(err)
		}
		if head := b.Len() - 8*n*d; head%64 != 0 || head > 192 {
			t.Errorf("%v: a header of %d bytes", shape, head)
		}
		got, err := plainly.ReadNPY(bytes.NewReader(b.Bytes()), int64(b.Len()), "x.npy")
		if err != nil || !mat.Equal(got, x) {
			t.Errorf("%v: reads back wrong, error %v", shape, err)
		}
		var other mat.Dense
		if err := npy.Read(&b, &other); err != nil || !mat.Equal(&other, x) {
			t.Errorf("%v: npyio reads it wrong, error %v", shape, err)
		}
	}
}

func TestReadNPYVector(t *testing.T) {
	for _, written := range []any{[]float64{1, -2, 3}, []int8{1, -2, 3}, []float32{1, -2, 3}} {
		var b bytes.Buffer
		if err := npy.Write(&b, written); err != nil {
			t.Fatal(err)
		}
		got, err := plainly.ReadNPYVector(&b, int64(b.Len()), "v.npy")
		if diff := cmp.Diff([]float64{1, -2, 3}, got); err != nil || diff != "" {
			t.Errorf("%T: error %v, %s", written, err, diff)
		}
	}
}
