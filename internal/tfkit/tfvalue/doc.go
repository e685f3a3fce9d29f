// Package tfvalue holds the Terraform value types that compare by meaning
// rather than by spelling, and the validators that go with them. It knows
// Terraform and nothing of Kuscia.
package tfvalue
