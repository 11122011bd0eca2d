// Package fetch gets published data sets, once, and checks every byte of them.
//
// Get goes in these steps:
//
//  1. $MERCER_DATA/<name>/: the user's own copies, verified and used in place.
//     A file there with another checksum is an error: it is not passed over.
//  2. the cache, $MERCER_CACHE/<name>/ or the user's cache directory's
//     mercer/<name>/: verified again on each Get; a damaged file is fetched anew.
//  3. the HTTPS addresses of the data set, in order, for the files still missing.
//     What an address gives is unpacked (gzip, zip), its SHA-256 compared, and only
//     then renamed into the cache.
//
// Nothing is resumed: these files are a few megabytes. An error lists each address with its
// reason and says what to do by hand (Error).
//
// n-baiot is not fetched: it is a file of the user's own.
//
// Load turns the files into tables of package files: train and test points with
// labels; images stay in their files.
//
// The data sets are the entries of the catalogue (catalog.go).
package fetch
