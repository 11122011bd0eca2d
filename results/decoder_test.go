package results

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"reflect"
	"strings"
	"testing"
)

// What a decoder reads by itself is what Decode reads, and it reads by itself
// what Encode writes.
func TestDecoderIsDecode(t *testing.T) {
	d := newDecoder()
	for i := range 11 {
		r := sample(i)
		r.Key = strings.Repeat("0a", i+1)
		if i > 2 {
			r.Warnings = []string{"θ is 0.5", "twice"}
		}
		switch i {
		case 5:
			r.Metrics = Metrics{}
		case 6: // other metrics in the same places
			r.Metrics = NewMetrics(map[string]Metric{"time_total": {Value: 2, Unit: "s"}, "zeta": {Value: -1e-9}})
		case 7:
			r.Status, r.Reason, r.Metrics = Failed, "it is \"odd\"", Metrics{}
		case 8:
			r.Phases = map[string]float64{"gram": 0.5, "solve": 1e-3}
		case 9:
			r.Usage = &Usage{CPU: 1.25e-7, Peak: 1 << 52}
		case 10:
			r.Status, r.Reason, r.Metrics, r.Usage = OOM, "its process had 3 GiB", Metrics{}, &Usage{}
		}
		line, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := d.own(append(line, '\n'))
		want, err := Decode(line)
		if !ok || err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\ngives %+v, %v\nwant  %+v, %v", line, got, ok, want, err)
		}
	}
	if len(d.known) != 1 {
		t.Errorf("%d cells; all records are of one", len(d.known))
	}
}

// A decoder reads no usage that Encode does not write: Decode refuses it, or reads
// it more slowly.
func TestDecoderDeclinesUsage(t *testing.T) {
	const head = `{"schema":1,"key":"0a"`
	const tail = `,"repeat":0,"seed":1,"status":"ok","version":"","blas":""`
	d := newDecoder()
	for _, test := range []struct {
		text    string
		refused bool
	}{
		{head + tail + `,"usage":{"cpu":NaN,"peak":1}`, true},
		{head + tail + `,"usage":{"cpu":1e999,"peak":1}`, true},
		{head + tail + `,"usage":{"cpu":.5,"peak":1}`, true},
		{head + tail + `,"usage":{"cpu":1,"peak":1.5}`, true},
		{head + tail + `,"usage":{"cpu":1,"peak":01}`, true},
		{head + tail + `,"usage":{"cpu":1,"peak":9223372036854775808}`, true},
		{head + tail + `,"usage":{"cpu":1,"cpu":1}`, true},
		{head + tail + `,"usage":{"cpu":1,"peak":1},"usage":{"cpu":1,"peak":1}`, true},
		{head + tail + `,"usage":{"cpu":1,"peak":1`, true},
		{head + `,"usage":null` + tail + `,"usage":{"cpu":1,"peak":1}`, true},
		{head + `,"reason":""` + tail[:len(`,"repeat":0,"seed":1,"status":"ok"`)] + `,"reason":"x","version":"","blas":""`, true},
		{head + tail + `,"usage":{"cpu":1,"peak":-1}`, true},
		{head + tail + `,"usage":{"cpu":-1,"peak":1}`, true},
		{head + tail + `,"usage":{"peak":1,"cpu":1}`, false},
		{head + tail + `,"usage":{"cpu":1}`, false},
		{head + tail + `,"usage":null`, false},
	} {
		line := withCRC([]byte(test.text))
		if r, ok := d.own(line); ok {
			t.Errorf("%s is read: %+v", test.text, r)
		}
		if _, err := Decode(line); (err != nil) != test.refused {
			t.Errorf("%s: Decode gives %v", test.text, err)
		}
	}
}

// withCRC makes a line of an object without its last brace.
func withCRC(text []byte) []byte {
	sum := crc32.Checksum(append(bytes.Clone(text), '}'), castagnoli)
	return fmt.Appendf(bytes.Clone(text), "%s%08x%s", crcOpen, sum, crcClose)
}

// FuzzDecoder changes lines and gives them a right checksum: a decoder that
// reads a line by itself reads what Decode does.
func FuzzDecoder(f *testing.F) {
	for i := range 3 {
		r := sample(i)
		r.Key = "0a1b"
		if i == 1 {
			r.Warnings = []string{"one", "two"}
			r.Usage = &Usage{CPU: 0.25, Peak: 50e6}
		}
		line, err := Encode(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line[:len(line)-crcLen])
	}
	for _, odd := range []string{`{"schema":1,"key":"0a","point":{"repeat":1,"repeat":2},"repeat":0,"seed":1,"status":"ok","version":"","blas":""`,
		`{"schema":1,"key":"0a","repeat":01,"seed":1,"status":"ok","version":"","blas":""`,
		`{"schema":1,"key":"0a","metrics":{"a":{"v":1}},"repeat":0,"seed":1,"status":"ok","metrics":{"b":{"v":.5}},"version":"","blas":""`,
		`{"schema":1,"key":"0a","key":"","repeat":0,"seed":1,"status":"ok","version":"","blas":""`,
		`{"schema":1,"key":"0a","SEED":0,"repeat":0,"seed":1,"status":"ok","version":"","blas":""`,
		`{"schema":1,"key":"0a","schema":2,"repeat":0,"seed":1,"status":"ok","version":"","blas":""`,
		`{"schema":1,"key":"0a","repeat":0,"seed":1,"status":"ok","metrics":{"b":{"v":1e999},"b":{"v":0x1}},"version":"","blas":""`,
		`{"schema":1,"key":"0a","repeat":0,"seed":1,"status":"ok","version":"","blas":"","usage":{"cpu":-1e999,"peak":-1}`,
		`{"schema":1,"key":"0a","usage":null,"repeat":0,"seed":1,"status":"ok","version":"","blas":"","usage":{"cpu":1,"peak":1}`,
		`{"schema":1,"key":"0a","reason":"","repeat":0,"seed":1,"status":"ok","reason":"x","version":"","blas":"","usage":{"cpu":1,"cpu":1}`,
	} {
		f.Add([]byte(odd))
	}
	d := newDecoder()
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.ContainsRune(text, '\n') {
			return
		}
		line := withCRC(text)
		got, ok := d.own(line)
		if !ok {
			return
		}
		want, err := Decode(line)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\ngives %+v\nwant  %+v, %v", line, got, want, err)
		}
	})
}

// Values that records of a decoder keep in one piece of memory stay apart: what is
// appended to those of one does not show in the next.
func TestDecoderKeepsApart(t *testing.T) {
	d := newDecoder()
	var all [][]float64
	for i := range 3000 { // several pieces
		all = append(all, d.keep([]float64{float64(i), -float64(i)}))
	}
	for i, values := range all {
		_ = append(values, 7)
		if len(values) != 2 || values[0] != float64(i) || values[1] != -float64(i) {
			t.Fatalf("the values of %d are %v", i, values)
		}
	}
}
