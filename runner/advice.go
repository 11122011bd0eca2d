package runner

import "mercer/results"

// advise adds to an error of the run directory what to do about it.
func advise(err error) error {
	return results.Advise(err, "run directory", " (--out, --results)", "nothing that was stored is lost: then run the same command to continue")
}
