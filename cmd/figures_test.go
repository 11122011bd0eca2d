package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// figureExperiments are those of the papers' figures and the studies beside them;
// the Makefile's FIGURES are the same.
var figureExperiments = []string{"kjl-fig1", "kjl-table2", "kjl-fig2", "skp-fig2", "skp-lifts", "kkm-fig1", "kkm-fig2", "comparative", "rpcholesky-paper"}

// TestFiguresOfMakefile: the Makefile makes the figures that are tested here.
func TestFiguresOfMakefile(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join("..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "FIGURES = " + strings.Join(figureExperiments, " ") + "\n"; !strings.Contains(string(makefile), want) {
		t.Errorf("the Makefile does not have %q", want)
	}
}
