// Package faulttest tests the result of an apply when something fails: injected
// faults in every call, interrupts, killed processes, other writers. It has tests only.
//
// Most tests drive the provider in-process with the calls of the CLI
// (terraform_test.go), with a sandbox for each case; a few run the built provider with a
// real CLI. A kind of objects is described in one file (files kind_*); a case of a matrix
// is a faultCase. Without -short all cases run, and hundreds of servings at the same time.
package faulttest
