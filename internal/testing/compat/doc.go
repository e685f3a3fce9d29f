// Package compat tests the compatibility of the provider with earlier releases.
// It has tests only.
//
// testdata/schema.json is the current schema, so that reviewers see every change
// of it, and testdata/releases has a state of each release, with which plans must
// always be empty.
package compat
