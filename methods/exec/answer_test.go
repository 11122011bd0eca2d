package exec

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/mat"
)

// keys are all that an answer may have.
var keys = append(slices.Sorted(maps.Keys(dimensions)), "centered", "isometric", "map", "assign", "predict")

// read decodes an answer with its arrays, in files of a scratch directory or as it has them.
func read(line string, s *Scratch) (Answer, error) {
	a, err := decode([]byte(line), keys)
	if err == nil {
		err = a.read(s)
	}
	return a, err
}

func TestAnswer(t *testing.T) {
	got, err := read(`{"points":[[1],[2]],"coef":[[1,2.5],[-3e-1,4]],"values":[2,1],"centered":true,"offset":null,"iterations":7,`+
		`"warnings":["not  converged\nafter 7"],"seconds":{"gram":0.5,"solve":0}}`+"\r\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := Answer{
		Arrays: map[string]*mat.Dense{"points": mat.NewDense(2, 1, []float64{1, 2}), "coef": mat.NewDense(2, 2, []float64{1, 2.5, -0.3, 4}), "values": mat.NewDense(2, 1, []float64{2, 1})},
		Says:   map[string]bool{"centered": true}, Iterations: 7, Warnings: []string{"not converged after 7"}, Seconds: map[string]float64{"gram": 0.5, "solve": 0},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Answer{}), cmp.Comparer(func(a, b *mat.Dense) bool { return mat.Equal(a, b) })); diff != "" {
		t.Error(diff)
	}
	if _, err := decode([]byte(`{"centered":true}`), []string{"coef"}); err == nil || !strings.Contains(err.Error(), `unknown key "centered"; known: coef`) {
		t.Errorf("error %v", err)
	}
}

var badAnswers = map[string]string{
	`[1]`:                             "is no JSON object",
	`null`:                            "is no JSON object",
	`"coef.npy"`:                      "is no JSON object",
	`{"coeff":"c.npy"}`:               `unknown key "coeff"; did you mean "coef"?`,
	`{"Coef":"c.npy"}`:                `unknown key "Coef"`,
	`{"coef":"a.npy","coef":"b.npy"}`: `duplicate object member name "coef"`,
	`{"coef":null,"coef":"b.npy"}`:    `duplicate object member name "coef"`,
	`{"coef":"a.npy"} {}`:             "after top-level value",
	`{"coef":"a.npy"`:                 "unexpected EOF",
	`{"coef":[[1,2],[`:                "unexpected EOF",
	`{"coef":[[1,NaN]]}`:              "invalid character 'N'",
	`{coef:1}`:                        "invalid character 'c'",
	`{"coef":3}`:                      "coef: must be the name of a .npy file, or a list of rows of numbers",
	`{"coef":[1]}`:                    "coef: must be the name of a .npy file, or a list of rows of numbers",
	`{"values":[[1]]}`:                "values: must be the name of a .npy file, or a list of numbers",
	`{"coef":""}`:                     `coef: file "": the path must be relative`,
	`{"coef":[]}`:                     "coef: an array without numbers",
	`{"coef":[[]]}`:                   "coef: an array without numbers",
	`{"coef":[[1],[2,3]]}`:            "coef: row 1 has 2 numbers, row 0 has 1",
	`{"values":[1,null]}`:             "values: null is no finite number",
	`{"coef":[[1],[null]]}`:           "coef: null is no finite number",
	`{"coef":[[1],null]}`:             "coef: null is no finite number",
	`{"values":[1e999]}`:              "values: must be",
	`{"values":["1"]}`:                "values: must be",
	`{"centered":1}`:                  `"centered" must be true or false`,
	`{"iterations":1.5}`:              `"iterations" must be a whole number`,
	`{"iterations":-1}`:               "iterations is -1",
	`{"seconds":[1]}`:                 `"seconds" must be seconds by phase`,
	`{"seconds":{"Gram":1}}`:          `phase "Gram" of seconds`,
	`{"seconds":{"total":1}}`:         `phase "total" of seconds`,
	`{"seconds":{"gram":-1}}`:         `phase "gram" took -1 seconds`,
	`{"indices":[0],"points":[[0]]}`:  "points excludes indices",
	`{"map":true,"coef":[[1]]}`:       "map excludes coef",
	`{"warnings":[` + strings.Repeat(`"w",`, 20) + `"w"]}`: "21 warnings",
}

func TestBadAnswers(t *testing.T) {
	for text, says := range badAnswers {
		if _, err := read(text, nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want one that says %q", text, err, says)
		}
	}
}

// TestShapes: an array of another shape than is asked for is refused.
func TestShapes(t *testing.T) {
	a, err := read(`{"coef":[[1,2]],"labels":[0,2,1],"values":[-1,0.5]}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	if x, err := a.Array("coef", 0, 2); err != nil || x.At(0, 1) != 2 {
		t.Errorf("%v, error %v", x, err)
	}
	if labels, err := a.Integers("labels", 3, 3); err != nil || !slices.Equal(labels, []int{0, 2, 1}) {
		t.Errorf("labels %v, error %v", labels, err)
	}
	fails := func(err error, says string) {
		t.Helper()
		if err == nil || err.Error() != says {
			t.Errorf("error %v, want %q", err, says)
		}
	}
	_, err = a.Array("centers", 1, 2)
	fails(err, "answer: centers is missing")
	_, err = a.Array("coef", 3, 0)
	fails(err, "coef: an array of 1×2: want 3×any")
	_, err = a.Vector("values", 3)
	fails(err, "values: an array of 2×1: want 3×1")
	_, err = a.Integers("labels", 3, 2)
	fails(err, "labels: number 1 is 2: want whole numbers from 0 to 1")
	_, err = a.Integers("values", 2, 2)
	fails(err, "values: number 0 is -1: want whole numbers from 0 to 1")
}

// FuzzAnswer: whatever is printed, there is an answer of finite numbers, or an error.
func FuzzAnswer(f *testing.F) {
	f.Add(answered)
	f.Add(`{"labels":[0,1],"centers":[[1,2]],"isometric":false,"seconds":{"a":1e3},"warnings":["x"]}` + "\r\n")
	for text := range badAnswers {
		f.Add(text)
	}
	s, err := NewScratch()
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = s.Remove() })
	f.Fuzz(func(t *testing.T, printed string) {
		a, err := read(printed, s)
		if err != nil {
			return
		}
		for key, array := range a.Arrays {
			if norm := mat.Norm(array, math.Inf(1)); math.IsNaN(norm) {
				t.Fatalf("%s: %v", key, mat.Formatted(array))
			}
			if _, columns := array.Dims(); dimensions[key] == 1 && columns != 1 {
				t.Fatalf("%s: %d columns", key, columns)
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
