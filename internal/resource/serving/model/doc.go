// Package model is kuscia_serving in Terraform: its attributes (schema.go), the values that the
// rules use (Of and Serving.Value), and the private state. wire.go has the conversions from and
// to Kuscia's types. What is unknown in a configuration stays unknown everywhere.
package model
