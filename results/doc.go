// Package results keeps what a run measured: a table of rows. It knows nothing of how a row
// came about: it stores rows, reads them back, picks, groups and pairs them, and hands them
// on as CSV or JSON lines. Begin with [Row] and [Key].
//
// # Steps
//
//  1. A runner opens a [Store] on the run's directory. [Open] takes the
//     directory's lock, reads records.jsonl, cuts off a torn end and lists what
//     it found odd in [Store.Warnings].
//  2. The runner writes spec.json with [WriteSpec] and the [Manifest] with [WriteManifest],
//     asks [Store.Lookup] which rows are finished, and adds the rest by [Store.Append], a
//     batch in one write, followed by one fsync.
//  3. A reader finds a run with [Latest] and reads it with [Load]: only the
//     rows that the manifest names, one per id, in canonical order.
//     Points that figures show lie beside it, see [Points].
//  4. [Run.Select], [Run.Groups] and [Run.Pairs] pick rows and put them together; [Quantity]
//     reads numbers from them, and [Summarize] sums these up over repeats.
//  5. [WriteCSV] and [WriteJSONL] export the run.
//  6. Where several processes computed shards of one run, each in a directory of its
//     own, [Merge] puts them together.
//
// # The file records.jsonl
//
// One JSON object a line, ended by a line feed, only ever appended to. Its
// last member is "crc", the CRC-32C in hexadecimal of the object without that
// member. A line written by another program may leave the checksum out; then
// it has only to be a valid row, and may have no member that is unknown.
//
// What can go wrong, and what is done about it:
//
//   - The end is torn (no line feed): the writer was killed in the middle of a
//     write. Open cuts it off and warns; Load ignores it and warns.
//   - A line is broken: after a power loss the blocks of an unsynced batch may reach
//     the disk in any order, so this is no proof of tampering. The line is skipped
//     with a warning that names it, and stays in the file. This is safe: each other
//     line carries its own checksum, and a skipped row only makes its cell
//     unfinished, so that the next run measures it again.
//   - A member occurs twice in a line, or a line without a checksum has one that
//     is unknown (which "crc" is after damage): the line counts as broken.
//   - A key occurs twice: the later row wins, with a warning, unless the
//     earlier one had not ended ok, for then the later one is its retry, or has
//     other columns, for then its variables were renamed.
//   - A row's schema is newer than [SchemaVersion]: refused, for a program
//     that does not understand a row must not pass judgement on it.
//   - A write fails or is short (disk full): the file is truncated to where it
//     was, the batch is reported as not stored, and the store remains usable.
//     If even that fails, or fsync does, the store refuses further batches.
//
// # Undefined numbers
//
// A row holds finite numbers only; [Store.Append] refuses NaN and infinities
// and names the metric. A [Summary] has NaN where a statistic is undefined (the
// standard deviation of one value, the geometric mean of a negative one).
package results
