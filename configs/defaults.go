package configs

import "reflect"

// Defaulter is a struct that is optional as a whole, behind a nil pointer among
// the options: where its mapping is given, SetDefaults fills in the defaults
// before the keys that are present overwrite them.
type Defaulter interface {
	SetDefaults()
}

// settled is the value behind pointers, a new one with its defaults behind a nil one.
func settled(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v = reflect.New(v.Type().Elem())
			if d, ok := v.Interface().(Defaulter); ok {
				d.SetDefaults()
			}
		}
		v = v.Elem()
	}
	return v
}
