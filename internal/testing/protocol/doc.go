// Package protocol makes the calls of the plugin protocol that a CLI makes, so
// that tests can check complete responses of a provider without a CLI.
package protocol
