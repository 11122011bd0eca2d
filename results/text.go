package results

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// FormatFloat writes v in the shortest form that reads back bit for bit,
// without an exponent for everyday sizes.
func FormatFloat(v float64) string {
	if v == float64(int64(v)) && v > -1e15 && v < 1e15 && (v != 0 || 1/v > 0) {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// instant brings an RFC 3339 time into a form that sorts as text; what is no
// time sorts first.
func instant(started string) string {
	t, err := time.Parse(time.RFC3339, started)
	if err != nil {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000000000Z")
}

// joinSome joins up to limit names and counts the rest.
func joinSome(names []string, limit int) string {
	if len(names) <= limit {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:limit], ", "), len(names)-limit)
}
