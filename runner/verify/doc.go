// Package verify holds a crate to what its spec gives when it is computed again.
//
//  1. [crate.Open] compares files and metadata.
//  2. The spec gives the plan: its records are to be those of the crate, each with its
//     data set, method, sizes, repeat and seed.
//  3. A random sample of the records is computed again and compared: bit for bit where
//     the back end, its file and the machine are those of the run, else within the
//     profile's tolerance for another machine (drift_elsewhere).
//  4. The facts on populations that theorems ask for are computed again, and the claims
//     judged again, from the crate's records.
//  5. On the same back end, machine and version the report is written again and compared
//     byte for byte.
//
// A step follows only where those before it found nothing. Who changes records and all
// that follows from them is found if the sample has one of them: see [MostWrong].
package verify
