package results

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"mercer/internal/sizes"
)

// WriteParquet writes the table of [WriteCSV] as a Parquet file, compressed by
// Snappy: n, m, d, ell, k and repeat are int64, value and the further grid
// variables float64, the rest strings. What is empty there is null here.
func WriteParquet(w io.Writer, run Run, o CSVOptions) error {
	further := furtherVariables(run.Manifest)
	schema := parquet.NewSchema("records", tableOf(further))
	out := parquet.NewGenericWriter[any](w, schema, parquet.Compression(&parquet.Snappy))
	records := Sorted(run.Records, run.Manifest.Variables)
	var err error
	var rows []parquet.Row
	for i := 0; i < len(records) && err == nil; i++ {
		rows = rows[:0]
		for _, texts := range csvRows(records[i], further, o) {
			row := make(parquet.Row, len(texts))
			for column, text := range texts {
				value, valueErr := parquetValue(columnKind(column), text)
				err = cmp.Or(err, valueErr)
				row[column] = value.Level(0, present(text), column)
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

// table is a group of columns in an order of its own; the library's has that of
// their names.
type table struct {
	parquet.Group
	columns []string
}

func tableOf(further []string) table {
	t := table{Group: parquet.Group{}, columns: slices.Concat(csvColumns, further)}
	for column, name := range t.columns {
		node := parquet.String()
		switch columnKind(column) {
		case parquet.Int64:
			node = parquet.Leaf(parquet.Int64Type)
		case parquet.Double:
			node = parquet.Leaf(parquet.DoubleType)
		}
		t.Group[name] = parquet.Optional(node)
	}
	return t
}

// Fields are the columns, first to last.
func (t table) Fields() []parquet.Field {
	fields := t.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int {
		return slices.Index(t.columns, a.Name()) - slices.Index(t.columns, b.Name())
	})
	return fields
}

// columnKind is the type of a column of the tidy table.
func columnKind(column int) parquet.Kind {
	switch {
	case column >= len(csvColumns) || csvColumns[column] == "value":
		return parquet.Double
	case sizes.Is(csvColumns[column]) || csvColumns[column] == "repeat":
		return parquet.Int64
	}
	return parquet.ByteArray
}

// present is the definition level of a value: 0 for null.
func present(text string) int { return min(1, len(text)) }

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
