// Package faulttest tests the result of an apply when something fails: injected
// faults in every call, interrupts, killed processes, other writers. Random
// configurations of all objects without a rollout test applies without faults.
// The package has tests only.
//
// Most tests drive the provider in-process with the calls of the CLI
// (terraform_test.go), with a sandbox for each case; a sample of the cases runs
// the built provider with a real CLI. A kind of objects is described in one file
// (files kind_*) for all tests; a case of a matrix is a faultCase. Without
// -short all cases run, and hundreds of servings at the same time. The descriptions of the kinds also
// serve TestEveryType, which tests import, lists, actions and ephemeral resources of every type.
package faulttest
