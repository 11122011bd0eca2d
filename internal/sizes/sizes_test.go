package sizes

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
)

// Names, fields, Get, Set, All and the members of the JSON form agree.
func TestNames(t *testing.T) {
	var s Sizes
	for i, name := range Names {
		s.Set(name, i+1)
	}
	if want := (Sizes{N: 1, M: 2, D: 3, Ell: 4, K: 5}); s != want {
		t.Fatalf("%+v, want %+v", s, want)
	}
	for i, name := range Names {
		if s.Get(name) != i+1 || s.All()[i] != i+1 || !Is(name) {
			t.Errorf("%s is %d and %d, want %d", name, s.Get(name), s.All()[i], i+1)
		}
	}
	fields := reflect.VisibleFields(reflect.TypeFor[Sizes]())
	if len(fields) != len(Names) {
		t.Errorf("%d fields for %d names", len(fields), len(Names))
	}
	text, err := json.Marshal(s)
	if want := `{"n":1,"m":2,"d":3,"ell":4,"k":5}`; err != nil || string(text) != want {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
	if text, err = json.Marshal(Sizes{}); err != nil || string(text) != "{}" {
		t.Errorf("no sizes are %s, %v", text, err)
	}
	if got := s.Only("n", "ell"); got != (Sizes{N: 1, Ell: 4}) {
		t.Errorf("n and ell alone are %+v", got)
	}
}

func TestOtherNames(t *testing.T) {
	for _, name := range []string{"", "N", "theta", "l"} {
		s := Sizes{1, 1, 1, 1, 1}
		if s.Get(name) != 0 || Is(name) || slices.Contains(Names, name) {
			t.Errorf("%q is taken for a size", name)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is set", name)
				}
			}()
			s.Set(name, 2)
		}()
	}
}
