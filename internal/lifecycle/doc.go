// Package lifecycle creates objects on servers whose answers may be lost. It
// sends, looks where it is not certain what happened, compares, and says
// whether the object was created, adopted, not created, or that nobody knows.
// It knows no Terraform and no API: what an object is like, and what an error
// means, it is told.
package lifecycle
