// Package servingtest is for tests of servings: short ways to write one, random ones,
// what Kuscia would answer, and the rules that hold for every plan.
package servingtest
