package methods

import "mercer/internal/misuse"

// Registry holds every method by the name that specs use. Those that find
// components order them, so that the first ℓ of a fit are the fit at ℓ, and one
// fit serves every ℓ; but for those whose traits say PerEll.
var Registry = map[string]Entry{}

// Register adds a method under the name that specs use. It panics where the name is taken or
// the entry lacks what a list of methods shows. A program with methods of its own adds them
// before it calls cmd.Main.
func Register(name string, e Entry) {
	misuse.Register(Registry, name, e, "Label", "Doc", "Reference", "Cost", "Accuracy", "Version", "New")
}

// register adds a method from its own file. It returns the entry, so that a variable of the
// package can be set to it.
func register(name string, e Entry) Entry {
	misuse.Register(Registry, name, e, "Doc", "Reference", "Cost", "Accuracy", "Version", "New")
	return e
}

// Entry is a method that specs can name, whatever its parameters.
type Entry struct {
	Label     string         // what figures and tables call it; empty for what has no name of its own
	Doc       string         // what it computes
	Reference string         // paper key and place
	Cost      string         // flops and memory in n, m, D, ℓ
	Accuracy  string         // how far results are from exact ones, and of what
	Version   string         // changes whenever results change
	Plain     string         // the parameters of a plain use, as in a spec; empty where the defaults serve
	New       func() Options // options that hold the defaults
}

// Options are a method's parameters in a spec.
type Options interface {
	// Method checks the parameters and returns the method.
	Method() (Method, error)
	// Traits are those of the method with these parameters, also where Method refuses them.
	Traits() Traits
}
