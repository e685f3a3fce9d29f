package deployment

import "github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"

// What the tests in the other package use.
var (
	Served     crud.Shortcuts = shortcuts{}
	Definition                = deployment
)
