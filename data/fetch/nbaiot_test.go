package fetch

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mercer/data/files"
)

// traffic is a file of rows whose first number tells them apart: from, from+1, …
func traffic(from, rows, columns int) string {
	var b strings.Builder
	for c := range columns {
		fmt.Fprintf(&b, "%sMI_dir_L%d_weight", strings.Repeat(",", min(c, 1)), c)
	}
	b.WriteString("\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d%s\n", from+i, strings.Repeat(",2.5e-3", columns-1))
	}
	return b.String()
}

// tree writes files of the given texts.
func tree(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// zipped is the folder as a zip.
func zipped(t *testing.T, dir string) string {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "files.zip"))
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(out)
	if err := errors.Join(w.AddFS(os.DirFS(dir)), w.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Name()
}

var twoDevices = NBaIoT{Rows: 60, Devices: []string{"Danmini_Doorbell", "Samsung_SNH_1011_N_Webcam"}, Traffic: "benign"}

// byFolder has the names of the UCI archive, unpacked in part.
var byFolder = map[string]string{
	"Danmini_Doorbell/benign_traffic.csv":                traffic(1000, 200, 115),
	"Danmini_Doorbell/gafgyt_attacks.rar":                "packed",
	"Danmini_Doorbell/mirai_attacks/ack.csv":             traffic(2000, 50, 115),
	"Danmini_Doorbell/mirai_attacks/scan.csv":            traffic(3000, 50, 115),
	"Samsung_SNH_1011_N_Webcam/benign_traffic.csv":       traffic(7000, 30, 115),
	"Samsung_SNH_1011_N_Webcam/gafgyt_attacks/combo.csv": traffic(8000, 100, 115),
	"Ecobee_Thermostat/benign_traffic.csv":               "of no interest",
	"Danmini_Doorbell/demonstrate_structure.csv":         "of no interest",
	"readme.txt": "of no interest",
}

// byNumber has the same in numbered files.
var byNumber = map[string]string{
	"1.benign.csv": byFolder["Danmini_Doorbell/benign_traffic.csv"], "7.benign.csv": byFolder["Samsung_SNH_1011_N_Webcam/benign_traffic.csv"],
	"1.mirai.ack.csv": byFolder["Danmini_Doorbell/mirai_attacks/ack.csv"], "1.mirai.scan.csv": byFolder["Danmini_Doorbell/mirai_attacks/scan.csv"],
	"7.gafgyt.combo.csv": byFolder["Samsung_SNH_1011_N_Webcam/gafgyt_attacks/combo.csv"],
	"2.benign.csv":       "of no interest", "features.csv": "of no interest", "device_info.csv": "of no interest",
}

func loadNBaIoT(o NBaIoT, path string, seed uint64) (files.Table, error) {
	o.Path = path
	return LoadNBaIoT(context.Background(), o, LoadOptions{Options: Options{Log: io.Discard}}, rand.New(rand.NewPCG(seed, 1)))
}

// firsts are the first coordinates of a class's rows, sorted.
func firsts(t files.Table, class string) []float64 {
	var out []float64
	for i, name := range t.Names() {
		if name == class {
			out = append(out, t.Dense().At(i, 0))
		}
	}
	slices.Sort(out)
	return out
}

// TestNBaIoTSample: equal parts of each device without repeats, the same from
// folders, numbered files and a zip of either, another with another seed, and
// the classes mixed.
func TestNBaIoTSample(t *testing.T) {
	folder, numbers := tree(t, byFolder), tree(t, byNumber)
	want, err := loadNBaIoT(twoDevices, folder, 5)
	if err != nil {
		t.Fatal(err)
	}
	if want.Len() != 60 || want.Dim() != 115 || !slices.Equal(want.Classes, twoDevices.Devices) || len(want.Columns) != 115 || want.Columns[3] != "MI_dir_L3_weight" {
		t.Fatalf("%d×%d, classes %v, columns %v", want.Len(), want.Dim(), want.Classes, want.Columns)
	}
	bell, cam := firsts(want, "Danmini_Doorbell"), firsts(want, "Samsung_SNH_1011_N_Webcam")
	if len(bell) != 30 || len(slices.Compact(slices.Clone(bell))) != 30 || bell[0] < 1000 || bell[29] >= 1200 || bell[29] < 1100 {
		t.Errorf("rows of the doorbell: %v", bell)
	}
	if len(cam) != 30 || cam[0] != 7000 || cam[29] != 7029 {
		t.Errorf("rows of the webcam: %v", cam)
	}
	if slices.IsSorted(want.Labels) {
		t.Error("classes are not mixed")
	}
	if want.Dense().At(0, 114) != 2.5e-3 {
		t.Error("the last column is lost")
	}
	for _, path := range []string{numbers, zipped(t, folder), zipped(t, numbers), folder} {
		if got, err := loadNBaIoT(twoDevices, path, 5); err != nil || !slices.Equal(got.Dense().RawMatrix().Data, want.Dense().RawMatrix().Data) || !slices.Equal(got.Names(), want.Names()) {
			t.Errorf("%s: another sample (%v)", path, err)
		}
	}
	if other, err := loadNBaIoT(twoDevices, folder, 6); err != nil || slices.Equal(firsts(other, "Danmini_Doorbell"), bell) {
		t.Errorf("another seed gives the same rows (%v)", err)
	}
	o := twoDevices
	o.Traffic = "attacks"
	attacks, err := loadNBaIoT(o, folder, 5)
	if bell := firsts(attacks, "Danmini_Doorbell"); err != nil || bell[0] < 2000 || bell[29] < 3000 || bell[29] >= 3050 {
		t.Errorf("attacks: %v (%v)", bell, err)
	}
	o.Traffic = "all"
	all, err := loadNBaIoT(o, folder, 5)
	if cam := firsts(all, "Samsung_SNH_1011_N_Webcam"); err != nil || cam[0] >= 8000 || cam[29] < 8000 {
		t.Errorf("all traffic: %v (%v)", cam, err)
	}
}

// TestReservoirIsUniform: of 2000 samples of 30 in 200 rows each row is in 300 on
// average, with a standard deviation of √(2000·0.15·0.85) = 16; none of 200 is 5
// of these away but with probability 1.2e-4.
func TestReservoirIsUniform(t *testing.T) {
	var text strings.Builder
	text.WriteString(strings.Repeat("a,", 114) + "a\n")
	for i := range 200 {
		text.WriteString(fmt.Sprint(i) + strings.Repeat(",0", 114) + "\n")
	}
	dir := tree(t, map[string]string{"1.benign.csv": text.String()})
	counts := make([]int, 200)
	s := &nbaiotSample{ctx: context.Background(), tree: os.DirFS(dir), rng: rand.New(rand.NewPCG(3, 3))}
	for range 2000 {
		rows, err := s.reservoir("Danmini_Doorbell", []string{"1.benign.csv"}, 30)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			counts[int(row[0])]++
		}
	}
	for i, c := range counts {
		if math.Abs(float64(c-300)) > 5*16 {
			t.Errorf("row %d is in %d samples of 2000", i, c)
		}
	}
}

func TestNBaIoTRefuses(t *testing.T) {
	folder := tree(t, byFolder)
	change := func(f func(*NBaIoT)) NBaIoT {
		o := twoDevices
		f(&o)
		return o
	}
	with := func(text string) string {
		texts := map[string]string{}
		for n, s := range byNumber {
			texts[n] = s
		}
		texts["7.benign.csv"] = text
		return tree(t, texts)
	}
	right := traffic(7000, 30, 115)
	for _, test := range []struct {
		o    NBaIoT
		path string
		says string
	}{
		{change(func(o *NBaIoT) { o.Rows = 80 }), folder, "Samsung_SNH_1011_N_Webcam has 30 rows of benign traffic, and rows: 80 asks for 40 of each device; lower it to at most 60"},
		{change(func(o *NBaIoT) { o.Rows = 61 }), folder, "no equal number"},
		{change(func(o *NBaIoT) { o.Devices = []string{"Toaster", "Danmini_Doorbell"} }), folder, `no device "Toaster"; there are: Danmini_Doorbell`},
		{change(func(o *NBaIoT) { o.Devices = []string{"Danmini_Doorbell", "Danmini_Doorbell"} }), folder, "named twice"},
		{change(func(o *NBaIoT) { o.Devices = o.Devices[:1] }), folder, "two or more"},
		{change(func(o *NBaIoT) { o.Traffic = "none" }), folder, "benign, attacks or all"},
		{change(func(o *NBaIoT) { o.Devices = []string{"Danmini_Doorbell", "Ennio_Doorbell"} }), folder, "no CSV file of benign traffic of Ennio_Doorbell (3.*.csv, or Ennio_Doorbell/…)"},
		{change(func(o *NBaIoT) {
			o.Devices, o.Traffic = []string{"Danmini_Doorbell", "Ennio_Doorbell"}, "attacks"
		}), folder, "1 .rar files are still packed"},
		{twoDevices, filepath.Join(folder, "readme.txt"), "neither a folder nor a zip"},
		{twoDevices, filepath.Join(folder, "nowhere"), "no such file"},
		{twoDevices, with(traffic(7000, 30, 114)), "7.benign.csv:1: 114 columns, want 115"},
		{twoDevices, with(strings.Replace(right, "2.5e-3", "nan", 1)), `7.benign.csv:2: column 2: "nan" is no finite number`},
		{twoDevices, with(strings.Replace(right, "7001,", "7001,1,", 1)), "7.benign.csv:3: 116 columns"},
		{twoDevices, with(strings.Replace(right, "L3", "L4", 1)), "its columns are not those"},
	} {
		_, err := loadNBaIoT(test.o, test.path, 1)
		says(t, err, test.says)
	}
}

// TestNBaIoTOfTheUser: what lies in $MERCER_DATA/n-baiot is found; where nothing
// does, the message says what to do.
func TestNBaIoTOfTheUser(t *testing.T) {
	load := func(dir string) (files.Table, error) {
		return LoadNBaIoT(context.Background(), twoDevices, LoadOptions{Options: Options{DataDir: dir, CacheDir: t.TempDir(), Log: io.Discard}}, rand.New(rand.NewPCG(5, 1)))
	}
	_, err := load(t.TempDir())
	says(t, err, "cannot get the per-device CSV files", "no such folder, or empty", "UCI 442", "set MERCER_DATA=DIR", "115 numeric columns")
	if !errors.As(err, new(*Error)) {
		t.Errorf("a %T", err)
	}
	want, err := loadNBaIoT(twoDevices, tree(t, byNumber), 5)
	if err != nil {
		t.Fatal(err)
	}
	inFolder := map[string]string{}
	for name, text := range byFolder {
		inFolder["n-baiot/"+name] = text
	}
	archive, err := os.ReadFile(zipped(t, tree(t, byNumber)))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{tree(t, inFolder), tree(t, map[string]string{"n-baiot/nbaiot.zip": string(archive)})} {
		if got, err := load(dir); err != nil || !slices.Equal(got.Dense().RawMatrix().Data, want.Dense().RawMatrix().Data) || !slices.Equal(got.Names(), want.Names()) {
			t.Errorf("another sample (%v)", err)
		}
	}
	ready, err := load(tree(t, map[string]string{"n-baiot/n-baiot.csv": nbaiotFile(115)}))
	if err != nil || ready.Len() != 4 {
		t.Errorf("a ready file: %d rows (%v)", ready.Len(), err)
	}
}
