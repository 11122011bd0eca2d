package exec

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDecodeAnswer(t *testing.T) {
	got, err := DecodeAnswer([]byte(`{"points":"p.npy","coef":[[1,2.5],[-3e-1,4]],"values":[2,1],"centered":true,"offset":null,"iterations":7,` +
		`"warnings":["not  converged\nafter 7"],"seconds":{"gram":0.5,"solve":0}}` + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := Answer{
		Points: &Array{File: "p.npy"}, Coef: &Array{Matrix: [][]float64{{1, 2.5}, {-0.3, 4}}}, Values: &Array{Vector: []float64{2, 1}},
		Centered: true, Iterations: 7, Warnings: []string{"not converged after 7"}, Seconds: map[string]float64{"gram": 0.5, "solve": 0},
		Keys: []string{"points", "coef", "values", "centered", "iterations", "warnings", "seconds"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := got.Only("model: subspace", "points", "coef", "values", "centered"); err != nil {
		t.Error(err)
	}
	if err := got.Only("model: subspace", "points", "coef", "values"); err == nil || !strings.Contains(err.Error(), `key "centered" has no meaning for model: subspace`) {
		t.Errorf("error %v", err)
	}
}

var badAnswers = map[string]string{
	`[1]`:                             "is no JSON object",
	`null`:                            "is no JSON object",
	`"coef.npy"`:                      "is no JSON object",
	`{"coeff":"c.npy"}`:               `unknown key "coeff"; did you mean "coef"?`,
	`{"Coef":"c.npy"}`:                `unknown key "Coef"`,
	`{"coef":"a.npy","coef":"b.npy"}`: `has the key "coef" twice`,
	`{"coef":null,"coef":"b.npy"}`:    `has the key "coef" twice`,
	`{"coef":"a.npy"} {}`:             "goes on after the JSON object",
	`{"coef":"a.npy"`:                 "is cut short",
	`{"coef":[[1,2],[`:                "is cut short",
	`{"coef":[[1,NaN]]}`:              "is no JSON",
	`{coef:1}`:                        "is no JSON",
	`{"coef":3}`:                      `"coef": must be the name of a .npy file, a list of numbers, or a list of rows`,
	`{"coef":""}`:                     `"coef": an empty file name`,
	`{"coef":[]}`:                     `"coef": an array without numbers`,
	`{"coef":[[]]}`:                   `"coef": an array without numbers`,
	`{"coef":[[1],[2,3]]}`:            `"coef": row 1 has 2 numbers, row 0 has 1`,
	`{"values":[1,null]}`:             `"values": number 1 is null: not a finite number`,
	`{"coef":[[1],[null]]}`:           `number 0 is null`,
	`{"values":[1e999]}`:              `"values": must be`,
	`{"values":["1"]}`:                `"values": must be`,
	`{"centered":1}`:                  `"centered" must be true or false`,
	`{"iterations":1.5}`:              `"iterations" must be a whole number`,
	`{"iterations":-1}`:               "iterations is -1",
	`{"seconds":[1]}`:                 `"seconds" must be seconds by phase`,
	`{"seconds":{"Gram":1}}`:          `phase "Gram" of seconds`,
	`{"seconds":{"total":1}}`:         `phase "total" of seconds`,
	`{"seconds":{"gram":-1}}`:         `phase "gram" took -1 seconds`,
	`{"warnings":[` + strings.Repeat(`"w",`, 20) + `"w"]}`: "21 warnings",
}

func TestDecodeAnswerFails(t *testing.T) {
	for text, says := range badAnswers {
		if _, err := DecodeAnswer([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want one that says %q", text, err, says)
		}
	}
}

// FuzzDecodeAnswer: whatever is printed, there is an answer of finite numbers in
// rectangular arrays, or an error.
func FuzzDecodeAnswer(f *testing.F) {
	f.Add([]byte(answered))
	f.Add([]byte(`{"labels":[0,1],"centers":[[1,2]],"isometric":false,"seconds":{"a":1e3},"warnings":["x"]}` + "\r\n"))
	for text := range badAnswers {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, printed []byte) {
		a, err := DecodeAnswer(printed)
		if err != nil {
			return
		}
		for _, array := range []*Array{a.Points, a.Indices, a.Coef, a.Values, a.Offset, a.Labels, a.Centers, a.CenterCoef} {
			if array == nil {
				continue
			}
			forms := 0
			for _, given := range []bool{array.File != "", array.Vector != nil, array.Matrix != nil} {
				if given {
					forms++
				}
			}
			if forms != 1 {
				t.Fatalf("an array of %d forms: %+v", forms, array)
			}
			for _, row := range append(array.Matrix, array.Vector) {
				for _, v := range row {
					if math.IsNaN(v) || math.IsInf(v, 0) {
						t.Fatalf("number %v", v)
					}
				}
			}
			for _, row := range array.Matrix {
				if len(row) == 0 || len(row) != len(array.Matrix[0]) {
					t.Fatalf("rows of %d and %d numbers", len(array.Matrix[0]), len(row))
				}
			}
		}
	})
}

// TestReadLines: lines come one by one, without their ends; a long one is an error and
// the last.
func TestReadLines(t *testing.T) {
	lines := make(chan line)
	long := strings.Repeat("x", maxAnswer)
	go readLines(strings.NewReader("one\r\n\n"+long[1:]+"\n"+long+"\nlost"), lines)
	for _, want := range []string{"one", "", long[1:]} {
		if got := <-lines; string(got.text) != want || got.err != nil {
			t.Errorf("a line of %d bytes and the error %v, want %d bytes", len(got.text), got.err, len(want))
		}
	}
	if got := <-lines; got.err == nil || !strings.Contains(got.err.Error(), "more than 4 MiB on standard output") {
		t.Errorf("error %v", got.err)
	}
	if _, more := <-lines; more {
		t.Error("a line after one that is too long")
	}
}

// TestTail: the end of what is written is kept, the mark is not, whether it comes in one
// piece or in several.
func TestTail(t *testing.T) {
	for _, step := range []int{1, 7, 1 << 20} {
		tail := newTail()
		for rest := append(bytes.Repeat([]byte("x"), 2*maxStderr), endMark...); len(rest) > 0; rest = rest[min(step, len(rest)):] {
			if _, err := tail.Write(rest[:min(step, len(rest))]); err != nil {
				t.Fatal(err)
			}
		}
		select {
		case <-tail.marked:
		default:
			t.Errorf("written %d bytes at a time: the mark is not seen", step)
		}
		if text := tail.text("/scratch"); strings.Trim(text, "x… ") != "" || len(text) > maxStderr+len("… ") || len(text) < maxStderr-len(endMark) {
			t.Errorf("written %d bytes at a time: %d bytes are kept: …%q", step, len(text), text[max(0, len(text)-50):])
		}
	}
}

const answered = `{"values":[1],"coef":[[1],[2]]}`
