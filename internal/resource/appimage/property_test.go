package appimage

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// configs generates configurations. With unknowns, any part may be unknown.
func configs(unknowns bool) definitiontest.Generator {
	quantities := []string{"", "0", "0.1", "100m", "1", "1000m", "1Gi", "1024Mi", "1.5Gi", "1536Mi", "128974848000m", "129e6"}
	return definitiontest.Generator{
		Definition: appImage.Definition, Fixed: tree{"name": "app", "allow_removal_of": customResource.Named()}, Keys: map[string][]string{"config_templates": {"a.conf", "b.conf"}}, Unknowns: unknowns,
		Texts: map[string][]string{
			"protocol": {"", "HTTP", "GRPC"}, "scope": {"", "Local", "Domain"}, "cpu": quantities, "memory": quantities,
		},
	}
}
