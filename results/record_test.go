package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/internal/sizes"
)

// sample is a valid record number i of a small experiment.
func sample(i int) Record {
	return Record{
		Schema: SchemaVersion, Key: "key" + string(rune('a'+i)), Experiment: "exp", Dataset: "poly2", Method: "nystrom",
		Sizes: sizes.Sizes{N: 250, M: 20, Ell: 4}, Point: map[string]float64{"n": 250, "theta": 0.5}, Repeat: i, Seed: math.MaxUint64,
		Status: OK, Metrics: NewMetrics(map[string]Metric{"recon_h": {Value: 0.30000000000000004}, "time_total": {Value: 1.5, Unit: "s"}}),
		Warnings: []string{"rank 19 of 20 <cut>"}, Version: "1", BLAS: "gonum",
	}
}

func TestEncodeKeepsEveryBit(t *testing.T) {
	values := []float64{0, math.Copysign(0, -1), 0.30000000000000004, 1.0 / 3, math.MaxFloat64, math.SmallestNonzeroFloat64,
		2.2250738585072011e-308, -1e-300, 1 << 53, 1e21, 1e-7, math.Nextafter(1, 2)}
	for _, want := range values {
		r := sample(0)
		r.Metrics = NewMetrics(map[string]Metric{"x": {Value: want}})
		line, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(line)
		if err != nil {
			t.Fatal(err)
		}
		if math.Float64bits(got.Metrics.Value("x")) != math.Float64bits(want) {
			t.Errorf("%g came back as %g", want, got.Metrics.Value("x"))
		}
		if got.Seed != math.MaxUint64 {
			t.Errorf("seed came back as %d", got.Seed)
		}
	}
}

// The form of a line is what every run of before has: it stays, to the byte.
func TestEncodeGolden(t *testing.T) {
	r := sample(0)
	r.Kernel, r.Work, r.Reason, r.Phases, r.Usage = "gauss", "{250 20}", "θ > 0", map[string]float64{"gram": 1e-7, "embed": 2}, &Usage{CPU: 1.25, Peak: 1 << 40}
	const want = `{"schema":1,"key":"keya","experiment":"exp","dataset":"poly2","kernel":"gauss","method":"nystrom","n":250,"m":20,"ell":4,"point":{"n":250,"theta":0.5},"work":"{250 20}","repeat":0,"seed":18446744073709551615,"status":"ok","reason":"θ \u003e 0","metrics":{"recon_h":{"v":0.30000000000000004},"time_total":{"v":1.5,"u":"s"}},"phases":{"embed":2,"gram":1e-7},"warnings":["rank 19 of 20 \u003ccut\u003e"],"version":"1","blas":"gonum","usage":{"cpu":1.25,"peak":1099511627776},"crc":"2b8af43f"}`
	line, err := Encode(r)
	if err != nil || string(line) != want {
		t.Errorf("%v\n%s, want\n%s", err, line, want)
	}
	if again, err := Decode([]byte(want)); err != nil || !cmp.Equal(again, r) {
		t.Errorf("%v\n%s", err, cmp.Diff(again, r))
	}
}

func TestEncodeIsPlainJSONWithChecksumLast(t *testing.T) {
	line, err := Encode(sample(0))
	if err != nil {
		t.Fatal(err)
	}
	var plain map[string]any
	if err := json.Unmarshal(line, &plain); err != nil {
		t.Fatal(err)
	}
	if crc, ok := plain["crc"].(string); !ok || !bytes.HasSuffix(line, []byte(`,"crc":"`+crc+`"}`)) {
		t.Errorf("no checksum at the end of %s", line)
	}
}

func TestEncodeRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Record)
		want   string
	}{
		{"NaN metric", func(r *Record) { r.Metrics.Set("recon_h", Metric{Value: math.NaN()}) }, "record keya: metric recon_h is NaN"},
		{"infinite metric", func(r *Record) { r.Metrics.Set("recon_l2", Metric{Value: math.Inf(-1)}) }, "metric recon_l2 is -Inf"},
		{"infinite phase", func(r *Record) { r.Phases = map[string]float64{"gram": math.Inf(1)} }, "phase gram is +Inf"},
		{"NaN in point", func(r *Record) { r.Point["theta"] = math.NaN() }, "grid variable theta is NaN"},
		{"no key", func(r *Record) { r.Key = "" }, "without a key"},
		{"status", func(r *Record) { r.Status = "fine" }, `unknown status "fine"`},
		{"repeat", func(r *Record) { r.Repeat = -1 }, "negative repeat"},
		{"negative time", func(r *Record) { r.Usage = &Usage{CPU: -1e-9, Peak: 1} }, "record keya: usage of -1e-09 s and 1 bytes: must be finite and not negative"},
		{"undefined time", func(r *Record) { r.Usage = &Usage{CPU: math.NaN()} }, "usage of NaN s"},
		{"infinite time", func(r *Record) { r.Usage = &Usage{CPU: math.Inf(1)} }, "usage of +Inf s"},
		{"negative memory", func(r *Record) { r.Usage = &Usage{Peak: -1} }, "usage of 0 s and -1 bytes"},
		{"newer schema", func(r *Record) { r.Schema = SchemaVersion + 1 }, "newer mercer"},
		{"no schema", func(r *Record) { r.Schema = 0 }, "the first is 1"},
	}
	for _, tt := range tests {
		r := sample(0)
		tt.change(&r)
		if _, err := Encode(r); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.name, err, tt.want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	good, err := Encode(sample(0))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, line, want string }{
		{"changed value", strings.Replace(string(good), `"n":250`, `"n":251`, 1), "changed or damaged"},
		{"changed checksum", strings.Replace(string(good), `"crc":"`, `"crc":"zz`, 1)[:len(good)], "not a record"},
		{"cut", string(good[:len(good)-5]), "not a record"},
		{"empty", "", "not a record"},
		{"array", "[1]", "not a record"},
		{"null", "null", "schema 0"},
		{"zeros", string(make([]byte, 40)), "not a record"},
		{"doubled key", `{"schema":1,"key":"k","key":"l","status":"ok"}`, `duplicate object member name "key"`},
		{"doubled key in another case", `{"schema":1,"key":"k","KEY":"l","status":"ok"}`, `unknown object member name "KEY"`},
		{"doubled metric", `{"schema":1,"key":"k","status":"ok","metrics":{"x":{"v":1},"x":{"v":2}}}`, `duplicate object member name "x"`},
		{"doubled value", `{"schema":1,"key":"k","status":"ok","metrics":{"x":{"v":1,"V":2}}}`, `unknown object member name "V"`},
		{"two objects", `{"schema":1,"key":"k","status":"ok"} {"schema":1}`, "after top-level value"},
		{"no checksum and an unknown member", `{"schema":1,"key":"k","status":"ok","more":1}`, `unknown object member name "more"`},
		{"damaged checksum's name", strings.Replace(string(good), `"crc":`, `"crb":`, 1), `unknown object member name "crb"`},
		{"negative time", `{"schema":1,"key":"k","status":"ok","usage":{"cpu":-1,"peak":1}}`, "usage of -1 s"},
		{"negative memory", `{"schema":1,"key":"k","status":"ok","usage":{"cpu":1,"peak":-1}}`, "usage of 1 s and -1 bytes"},
		{"string metric", `{"schema":1,"key":"k","status":"ok","metrics":{"x":{"v":"1"}}}`, "not a record"},
	}
	for _, tt := range tests {
		if _, err := Decode([]byte(tt.line)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.name, err, tt.want)
		}
	}
	if _, err := Decode([]byte(`{"schema":2,"anything":"else"}`)); !errors.Is(err, errSchema) {
		t.Errorf("newer schema: error %v, want errSchema", err)
	}
	if _, err := Decode([]byte(`{"schema":1,"key":"k","status":"ok","point":{"a":1,"A":2}}`)); err != nil {
		t.Errorf("a line of another program without checksum: %v", err)
	}
}

// A checksum does not make a record of a line that is none: these are objects, without
// their last brace, to which a right checksum is added.
func TestDecodeWithChecksum(t *testing.T) {
	const head = `{"schema":1,"key":"0a"`
	const status = `,"repeat":0,"seed":1,"status":"ok"`
	const tail = status + `,"version":"","blas":""`
	for _, test := range []struct{ text, refused string }{
		{head + tail + `,"usage":{"cpu":NaN,"peak":1}`, "invalid character 'N'"},
		{head + tail + `,"usage":{"cpu":1e999,"peak":1}`, "1e999 into Go float64"},
		{head + tail + `,"usage":{"cpu":.5,"peak":1}`, "invalid character '.'"},
		{head + tail + `,"usage":{"cpu":1,"peak":1.5}`, "1.5 into Go int64"},
		{head + tail + `,"usage":{"cpu":1,"peak":01}`, "invalid character '1'"},
		{head + tail + `,"usage":{"cpu":1,"peak":9223372036854775808}`, "value out of range"},
		{head + tail + `,"usage":{"cpu":1,"cpu":1}`, `duplicate object member name "cpu"`},
		{head + tail + `,"usage":{"cpu":1,"peak":1`, "unexpected EOF"},
		{head + tail + `,"usage":{"cpu":1,"peak":-1}`, "usage of 1 s and -1 bytes"},
		{head + tail + `,"usage":{"cpu":-1,"peak":1}`, "usage of -1 s"},
		{head + `,"usage":null` + tail + `,"usage":{"cpu":1,"peak":1}`, `duplicate object member name "usage"`},
		{head + `,"reason":""` + status + `,"reason":"x","version":"","blas":""`, `duplicate object member name "reason"`},
		{head + `,"point":{"n":1,"n":1}` + tail, `duplicate object member name "n"`},
		{head + status + `,"phases":{"gram":1,"gram":1},"version":"","blas":""`, `duplicate object member name "gram"`},
		{head + status + `,"metrics":{"a":{"v":1},"a":{"v":1}},"version":"","blas":""`, `duplicate object member name "a"`},
		{head + status + `,"metrics":{"a":{"v":1,"v":1}},"version":"","blas":""`, `duplicate object member name "v"`},
		{head + `,"SEED":0` + tail, ""},
		{head + `,"schema":1` + tail, `duplicate object member name "schema"`},
		{head + `,"more":1,"more":1` + tail, `duplicate object member name "more"`},
		{head + `,"more":1` + tail, ""},
		{head + tail + `,"usage":{"peak":1,"cpu":1}`, ""},
		{head + tail + `,"usage":{"cpu":1}`, ""},
		{head + tail + `,"usage":null`, ""},
		{head + tail, ""},
	} {
		_, err := Decode(withCRC([]byte(test.text)))
		if (err != nil) != (test.refused != "") || err != nil && !strings.Contains(err.Error(), test.refused) {
			t.Errorf("%s\ngives %v, want %q", test.text, err, test.refused)
		}
	}
}

// withCRC makes a line of an object without its last brace.
func withCRC(text []byte) []byte {
	sum := crc32.Checksum(append(bytes.Clone(text), '}'), castagnoli)
	return fmt.Appendf(bytes.Clone(text), "%s%08x%s", crcOpen, sum, crcClose)
}

// FuzzRecord: no input makes Decode panic, and what it accepts is kept by
// Encode and Decode, to the bit.
func FuzzRecord(f *testing.F) {
	for i := range 3 {
		line, err := Encode(sample(i))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line)
		f.Add(line[:len(line)/2])
	}
	f.Add([]byte(`{"schema":1,"key":"k","status":"failed","metrics":{"x":{"v":-0.0}},"crc":"00000000"}`))
	f.Add([]byte(`,"crc":"00000000"}`))
	f.Add([]byte(`{"schema":1,"key":"k","key":"l","status":"ok"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		first, err := Decode(line)
		if err != nil {
			return
		}
		again, err := Encode(first)
		if err != nil {
			t.Fatalf("accepted %q but cannot write it: %v", line, err)
		}
		second, err := Decode(again)
		if err != nil {
			t.Fatalf("cannot read what was written, %q: %v", again, err)
		}
		third, err := Encode(second)
		if err != nil || !bytes.Equal(again, third) {
			t.Fatalf("%q became %q (%v)\n%s", again, third, err, cmp.Diff(first, second))
		}
	})
}
