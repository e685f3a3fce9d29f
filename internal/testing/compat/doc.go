// Package compat tests the compatibility of the provider with earlier releases.
// It has tests only.
//
// testdata/schema.json is the current schema, and testdata/releases has the
// schema and a state of each release. So reviewers see every change of the
// schema, a change that breaks configurations or outputs needs a line with
// BREAKING in CHANGELOG.md, and the plans with the states must always be empty.
package compat
