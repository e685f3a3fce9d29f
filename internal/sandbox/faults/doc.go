// Package faults injects faults into a server for tests: it drops, delays and
// replaces responses, and records every request. The API implements what is
// specific to a server, such as the format of errors.
package faults
