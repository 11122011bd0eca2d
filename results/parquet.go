package results

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// WriteParquet writes the table of [WriteCSV] as a Parquet file, compressed by Snappy: text
// columns are strings, repeat is int64, value and the other columns are float64. What is
// empty there is null here.
func WriteParquet(w io.Writer, run Run, o TableOptions) error {
	names, kinds := header(run), kindsOf(run)
	t := table{Group: parquet.Group{}, columns: names}
	for i, name := range names {
		node := parquet.String()
		switch kinds[i] {
		case parquet.Int64:
			node = parquet.Leaf(parquet.Int64Type)
		case parquet.Double:
			node = parquet.Leaf(parquet.DoubleType)
		}
		t.Group[name] = parquet.Optional(node)
	}

	out := parquet.NewGenericWriter[any](w, parquet.NewSchema("rows", t), parquet.Compression(&parquet.Snappy))
	var err error
	for i := 0; i < len(run.Rows) && err == nil; i++ {
		var rows []parquet.Row
		for _, texts := range run.lines(&run.Rows[i], o) {
			row := make(parquet.Row, len(texts))
			for column, text := range texts {
				value, valueErr := parquetValue(kinds[column], text)
				err = cmp.Or(err, valueErr)
				row[column] = value.Level(0, min(1, len(text)), column) // level 0 is null
			}
			rows = append(rows, row)
		}
		if err == nil {
			_, err = out.WriteRows(rows)
		}
	}
	if err = cmp.Or(err, out.Close()); err != nil {
		return fmt.Errorf("results: write Parquet: %w", err)
	}
	return nil
}

// table is a group of columns in an order of its own; the library's has that of their names.
type table struct {
	parquet.Group
	columns []string
}

// Fields are the columns, first to last.
func (t table) Fields() []parquet.Field {
	fields := t.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int {
		return slices.Index(t.columns, a.Name()) - slices.Index(t.columns, b.Name())
	})
	return fields
}

// kindsOf are the types of the columns of the exported table.
func kindsOf(run Run) []parquet.Kind {
	var kinds []parquet.Kind
	for _, column := range run.Catalog.Columns {
		text := column.Texts != nil || column.Name == "dataset" || column.Name == "kernel" || column.Name == "method"
		kinds = append(kinds, parquet.Double)
		if text {
			kinds[len(kinds)-1] = parquet.ByteArray
		}
	}
	return append(kinds, parquet.Int64, parquet.ByteArray, parquet.Double, parquet.ByteArray, parquet.ByteArray)
}

func parquetValue(kind parquet.Kind, text string) (parquet.Value, error) {
	if text == "" {
		return parquet.NullValue(), nil
	}
	switch kind {
	case parquet.Int64:
		v, err := strconv.ParseInt(text, 10, 64)
		return parquet.Int64Value(v), err
	case parquet.Double:
		v, err := strconv.ParseFloat(text, 64)
		return parquet.DoubleValue(v), err
	}
	return parquet.ByteArrayValue([]byte(text)), nil
}
