// Package wait waits for changes of a server: Poll repeats a probe until a condition holds, for any
// object, and PodFailure tells when pods have not started for too long.
package wait
