// Package refresh decides what an answer of Kuscia means for the state: after a
// create or an update (AfterApply) and in every read (Read). It asks nobody; what it
// needs of app images comes as functions (Sources).
package refresh
