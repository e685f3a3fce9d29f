// Package model is kuscia_serving in Terraform: attributes and private state.
// Get and Serving.Encode are the only conversions from and to Terraform's
// values; wire.go has the conversions from and to Kuscia's. What is unknown in a
// configuration stays unknown everywhere.
package model
