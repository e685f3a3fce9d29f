// Command kuscia-review says what a plan of Terraform or OpenTofu does to a
// federation, and refuses what -fail-on names. It is for reviews in pull
// requests; kuscia-review -help has the rest.
package main

import (
	"os"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review"
)

func main() { os.Exit(review.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
