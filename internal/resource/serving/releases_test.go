package serving

import (
	"errors"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
)

// TestNoteReleasesUnknown: the Rollouts of a party are queried only once its Deployment
// is known.
func TestNoteReleasesUnknown(t *testing.T) {
	t.Parallel()
	serving := func(domain, role types.String, image string) model.Serving {
		var out model.Serving
		out.ServingID = types.StringValue("s")
		out.Parties = model.PartiesOf(model.Party{DomainID: domain, Role: role, AppImage: types.StringValue(image)})
		return out
	}
	alice, none := types.StringValue("alice"), types.StringNull()
	for name, test := range map[string]struct {
		domain, role types.String
		asks         bool
	}{
		"known":          {alice, none, true},
		"unknown domain": {types.StringUnknown(), none, false},
		"unknown role":   {alice, types.StringUnknown(), false},
	} {
		asked := false
		access := func() *clients.Clients {
			c := clients.WithoutKuscia("")
			c.Kubernetes.Open = func() (*kube.Client, error) {
				asked = true
				return nil, errors.New("no cluster")
			}
			return c
		}
		var diags diag.Diagnostics
		planned := serving(test.domain, test.role, "v2")
		if recordStrategies(t.Context(), access(), planned, &diags); asked != test.asks {
			t.Errorf("%s: a create queries the cluster: %t", name, asked)
		}
		asked = false
		if recordPodChanges(t.Context(), access(), planned, serving(alice, none, "v1"), model.Private{}, &diags); asked != test.asks {
			t.Errorf("%s: an update queries the cluster: %t", name, asked)
		}
		if len(diags) > 0 {
			t.Errorf("%s: %v", name, diags)
		}
	}
}
