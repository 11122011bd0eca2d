// Package bisect finds the commit at which an experiment became worse.
//
// # Steps
//
//  1. [Open] finds the repository and the commits between a good and a bad one, along
//     first parents.
//  2. [Hunt.Run] builds both ends, each in one checkout apart from the user's, and compares
//     what they measure: numbers by one run each, and where these agree times in turns
//     (package turns).
//  3. [Search] halves the commits. Each is built and compared with the good end: by
//     numbers if the ends differ in numbers, else by the times of the cells that are slower
//     at the bad end. A commit that cannot be built or run is skipped for its neighbour.
//
// # Error rate
//
// Numbers with the same seeds are compared without error. Decisions on times take at most
// [looks] looks each, and all intervals of all looks hold together with the stated
// confidence, whatever the machine does besides (Bonferroni over looks and steps). So if
// the cells take one time before a commit, and from it on more than the factor
// Thresholds.Slower as much, the commit that is named is the wrong one with probability at
// most 1 - confidence. Where a look cannot decide, the answer is a range.
package bisect
