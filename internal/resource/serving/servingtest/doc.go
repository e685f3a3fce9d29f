// Package servingtest is for tests of servings: helpers to build servings,
// random servings, Kuscia's responses, and the rules that hold for every plan.
package servingtest
