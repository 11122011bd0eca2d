package files_test

import (
	"fmt"
	"os"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
)

func ExampleOpener_LoadCSV() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "boxes.csv")
	if err := os.WriteFile(path, []byte("width,height,kind\n1,2,b\n3,4,a\n5,6,b\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}

	t, err := files.Opener{}.LoadCSV(path, files.CSVOptions{Header: "auto", Label: "kind", Comma: "auto"})
	if err != nil {
		fmt.Println(err)
		return
	}
	var x mat.Dense
	t.X.Rows([]int{2, 0}, &x)
	fmt.Println(t.Len(), t.Dim(), t.Columns, t.Classes, t.Labels)
	fmt.Println(mat.Formatted(&x))
	// Output:
	// 3 2 [width height] [a b] [1 0 1]
	// ⎡5  6⎤
	// ⎣1  2⎦
}
