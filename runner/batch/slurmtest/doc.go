// Package slurmtest starts a private Slurm for tests: a controller and some node
// daemons, with an authentication daemon of their own, that listen on this
// machine's loopback alone and keep everything in one temporary directory. Tests
// can take it apart: restart the controller, lose a node.
//
// Start installs the Debian packages slurm-wlm and munge where they are missing and
// it may, and else skips the test and says why. Only processes that it started, or
// that its nodes did, are ever stopped.
package slurmtest
