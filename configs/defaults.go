package configs

import "reflect"

// Defaulter is a struct that is optional as a whole, behind a nil pointer among
// the options: where its mapping is given, SetDefaults fills in the defaults
// before the keys that are present overwrite them.
type Defaulter interface {
	SetDefaults()
}

// defaultsOf is a new t with its defaults; invalid where it has none.
func defaultsOf(t reflect.Type) reflect.Value {
	v := reflect.New(t)
	d, ok := v.Interface().(Defaulter)
	if !ok {
		return reflect.Value{}
	}
	d.SetDefaults()
	return v.Elem()
}
