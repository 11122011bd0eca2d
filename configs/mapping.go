package configs

import (
	"reflect"
	"strings"
)

// Mapping is a part of a spec whose keys are fields of a struct.
type Mapping struct {
	Name string
	Keys []Key // its own; what stands under them is another Mapping
}

// Mappings lists the parts of a spec, each kind of claim under its name. Datasets,
// kernels, methods and the grid are not among them: their keys are free.
func Mappings() []Mapping {
	list := []Mapping{mapping[Spec]("spec"), mapping[Repeats]("repeats"), mapping[Claim]("claim")}
	for _, f := range kindFields() {
		list = append(list, mappingOf(f.key, f.typ.Elem()))
	}
	return append(list, mapping[Law]("law"), mapping[Plot]("plot"), mapping[Axes]("axes"), mapping[TheoryCurve]("curve"),
		mapping[Mark]("mark"), mapping[Budget]("budget"), mapping[Target]("target"), mapping[Statement]("statement"), mapping[Overlay]("profile"), mapping[Answer]("answer"))
}

func mapping[T any](name string) Mapping { return mappingOf(name, reflect.TypeFor[T]()) }

func mappingOf(name string, t reflect.Type) Mapping {
	m := Mapping{Name: name}
	s := objectSchema(t, reflect.Value{})
	if len(s.AnyOf) > 0 { // a word may stand for the mapping
		s = s.AnyOf[1]
	}
	for _, k := range s.keys("") {
		if !strings.Contains(k.Name, ".") {
			m.Keys = append(m.Keys, k)
		}
	}
	return m
}
