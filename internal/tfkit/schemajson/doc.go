// Package schemajson tells the schemas of a provider in the format of
// `terraform providers schema -json`. It asks the provider itself: a CLI leaves
// out what it has no use for, so that list resources, actions and identities
// would come and go with the CLI at hand.
package schemajson
