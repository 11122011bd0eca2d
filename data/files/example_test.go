package files_test

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
)

func ExampleOpener_ReadCSV() {
	text := "width,height,kind\n1,2,b\n3,4,a\n5,6,b\n"
	t, err := files.Opener{}.ReadCSV(strings.NewReader(text), "boxes.csv", files.CSVOptions{Header: "auto", Label: "kind", Comma: "auto"})
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

func ExampleOpener_ReadCSV_mistake() {
	_, err := files.Opener{}.ReadCSV(strings.NewReader("1,2\n3,four\n"), "boxes.csv", files.DefaultCSV)
	fmt.Println(err)
	// Output: boxes.csv:2:3: "four": not a number
}
