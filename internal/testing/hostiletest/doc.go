// Package hostiletest has tests of hostile input: responses of servers, and values of
// configurations, that are to make the provider slow, large or wrong. They are long and have
// few goroutines, so that "make test" runs them without the race detector.
package hostiletest
