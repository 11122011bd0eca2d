package configs

// dropped are values of keys in earlier specs, with what to use instead.
var dropped = map[string]string{
	"kind: box":     "kind bar, with band: sd for the spread over repeats, or the values that mercer export writes in any plotting package",
	"kind: profile": "kind ranks, or the values that mercer export writes in any package of performance profiles",
}
