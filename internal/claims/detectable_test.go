package claims

import (
	"fmt"
	"math"
	"testing"

	"mercer/configs"
)

// Every kind that tests a mean says what it would have detected: by cell the worst,
// at the level that Holm's correction leaves it; and nothing where it does not apply.
func TestDetectableOfVerdicts(t *testing.T) {
	v := one(t, slopeClaim(configs.Slope{AtMost: num("-0.4")}), powerRun(-0.5, 0.1, 10))
	if v.Detectable == nil || v.Detectable.Low != nil || *v.Detectable.High <= -0.4 || *v.Detectable.High > -0.2 {
		t.Errorf("slope: %s", ends(v.Detectable))
	}
	v = one(t, slopeClaim(configs.Slope{Equals: num("-0.5"), Within: num("0.1")}), powerRun(-0.5, 0.1, 10))
	if d := v.Detectable; d == nil || math.Abs(*d.Low+*d.High+1) > 1e-9 {
		t.Errorf("an interval about -0.5: %s", ends(d))
	}
}

func ends(d *Detectable) string {
	if d == nil {
		return "none"
	}
	text := ""
	for _, end := range []*float64{d.Low, d.High} {
		if end == nil {
			text += "[none]"
		} else {
			text += fmt.Sprintf("[%g]", *end)
		}
	}
	return text
}
