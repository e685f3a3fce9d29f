// Package protocol makes the calls of the plugin protocol that a CLI makes, so
// that tests see whole answers of a provider without one.
package protocol
