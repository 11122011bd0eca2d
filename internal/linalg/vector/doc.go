// Package vector is dense linear algebra and element-wise functions on the
// vector instructions of the processor, without cgo or a library: kernel
// matrices are a Dgemm and an ExpScaled, random features a Dgemm and a Sincos.
//
// # How a call works
//
//  1. The instruction set is chosen once, from what processor and operating
//     system offer: AVX-512 (F and DQ), AVX2 with FMA, or portable Go. The
//     build tag purego leaves the assembly out. Instructions names the choice.
//  2. ExpScaled and Sincos reduce the argument (by ln 2, by π/2), evaluate
//     a polynomial, and scale or select. The last, incomplete vector is masked,
//     so that every element goes through the same arithmetic.
//  3. Dgemm and Dsyrk cut B into panels of 256 rows and 1536 columns and pack
//     each into slivers as wide as a tile, so that the innermost loop reads
//     memory in order.
//  4. Goroutines take blocks of up to 192 rows of A, pack them, and run over
//     the slivers: each tile of C is held in registers (8×24 with AVX-512, 4×12
//     with AVX2, 4×4 portably) while 256 products an element are accumulated,
//     then added to C. A tile that C cuts is computed whole, in scratch memory.
//  5. Where probes find zeros in A and B is finite, steps at which the packed rows
//     of A are all zero are squeezed out, and the micro-kernels go through the rows
//     of B that are left: on images about half of the work.
//  6. What is too thin to be worth packing is read in place.
//  7. Implementation puts this under gonum: Dgemm, Dsyrk, Dsymm and Dtrsm
//     are overridden, the last one by recursion to Dgemm.
//
// # Reproducibility
//
// An element of ExpScaled or Sincos depends on its argument alone. An element of
// Dgemm or Dsyrk depends on its row of A, its column of B and the scalars alone: the
// products are summed in the order of k, in pieces of 256. Neither slices,
// blocks, strides, transposes nor the number of goroutines change a bit, but for
// the sign of a zero to which all products of an element underflow: it may depend
// on skipped zeros. Dtrsm and Dsymm do not depend on the number of
// goroutines.
//
// AVX-512 and AVX2 give the same bits, and so does portable Go on architectures
// whose Go has a fused multiply-add (arm64, ppc64le, riscv64, s390x, loong64).
// Elsewhere, and with the tag purego on amd64, the portable path rounds products
// before adding them and takes exp and sincos from package math: results differ
// in the last bits.
//
// # Limits
//
// The fixed order of summation costs speed where a product is nothing but a few
// long inner products: for 1×k times k×1 a dot product with several
// accumulators is up to ten times as fast. Use blas64.Dot there.
//
// # Symbols
//
//	α, β              alpha, beta
//	op(A), op(B)      a and b with tA and tB
//	exp(−‖x−z‖²/σ²)   ExpScaled(k, squared distances, −1/σ²)
//	cos(ωᵀx)          Sincos of Dgemm's result
package vector

//go:generate sh -c "cd generate && go run ."
