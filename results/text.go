package results

import (
	"fmt"
	"strings"
	"time"
)

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
