// Package lifecycle creates objects on servers whose responses may be lost. It
// sends the request, looks the object up if the outcome is uncertain, compares
// it with the desired one, and returns whether it was created, adopted, not
// created, or whether the outcome is unknown. It depends neither on Terraform
// nor on an API: the caller supplies the comparison and the classification of
// errors.
package lifecycle
