// Package definitiontest generates configurations of an object from its
// definition, for property tests, and checks plans against Terraform's rules.
package definitiontest
