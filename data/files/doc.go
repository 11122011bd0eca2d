// Package files reads points and labels from files.
//
// The work of every reader goes in the same steps:
//
//  1. open, by an Opener: a regular file alone, plain or gzipped, and look: its size,
//     its first bytes, its first line;
//  2. check what the file claims of itself (item counts, shapes, indices)
//     against what is there, before anything of that size is allocated;
//  3. decode until the Opener's context ends, into no more memory than it allows,
//     refusing whatever is not a finite number, with the place and the
//     offending text;
//  4. code the labels: class names in order, one integer code a row;
//  5. hand back a Table: a Pool of N points in R^D, codes, class names, column
//     names.
//
// A Pool is the store of the points. It turns the rows asked for into a
// *mat.Dense and leaves the others as they are: 60,000 images of 784 bytes
// take 47 MB as a BytePool, and a draw of 10,000 of them 63 MB more, where the
// full float64 matrix would take 376 MB.
//
// A FilePool holds nothing: it reads the rows asked for, and Unchanged says whether
// the file is still the one that was opened.
//
//	format          reader                      points      labels
//	CSV, TSV        LoadCSV                     DensePool   a column by name or index
//	IDX (MNIST)     LoadIDX, LoadIDXLabels      BytePool    a second file
//	                OpenIDX                     FilePool
//	NumPy .npy      ReadNPY, LoadNPYLabels      DensePool   a second file
//	                OpenNPY                     FilePool
//	LIBSVM          LoadLIBSVM                  DensePool   first field of a line
//	LIBSVM of bytes LIBSVMToBytes, OpenByteFile FilePool    first field of a line
//
// In the papers' symbols: n or N points → Table.Len, dimension D → Table.Dim,
// point X_i → row i of Table.X, number of classes k → len(Table.Classes).
package files
