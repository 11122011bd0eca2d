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

	"mercer/configs"
)

func TestEncodeKeepsEveryBit(t *testing.T) {
	values := []float64{0, math.Copysign(0, -1), 0.30000000000000004, 1.0 / 3, math.MaxFloat64, math.SmallestNonzeroFloat64,
		2.2250738585072011e-308, -1e-300, 1 << 53, 1e21, 1e-7, math.Nextafter(1, 2)}
	for _, want := range values {
		r := sample(0)
		r.Metrics = map[string]float64{"x": want}
		line, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(line)
		if err != nil {
			t.Fatal(err)
		}
		if math.Float64bits(got.Metrics["x"]) != math.Float64bits(want) {
			t.Errorf("%g came back as %g", want, got.Metrics["x"])
		}
	}
}

// The form of a line is what the runs of this schema have: it stays, to the byte.
func TestEncodeGolden(t *testing.T) {
	r := sample(0)
	r.Reason, r.Rounded = "θ > 0", []string{"recon_h"}
	const want = `{"schema":2,"id":"keya","at":{"dataset":"poly2","method":"nystrom","n":250,"theta":0.5,"rule":"uniform","m":20},"repeat":0,"population":"P","status":"ok","reason":"θ \u003e 0","metrics":{"recon_h":0.30000000000000004,"time_total":1.5},"rounded":["recon_h"],"warnings":["rank 19 of 20 \u003ccut\u003e"],"version":"1","blas":"gonum","crc":"4f5b8358"}`
	line, err := Encode(r)
	if err != nil || string(line) != want {
		t.Errorf("%v\n%s, want\n%s", err, line, want)
	}
	if again, err := Decode([]byte(want)); err != nil || !cmp.Equal(again, r) {
		t.Errorf("%v\n%+v", err, again)
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
		change func(*Row)
		want   string
	}{
		{"NaN metric", func(r *Row) { r.Metrics.Set("recon_h", math.NaN()) }, "row keya: metric recon_h is NaN"},
		{"infinite metric", func(r *Row) { r.Metrics.Set("recon_l2", math.Inf(-1)) }, "metric recon_l2 is -Inf"},
		{"NaN in a series", func(r *Row) { r.Series = map[string][]float64{"recon_h": {1, math.NaN()}} }, "series recon_h is NaN"},
		{"empty series", func(r *Row) { r.Series = map[string][]float64{"recon_h": {}} }, "series recon_h has no value"},
		{"NaN in a column", func(r *Row) { r.At = r.At.With("theta", configs.NumberOf(math.NaN())) }, "column theta is NaN"},
		{"no key", func(r *Row) { r.ID = "" }, "without an id"},
		{"status", func(r *Row) { r.Status = "fine" }, `unknown status "fine"`},
		{"repeat", func(r *Row) { r.Repeat = -1 }, "negative repeat"},
		{"newer schema", func(r *Row) { r.Schema = SchemaVersion + 1 }, "update mercer"},
		{"older schema", func(r *Row) { r.Schema = 1 }, "make the run anew"},
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
		{"changed checksum", strings.Replace(string(good), `"crc":"`, `"crc":"zz`, 1)[:len(good)], "not a row"},
		{"cut", string(good[:len(good)-5]), "not a row"},
		{"empty", "", "not a row"},
		{"array", "[1]", "not a row"},
		{"null", "null", "schema 0"},
		{"zeros", string(make([]byte, 40)), "not a row"},
		{"doubled key", `{"schema":2,"id":"k","id":"l","status":"ok"}`, `duplicate object member name "id"`},
		{"doubled key in another case", `{"schema":2,"id":"k","KEY":"l","status":"ok"}`, `unknown object member name "KEY"`},
		{"doubled metric", `{"schema":2,"id":"k","status":"ok","metrics":{"x":1,"x":2}}`, `duplicate object member name "x"`},
		{"doubled column", `{"schema":2,"id":"k","status":"ok","at":{"n":1,"n":2}}`, `duplicate object member name "n"`},
		{"a column that is a list", `{"schema":2,"id":"k","status":"ok","at":{"n":[1]}}`, "neither a number nor a text"},
		{"two objects", `{"schema":2,"id":"k","status":"ok"} {"schema":2}`, "after top-level value"},
		{"no checksum and an unknown member", `{"schema":2,"id":"k","status":"ok","more":1}`, `unknown object member name "more"`},
		{"damaged checksum's name", strings.Replace(string(good), `"crc":`, `"crb":`, 1), `unknown object member name "crb"`},
		{"string metric", `{"schema":2,"id":"k","status":"ok","metrics":{"x":"1"}}`, "not a row"},
	}
	for _, tt := range tests {
		if _, err := Decode([]byte(tt.line)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.name, err, tt.want)
		}
	}
	if _, err := Decode([]byte(`{"schema":3,"anything":"else"}`)); !errors.Is(err, errSchema) {
		t.Errorf("newer schema: error %v, want errSchema", err)
	}
	if _, err := Decode([]byte(`{"schema":2,"id":"k","status":"ok","at":{"a":1,"A":2}}`)); err != nil {
		t.Errorf("a line of another program without checksum: %v", err)
	}
}

// A checksum does not make a record of a line that is none: these are objects, without
// their last brace, to which a right checksum is added.
func TestDecodeWithChecksum(t *testing.T) {
	const head = `{"schema":2,"id":"0a"`
	const status = `,"repeat":0,"seed":1,"status":"ok"`
	const tail = status + `,"version":"","blas":""`
	for _, test := range []struct{ text, refused string }{
		{head + `,"reason":""` + status + `,"reason":"x","version":"","blas":""`, `duplicate object member name "reason"`},
		{head + `,"at":{"n":1,"n":1}` + tail, `duplicate object member name "n"`},
		{head + status + `,"metrics":{"a":NaN},"version":"","blas":""`, "invalid character 'N'"},
		{head + status + `,"metrics":{"a":1e999},"version":"","blas":""`, "1e999 into Go float64"},
		{head + status + `,"metrics":{"a":.5},"version":"","blas":""`, "invalid character '.'"},
		{head + status + `,"metrics":{"a":1`, "unexpected EOF"},
		{head + status + `,"metrics":{"a":1,"a":1},"version":"","blas":""`, `duplicate object member name "a"`},
		{head + `,"SEED":0` + tail, ""},
		{head + `,"schema":2` + tail, `duplicate object member name "schema"`},
		{head + `,"more":1,"more":1` + tail, `duplicate object member name "more"`},
		{head + `,"more":1` + tail, ""},
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
	f.Add([]byte(`{"schema":2,"id":"k","status":"failed","metrics":{"x":{"v":-0.0}},"crc":"4f5b8358"}`))
	f.Add([]byte(`,"crc":"4f5b8358"}`))
	f.Add([]byte(`{"schema":2,"id":"k","id":"l","status":"ok"}`))
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
