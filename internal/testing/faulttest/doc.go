// Package faulttest holds the tests that show what an apply leaves behind when
// something goes wrong: injected faults at every call, interrupts, killed
// processes, other writers. Drawn configurations of all objects without a rollout
// show what it leaves without faults. It has no code of its own.
//
// Most tests drive the provider in-process with the calls that the CLI makes
// (terraform_test.go), against a sandbox for each case; a sample of the cases
// runs the built provider under a real CLI. Without -short all cases run, and
// hundreds of servings at once.
package faulttest
