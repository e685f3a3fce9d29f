package certificate

import (
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// Types are the ephemeral resources for certificates.
var Types = crud.Types{
	EphemeralResources: []func() ephemeral.EphemeralResource{New},
}
