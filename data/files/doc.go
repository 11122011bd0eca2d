// Package files reads points and labels from files.
//
// An Opener opens a regular file and reads it until its context ends, into no more memory than
// it allows. There are two kinds of files:
//
//   - arrays, IDX (MNIST's format) and NumPy's .npy: a header and numbers of one type. What
//     the header claims is compared with the size of the file; then the numbers stay where they
//     are, and a FilePool reads the rows that are asked for.
//   - CSV: read once, line by line, into a matrix, a DensePool.
//
// Either gives a Table: a Pool of N points in R^D, an integer code of the class of each, the
// names of classes and columns. A mistake is an error with the file, the line or the element,
// the offending text, and the way out. Files are not gzipped; start with csv.go.
//
// A Pool turns the rows asked for into a *mat.Dense and leaves the others as they are: a draw
// of 10,000 of 60,000 images takes 63 MB, where all of them would take 376 MB as float64.
//
// In the papers' symbols: n or N points → Table.Len, dimension D → Table.Dim,
// point X_i → row i of Table.X, number of classes k → len(Table.Classes).
package files
