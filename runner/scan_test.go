package runner

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

func TestScan(t *testing.T) {
	file := os.Getenv("SCAN")
	if file == "" {
		t.Skip()
	}
	text, _ := os.ReadFile(file)
	for _, line := range strings.Split(string(text), "\n") {
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "|")
		for len(f) < 5 {
			f = append(f, "")
		}
		s := scanSpec(strings.TrimSpace(f[1]), strings.TrimSpace(f[2]), strings.TrimSpace(f[3]), strings.TrimSpace(f[4]))
		begun := time.Now()
		p := measure(t, s)
		fmt.Printf("%-28s est %7.1f peak %7.1f ratio %.2f  %.2gs %s\n", f[0], float64(p.Estimate)/1e6, float64(p.Grown)/1e6, float64(p.Estimate)/float64(p.Grown), time.Since(begun).Seconds(), p.Problem)
	}
}

func scanSpec(data, grid, method, measures string) string {
	if data == "" {
		data = "use: sphere, d: 20"
	}
	if measures == "" {
		measures = "rank"
	}
	kernel := "kernels: [{id: rbf, use: gaussian, form: sigma-squared, sigma: 1}]"
	if strings.HasPrefix(data, "use: series") {
		kernel = ""
	}
	return fmt.Sprintf("name: peak\nseed: 1\nrepeats: 1\ndatasets: [{id: x, %s}]\n%s\ngrid: {%s}\nmethods: [{id: a, %s}]\nmeasure: [%s]\n", data, kernel, grid, method, measures)
}
