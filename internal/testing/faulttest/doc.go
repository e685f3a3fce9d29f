// Package faulttest tests the result of an apply when something fails: injected
// faults in every call, interrupts, killed processes, other writers. It has tests only.
//
// Most tests drive the provider in-process with the calls of the CLI
// (terraform_test.go), with a simulated server for each case; a few run the built provider
// with a real CLI. A kind of objects is described in one file (files kind_*). There is one
// matrix of faults and calls, of every server (matrix_test.go), of which the cells are drawn that
// have each fault in each kind, in each call and at each time, and with -short each of these.
//
// The same calls make random sequences with a provider block for a master and one for a node
// (blocks_test.go), and with imports of objects that other clients have changed
// (imports_test.go). A failure prints the seed: go test -run TestRandomBlocks -rapid.seed=SEED.
package faulttest
