// Package crate packs a run as an RO-Crate, a folder that says in JSON-LD what is in it
// and how it came about, and holds such a folder to what it says.
//
//  1. [Make] makes a folder whole or not at all. [Fill] copies what a run's folder holds
//     into it, so that it is itself a run's folder. The caller adds verdicts
//     ([WriteVerdicts]) and a report.
//  2. [Seal] writes ro-crate-metadata.json: size and SHA-256 of every file, and of the
//     run its spec, data, program, BLAS library, machine and results.
//  3. [Open] reads a crate and lists where it is not what its metadata say.
//
// Metadata follow from the other files, but for the licence: [Open] makes them again and
// compares. Nothing here is computed again; package runner/verify does that. Hashes show
// damage and careless changes. They are no signature: who changes a file can change its
// hash.
//
// References: RO-Crate 1.1 (https://w3id.org/ro/crate/1.1) and the profile Process Run
// Crate 0.5 (https://w3id.org/ro/wfrun/process/0.5).
package crate
