// Package ranks tests differences by ranks alone, which needs no law of the values:
//
//  1. [Friedman] asks whether any of several methods differs, from their values on each of
//     some problems.
//  2. [Tests.SignedRank] asks whether paired differences lie about 0, [Tests.RankSum]
//     whether one of two samples is the larger; their laws are exact for few values.
//  3. [LeastP] is the smallest p that these tests can have, and [RepeatsFor] how many
//     values a smaller one needs.
//
// Many tests at once need a correction, such as Holm's.
package ranks
