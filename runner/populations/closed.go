package populations

import (
	"fmt"
	"strconv"
	"strings"

	"mercer/configs"
	"mercer/configs/source"
)

// ClosedForm is a spec with one data set, whose population has a closed form:
// series:power=A, series:exponential=R or gaussian:sigma=S,std=S.
func ClosedForm(text string) (*configs.Spec, error) {
	kind, list, _ := strings.Cut(text, ":")
	var law, keys []string
	for word := range strings.SplitSeq(list, ",") {
		name, number, ok := strings.Cut(word, "=")
		if _, err := strconv.ParseFloat(number, 64); !ok || err != nil {
			return nil, fmt.Errorf("--population %s: write it as series:power=2, series:exponential=0.7 or gaussian:sigma=0.7,std=1", text)
		}
		if name == "power" || name == "exponential" {
			law = append(law, name+": "+number)
		} else {
			keys = append(keys, name+": "+number)
		}
	}
	if law != nil {
		keys = append(keys, "decay: {"+strings.Join(law, ", ")+"}")
	}
	return source.Parse("--population", fmt.Appendf(nil, `name: explain
seed: 1
repeats: 1
datasets: [{id: population, use: %q, %s}]
grid: {n: 1, ell: 1}
methods: [{id: kpca, use: kpca}]
measure: [recon_h]
`, kind, strings.Join(keys, ", ")))
}
