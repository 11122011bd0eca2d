package data

import (
	"strings"
	"testing"
)

// TestPathsStayInside tries what a path of a spec could do to get out.
func TestPathsStayInside(t *testing.T) {
	for _, tt := range []struct{ path, want string }{
		{"x.csv", ""}, {"a/b/x.csv", ""}, {"a/../x.csv", ""}, {"./x.csv", ""}, {"..x.csv", ""}, {"a b/Ω.csv", ""},
		{"../x.csv", "leads out"}, {"a/../../x.csv", "leads out"}, {"..", "leads out"}, {"/etc/passwd", "leads out"}, {"//host/x", "leads out"},
		{`..\x.csv`, "backslash"}, {`C:\x.csv`, "backslash"}, {"C:/x.csv", "leads out"}, {"c:x.csv", "leads out"}, {`\\host\x`, "backslash"},
		{"x.csv\x00.png", "zero byte"}, {strings.Repeat("a/", 600) + "x", "1201 bytes long"},
	} {
		for kind, options := range map[string]Options{
			"csv":        &CSVOptions{Path: tt.path, Header: "auto", Label: "none"},
			"idx":        &ArrayOptions{Path: tt.path},
			"idx labels": &ArrayOptions{Path: "x", Labels: tt.path},
		} {
			err := options.Validate()
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%s: %q: %v, want %q", kind, tt.path, err, tt.want)
			}
		}
	}
}
