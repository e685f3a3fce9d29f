// Package user has the tests of package rules.
package user
