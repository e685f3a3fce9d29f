// Package definitiontest draws configurations of an object from its definition,
// for property tests, and has Terraform's own rules for what a provider may
// plan.
package definitiontest
