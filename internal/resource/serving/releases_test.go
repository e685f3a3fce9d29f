package serving

import (
	"errors"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestNoteReleasesUnknown: the Rollouts of a party are queried only once its Deployment
// is known.
func TestNoteReleasesUnknown(t *testing.T) {
	t.Parallel()
	serving := func(domain, role types.String, image string) rules.Serving {
		var out rules.Serving
		out.ServingID = types.StringValue("s")
		out.Parties = rules.PartiesOf(rules.Party{DomainID: domain, Role: role, AppImage: types.StringValue(image)})
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
		if recordPodChanges(t.Context(), access(), planned, serving(alice, none, "v1"), rules.Private{}, &diags); asked != test.asks {
			t.Errorf("%s: an update queries the cluster: %t", name, asked)
		}
		if len(diags) > 0 {
			t.Errorf("%s: %v", name, diags)
		}
	}
}

// TestPodChangesByAppImages: an update of replicas alone gives pods a new version if it
// also applies an app image that was changed in place, in the same run or in an earlier one.
// Without an update nothing is applied.
func TestPodChangesByAppImages(t *testing.T) {
	t.Parallel()
	v1, v2 := Tagged("sf", "1", nil), Tagged("sf", "2", nil)
	prior := rules.WithDefaults(ConfigOf(PartyOf("alice", Image("sf"), Replicas(2))))
	scaled := rules.WithDefaults(ConfigOf(PartyOf("alice", Image("sf"), Replicas(3))))
	prior.Parties = WithImages(prior.Parties, ImagesOf(v1))
	created := rules.RecordCreate(rules.Private{}, prior, ImagesOf(v1))
	refreshed := rules.RecordRefresh(created, prior, ImagesOf(v2))
	for name, test := range map[string]struct {
		now     *kuscia.AppImage
		plan    func(images *clients.AppImageCache)
		planned rules.Serving
		private rules.Private
		changes bool
	}{
		"same image":                      {v1, func(c *clients.AppImageCache) { c.RecordPlanned(v1) }, scaled, created, false},
		"changed in this run":             {v1, func(c *clients.AppImageCache) { c.RecordPlanned(v2) }, scaled, rules.Private{}, true},
		"unknown":                         {v1, func(c *clients.AppImageCache) { c.RecordPlannedUnknown("sf", "") }, scaled, created, true},
		"changed before this run":         {v2, nil, scaled, created, true},
		"changed before this run and now": {v2, func(c *clients.AppImageCache) { c.RecordPlanned(v1) }, scaled, refreshed, true},
		"no update of the serving":        {v1, func(c *clients.AppImageCache) { c.RecordPlanned(v2) }, prior, created, false},
	} {
		c := clients.WithoutKuscia("")
		c.AppImages = clients.NewAppImageCache((*kuscia.Client)(nil))
		c.AppImages.Store("sf", test.now)
		if test.plan != nil {
			test.plan(c.AppImages)
		}
		if !test.planned.Parties.Equal(prior.Parties) {
			test.planned.Parties = WithImages(test.planned.Parties, c.AppImages.LookupPlanned(t.Context()))
		}
		var diags diag.Diagnostics
		recordPodChanges(t.Context(), c, test.planned, prior, test.private, &diags)
		NoDiags(t, diags)
		deployment := party.DeploymentName(prior.ServingID.ValueString(), "")
		by := c.PlannedWorkloads.RecordRollout("alice", deployment, clients.PlannedRollout{ID: "alice/ro", StartsControlling: true}).PodsChangedBy
		if (by != "") != test.changes {
			t.Errorf("%s: the Rollout is told of %q", name, by)
		}
	}
}
