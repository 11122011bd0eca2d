// Package claims judges what a spec claims by what a run measured.
//
// # Steps
//
//  1. [Judge] takes each claim in turn. Its selection picks records by `where`
//     and splits them into groups: dataset and kernel always, the method too
//     except where methods are compared, then `by`. Each group gets a verdict.
//     Package results does this, and steps 2 and 3, for plots and budgets too.
//  2. Targets such as "-theta*(1-1/alpha)" are evaluated per group, over the
//     dataset's constants and the columns that are constant there.
//  3. The quantity `of`, a metric or an expression over metrics, is read from
//     each record. What failed is counted and named.
//  4. The claim's kind turns readings into samples over repeats: a slope per
//     repeat, a paired log-ratio per repeat and cell, a value per repeat and cell, or
//     whether it lies inside a bound. Cells of two methods are paired where they agree in
//     every column that both have.
//  5. Each sample is tested twice, see below, and the outcomes are put together
//     to one verdict with numbers and a code for why; the code's sentence and the step
//     that would settle an open verdict are templates (words.tmpl).
//
// The statistics of steps 4 and 5 are in package inference, the fits of slopes in package
// powerlaw. Neither knows anything of claims.
//
// # The two tests
//
// A claim is a band for a mean μ: [target−within, target+within], or one end of
// it infinite. Over repeats, μ has an interval, which is wider than the t interval by what a
// tail may have hidden (inference.SkewTest).
//
//   - It holds when the interval lies inside the band. For "=" the interval has
//     the claim's level (0.95), which is an equivalence test with a false-alarm
//     rate of at most 2.5 % at either edge; for "<=" and ">=" each end of the
//     interval is a bound of that level by itself: at most 5 %.
//   - It is violated when the hypothesis "μ lies in the band" is rejected with
//     p < 0.01, that is, for "=", when the 99 % interval and the band are disjoint.
//   - Else it is inconclusive.
//
// So a wrong "holds" happens in at most 5 % of runs and a wrong "violated" in at
// most 1 %, as far as what carries the means over repeats was seen; docs/verdicts.md has the rates of simulated records. Repeats that
// are all equal decide nothing, unless their values follow from sizes alone. Claims over many cells (values and distributions
// in each cell, ratios in each cell, orders of each pair of neighbours in each cell
// or line, bounds) hold when each cell holds (intersection–union: the union of the cells'
// null hypotheses is rejected only if each is, at the level of each, so nothing
// need be corrected) and are violated when a cell's p, adjusted by Holm over
// the cells, is below 0.01. Verdicts stand by themselves; which violated ones also stand over
// all groups and claims is in Verdict.Stands (Family).
//
// Verdicts may be read after more and more repeats. The rates are those of all looks
// together, of which each spends a share (inference.Look): the first look at a run has intervals of the
// level 0.955 and calls violated what has p < 0.009.
//
// # Slopes
//
// A slope is claimed of its sizes, and of all of them:
//
//   - it does not hold if from one size to the next the slope contradicts the claim (1 % over all
//     steps);
//   - where the curvature contradicts a power, it holds only if the slopes at both ends lie in the
//     band (1 %), and is violated only if both lie outside (10 %).
//
// Sizes rounded to whole numbers scatter about a power. Where the records carry the exact floor
// <metric>_floor, its deviations from a straight line are taken out of steps and curvature.
//
// A position is left out, with a note, where a value is at the rounding of its measure
// (Reading.Rounded). In ratios and orders such a value leaves its cell undecided.
//
// What this cannot do. A theorem's rate is asymptotic: where a floor, a shift or a logarithm rules
// the points, the slope at these sizes is another, and is called violated. And "holds" is said of
// the slope at these sizes: n^-0.65 log n may fit as well as n^-0.5, or better; but no record of
// finite sizes excludes such laws.
//
// # Distributions
//
// The claim is that the distance Δ = sup|F − F0| of the distribution function F
// over repeats to the claimed one is at most within. D is the distance of the
// empirical distribution function.
//
//   - It holds when the upper limit of Δ, of the claim's level, is at most within:
//     the farthest that F0 lies from the pointwise Clopper–Pearson limits of F. Were
//     Δ more than within, F would be that far from F0 at one point, and there alone
//     the limit has to fail, so no price is paid for the many points.
//   - It is violated when "Δ <= within" is rejected with p < 0.01 after Holm: the
//     chance of sup|Fn − F| >= D − within, from the exact law of that distance.
//   - Else it is inconclusive. Not to reject F = F0 never counts for "holds"; and
//     to reject it does not count against a Δ that within allows.
//
// # Bounds
//
// A bound of package theory is evaluated at each cell's sizes, on what is known of the
// population of each repeat (package facts); conditions first. A cell is judged where the theorem applies in
// all of its repeats, and left out, with the condition that fails, where it does
// not; a group without a cell that is judged is "not applicable". Of a cell's
// repeats so many lie inside the bound, from both sides:
//
//   - It holds when the lower Clopper–Pearson limit of the coverage, one-sided at
//     the claim's level, is at least 1 − δ; for δ = 0.05 and the level 0.95 that
//     takes 61 repeats, all inside.
//   - It is violated when the exact binomial test rejects a coverage of 1 − δ or
//     more with p < 0.01, adjusted by Holm over the cells.
//   - Else it is inconclusive.
//
// Repeats that failed count as outside for the first and as inside for the
// second. A parameter that the theorem leaves open is given by `with`. A bound that the
// claim states itself (theory.Own) is an expression, which is evaluated in each row; it has no
// conditions.
//
// A bound that is no less than the trivial value of its metric, which every estimator
// satisfies, says nothing; where no such value is known, a note says so. Cells where it is so in half of the repeats or more are left
// out, and a note counts them; where none is left all are judged, and a verdict that
// holds is vacuous. A vacuous cell that contradicts the claim counts against it.
//
// # Theorems
//
// A theorem about independent draws from the population that errors are measured
// against does not apply, in claims of any kind, where samples are known not to be such:
// drawn without replacement, or from the law of a held-out set.
//
// Any other claim may name the theorem that it checks. A slope then applies only
// where the conditions of the theorem's rate hold. Among these conditions is that sizes grow
// with n as the theorem asks, by the sizes that the records used.
//
// # Targets
//
// A claim whose quantity is a target of the spec is judged by the answers that a search
// found, each an interval with stated error rates (Answer). The interval of what is
// claimed has all values that they allow: the claim holds where it lies inside the band,
// and is violated where it lies outside. All answers that claims name are right together
// in all but AnswersError of the runs.
//
// # Checks
//
// A statement under `checks` is judged as a claim is, and its verdicts are marked: it
// tests the code, not the theory. A control is a claim that is known to be false: it is
// judged as any claim is, and counts as what is opposite (Verdict.CountsAs).
//
// # Never a silent pass
//
// A selection without records, fewer than three repeats or points, several cells where one is needed, a log of
// something not positive, an incomplete run: each makes a verdict that could
// have been "holds" inconclusive, and says so. So does a repeat that failed or lacks the
// metric (lostDoubt): if failure depends on the draw, the others follow another law. The
// claim may still be violated by a cell that lacks none, by a single record, or by a count
// of repeats outside a bound. Skipped cells, where the method does not apply, are left out and
// noted.
//
// # Further kinds
//
// A new kind is a method of judge that returns verdicts (byCells does all but the cells) and its line in kinds, both in kinds.go;
// and in configs/claimkinds.go what the claim says, and its field in Claim. An inference.Test and
// judgeCells carry the two tests. A reason that no other kind has is a code, whose sentence and next
// step are templates in words.tmpl. Rows in characteristic_test.go show how often its verdicts are
// wrong.
package claims
