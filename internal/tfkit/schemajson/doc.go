// Package schemajson returns the schemas of a provider in the format of
// `terraform providers schema -json`. It reads them from the provider: a CLI
// leaves out what it does not support, so its list resources, actions and
// identities depend on its version.
package schemajson
