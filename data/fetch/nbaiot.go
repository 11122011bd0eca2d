package fetch

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
	"mercer/internal/regular"
)

// nbaiotDevices are the nine devices by the names of their folders in the UCI
// archive, in the order in which the per-device CSV files of Kaggle number them.
var nbaiotDevices = []string{
	"Danmini_Doorbell", "Ecobee_Thermostat", "Ennio_Doorbell", "Philips_B120N10_Baby_Monitor", "Provision_PT_737E_Security_Camera",
	"Provision_PT_838_Security_Camera", "Samsung_SNH_1011_N_Webcam", "SimpleHome_XCS7_1002_WHT_Security_Camera", "SimpleHome_XCS7_1003_WHT_Security_Camera",
}

// NBaIoT says which rows of the N-BaIoT files make the data set.
//
// Reference: [KJL, Table 2]: 40,000 rows of 5 devices, which the paper does not
// name. Deviation: nine devices were recorded, of five kinds (doorbell,
// thermostat, baby monitor, security camera, webcam); by default it is the first
// of each kind, in equal parts, and benign traffic alone, all of which are
// choices made here.
type NBaIoT struct {
	Path    string   `yaml:"path" doc:"folder or zip of the published CSV files, one or more for each device; default: n-baiot in $MERCER_DATA, or a ready file n-baiot.csv there"`
	Rows    int      `yaml:"rows" min:"2" doc:"total number of rows, the same for each device (default 40000)"`
	Devices []string `yaml:"devices" doc:"names as in the UCI archive, such as Danmini_Doorbell; the classes (default: the first of each of the five kinds)"`
	Traffic string   `yaml:"traffic" enum:"benign,attacks,all" doc:"benign (default), attacks (gafgyt and mirai) or all"`
}

// DefaultNBaIoT is the first device of each kind, 40,000 rows of benign traffic.
var DefaultNBaIoT = NBaIoT{
	Rows: 40000, Traffic: "benign",
	Devices: []string{nbaiotDevices[0], nbaiotDevices[1], nbaiotDevices[3], nbaiotDevices[4], nbaiotDevices[6]},
}

// Validate says what is wrong with the options.
func (o NBaIoT) Validate() error {
	var wrong []error
	seen := map[string]bool{}
	for _, d := range o.Devices {
		if !slices.Contains(nbaiotDevices, d) {
			wrong = append(wrong, fmt.Errorf("devices: no device %q; there are: %s", d, strings.Join(nbaiotDevices, ", ")))
		}
		if seen[d] {
			wrong = append(wrong, fmt.Errorf("devices: %s is named twice", d))
		}
		seen[d] = true
	}
	if len(o.Devices) < 2 {
		wrong = append(wrong, fmt.Errorf("devices: %d; want two or more, they are the classes", len(o.Devices)))
	} else if o.Rows < len(o.Devices) || o.Rows%len(o.Devices) != 0 {
		wrong = append(wrong, fmt.Errorf("rows: %d are no equal number of each of %d devices", o.Rows, len(o.Devices)))
	}
	if !slices.Contains([]string{"benign", "attacks", "all"}, o.Traffic) {
		wrong = append(wrong, fmt.Errorf("traffic: %q; want benign, attacks or all", o.Traffic))
	}
	return errors.Join(wrong...)
}

const nbaiotColumns = 115

// LoadNBaIoT draws the sample: the class of a row is its device, each device has
// the same number of rows, drawn without replacement and uniformly over its
// files, in one pass that holds no other rows (reservoir sampling); then all rows
// are put in random order. The same stream and files give the same sample.
//
// Names of files are those of Kaggle (1.benign.csv … 9.mirai.udp.csv, also in
// other folders) or of the UCI archive with its .rar files unpacked
// (Danmini_Doorbell/benign_traffic.csv, Danmini_Doorbell/mirai_attacks/ack.csv),
// in a folder or a zip; other files are passed over.
//
// It fails with an *Error where there are no such files, and with another error
// where a device has none, or too few rows, or rows that are not 115 finite
// numbers. Cost: a pass over the files of these devices, some seconds of each GB,
// and 920 bytes a row.
func LoadNBaIoT(ctx context.Context, o NBaIoT, fo LoadOptions, rng *rand.Rand) (files.Table, error) {
	if err := o.Validate(); err != nil {
		return files.Table{}, err
	}
	from := o.Path
	if from == "" {
		ready, dir, err := nbaiotPlace(fo.Options)
		if err != nil {
			return files.Table{}, err
		}
		if ready {
			train, _, err := Load(ctx, "n-baiot", fo)
			return train, err
		}
		from = dir
	}
	tree, closer, err := openTree(from)
	if err != nil {
		return files.Table{}, err
	}
	defer closer.Close()
	s := &nbaiotSample{NBaIoT: o, ctx: ctx, tree: tree, rng: rng, columns: nil}
	found, err := s.find()
	if err != nil {
		return files.Table{}, fmt.Errorf("%s: %w", from, err)
	}
	table, err := s.draw(found)
	if err != nil {
		return files.Table{}, fmt.Errorf("%s: %w", from, err)
	}
	return table, nil
}

// nbaiotPlace is where the user's files are: a ready file, or a folder or zip.
func nbaiotPlace(o Options) (ready bool, place string, err error) {
	advice := "this data set cannot be fetched without an unpacker for .rar files. Get the archive (UCI 442, detection of IoT botnet attacks N-BaIoT, or its copy of per-device CSV files on Kaggle), " +
		"put the CSV files, in their folders or as one zip, into DIR/n-baiot and set MERCER_DATA=DIR, or give path. Of the UCI archive, benign traffic is ready; its .rar files must be unpacked for attacks. " +
		"A file " + nbaiot + " of your own there is taken as it is: 115 numeric columns and a last one named device, with a header line"
	missing := &Error{Name: "n-baiot", Missing: []string{"the per-device CSV files"}, Advice: advice}
	data := o.dataDir()
	if data == "" {
		missing.Attempts = []Attempt{{"$MERCER_DATA", errors.New("not set")}}
		return false, "", missing
	}
	dir := filepath.Join(data, "n-baiot")
	if _, err := os.Stat(filepath.Join(dir, nbaiot)); err == nil {
		return true, "", nil
	}
	zips, _ := filepath.Glob(filepath.Join(dir, "*.zip"))
	if len(zips) == 1 {
		return false, zips[0], nil
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) == 0 {
		missing.Attempts = []Attempt{{"$MERCER_DATA (" + dir + ")", errors.New("no such folder, or empty")}}
		return false, "", missing
	}
	return false, dir, nil
}

// openTree opens a folder or a zip.
func openTree(name string) (fs.FS, io.Closer, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	if info.IsDir() {
		return os.DirFS(name), io.NopCloser(nil), nil
	}
	archive, err := zip.OpenReader(name)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: neither a folder nor a zip: %w", name, err)
	}
	return archive, archive, nil
}

// nbaiotSample is the drawing of a sample.
type nbaiotSample struct {
	NBaIoT
	ctx     context.Context
	tree    fs.FS
	rng     *rand.Rand
	columns []string // of the first file's header
}

var kaggleName = regexp.MustCompile(`^([1-9])\.(benign|gafgyt|mirai)(\.[a-z]+)?\.csv$`)

// find are the files of each device, in the order of their names.
func (s *nbaiotSample) find() (map[string][]string, error) {
	found, packed := map[string][]string{}, 0
	err := fs.WalkDir(s.tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if strings.HasSuffix(name, ".rar") {
			packed++
		}
		device, benign := deviceOf(name)
		if slices.Contains(s.Devices, device) && (s.Traffic == "all" || benign == (s.Traffic == "benign")) {
			found[device] = append(found[device], name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, device := range s.Devices {
		if len(found[device]) > 0 {
			slices.Sort(found[device])
			continue
		}
		why := fmt.Sprintf("no CSV file of %s traffic of %s (%d.*.csv, or %s/…)", s.Traffic, device, slices.Index(nbaiotDevices, device)+1, device)
		if packed > 0 && s.Traffic != "benign" {
			why += fmt.Sprintf("; %d .rar files are still packed: unpack them where they are", packed)
		}
		return nil, errors.New(why)
	}
	return found, nil
}

// deviceOf is the device that a file is about, empty for none, and whether its
// traffic is benign.
func deviceOf(name string) (device string, benign bool) {
	base := path.Base(name)
	if m := kaggleName.FindStringSubmatch(base); m != nil {
		number, _ := strconv.Atoi(m[1])
		return nbaiotDevices[number-1], m[2] == "benign"
	}
	if path.Ext(base) != ".csv" {
		return "", false
	}
	folders := strings.Split(path.Dir(name), "/")
	for _, d := range nbaiotDevices {
		at := slices.Index(folders, d)
		if at < 0 {
			continue
		}
		inside := strings.Join(folders[at+1:], "/")
		switch {
		case inside == "" && base == "benign_traffic.csv":
			return d, true
		case strings.HasPrefix(inside, "gafgyt_attacks"), strings.HasPrefix(inside, "mirai_attacks"):
			return d, false
		}
	}
	return "", false
}

// draw samples every device and mixes the rows.
func (s *nbaiotSample) draw(found map[string][]string) (files.Table, error) {
	quota := s.Rows / len(s.Devices)
	all, device := make([][]float64, 0, s.Rows), make([]string, 0, s.Rows)
	for _, d := range s.Devices {
		rows, err := s.reservoir(d, found[d], quota)
		if err != nil {
			return files.Table{}, err
		}
		for _, row := range rows {
			all, device = append(all, row), append(device, d)
		}
	}
	s.rng.Shuffle(len(all), func(i, j int) { all[i], all[j], device[i], device[j] = all[j], all[i], device[j], device[i] })
	x := mat.NewDense(len(all), nbaiotColumns, nil)
	for i, row := range all {
		x.SetRow(i, row)
	}
	table := files.WithClasses(files.DensePool{X: x}, device)
	table.Columns = s.columns
	return table, nil
}

// reservoir are quota rows of a device's files, each set of as many equally
// likely.
//
// Reference: Vitter, Random sampling with a reservoir, ACM TOMS 1985, algorithm R.
func (s *nbaiotSample) reservoir(device string, names []string, quota int) ([][]float64, error) {
	kept, seen := make([][]float64, 0, quota), 0
	for _, name := range names {
		err := s.lines(name, func(number int, line []byte) error {
			place := len(kept)
			if seen++; place == quota {
				if place = s.rng.IntN(seen); place >= quota {
					return nil
				}
			}
			row, err := nbaiotRow(line)
			if err != nil {
				return fmt.Errorf("%s:%d: %w", name, number, err)
			}
			if place == len(kept) {
				kept = append(kept, row)
			} else {
				kept[place] = row
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if seen < quota {
		return nil, fmt.Errorf("%s has %d rows of %s traffic, and rows: %d asks for %d of each device; lower it to at most %d", device, seen, s.Traffic, s.Rows, quota, seen*len(s.Devices))
	}
	return kept, nil
}

// lines calls f with each line of a file below its header.
func (s *nbaiotSample) lines(name string, f func(number int, line []byte) error) error {
	info, err := fs.Stat(s.tree, name)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is a %s: want a regular file", name, regular.Kind(info.Mode()))
	}
	if err != nil {
		return err
	}
	in, err := s.tree.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	scanner := bufio.NewScanner(reader{s.ctx, in})
	scanner.Buffer(make([]byte, 1<<16), 1<<20)
	number := 0
	for scanner.Scan() {
		line := bytes.TrimSpace(scanner.Bytes())
		switch number++; {
		case len(line) == 0:
		case number > 1:
			if err := f(number, line); err != nil {
				return err
			}
		default:
			if err := s.header(name, string(line)); err != nil {
				return err
			}
		}
	}
	if err := scanner.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// header checks the first line of a file: the same 115 names in all files.
func (s *nbaiotSample) header(name, line string) error {
	columns := strings.Split(strings.TrimPrefix(line, "\ufeff"), ",")
	for i := range columns {
		columns[i] = strings.Trim(strings.TrimSpace(columns[i]), `"`)
	}
	switch {
	case len(columns) != nbaiotColumns:
		return fmt.Errorf("%s:1: %d columns, want %d", name, len(columns), nbaiotColumns)
	case s.columns == nil:
		s.columns = columns
	case !slices.Equal(s.columns, columns):
		return fmt.Errorf("%s:1: its columns are not those of the files before it", name)
	}
	if _, err := strconv.ParseFloat(columns[0], 64); err == nil {
		return fmt.Errorf("%s:1: numbers, where the published files have a line of column names", name)
	}
	return nil
}

// nbaiotRow reads a line of 115 numbers.
func nbaiotRow(line []byte) ([]float64, error) {
	row := make([]float64, 0, nbaiotColumns)
	for cell := range bytes.SplitSeq(line, []byte(",")) {
		v, err := strconv.ParseFloat(string(bytes.TrimSpace(cell)), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("column %d: %q is no finite number", len(row)+1, cell)
		}
		row = append(row, v)
	}
	if len(row) != nbaiotColumns {
		return nil, fmt.Errorf("%d columns, want %d", len(row), nbaiotColumns)
	}
	return row, nil
}
