// Package lifetest has the standard life of every resource type, as tests: create, empty
// plan, update, drift of every attribute, import by ID and by identity, generated
// configuration, replacement, unknown values, bad input, refused requests, an object that exists or
// disappears, destroy. A resource declares its configurations in a file kind_*; the life is
// the same for all of them.
//
// TestLife drives the provider over the plugin protocol, without a process. TestAccLife is
// a short life with the real CLI.
package lifetest
