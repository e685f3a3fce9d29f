// Package model is kuscia_serving as Terraform holds it: attributes and private
// state. Get and Serving.Encode are the only ways from and to Terraform's values;
// wire.go has the ways from and to Kuscia's. What is unknown in a configuration stays
// so in every part.
package model
