#!/bin/sh
# The mean embedding as a subspace of one dimension, of any kernel: an example of
# the protocol of docs/exec.md in shell and awk. It asks for gram: true.
#
# The component is f = sum_j k(.,x_j) / (n |m|), |m|^2 = sum K / n^2, and its value
# (1/n) sum_i f(x_i)^2, uncentred.
set -e
while echo '{"ready":2}'; read -r request; do
	n=$(printf '%s' "$request" | sed 's/.*"n":\([0-9]*\).*/\1/')

	# A .npy file is its header, whose length stands at bytes 8 and 9, and then numbers.
	set -- $(od -An -t u1 -j 8 -N 2 gram.npy)
	od -An -v -t f8 -w8 -j $((10 + $1 + 256 * $2)) gram.npy |
	awk -v n="$n" '
	{ row[int((NR - 1) / n) + 1] += $1; all += $1 }
	END {
		norm = sqrt(all) / n
		for (i = 1; i <= n; i++) value += (row[i] / n / norm)^2 / n
		printf "{\"values\": [%.17g], \"coef\": [", value
		for (i = 1; i <= n; i++) printf "%s[%.17g]", (i > 1 ? ", " : ""), 1 / n / norm
		print "]}"
	}'
done
