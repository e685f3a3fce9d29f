// Package refresh computes the state from a response of Kuscia: after a create
// or an update (AfterApply) and in every read (Read). It makes no requests; app
// images come from functions (Sources).
package refresh
