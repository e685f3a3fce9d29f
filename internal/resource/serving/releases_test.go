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
	unknown := func(p *rules.Party) { p.DomainID = types.StringUnknown() }
	unknownRole := func(p *rules.Party) { p.Role = types.StringUnknown() }
	prior := ConfigOf(PartyOf("alice", Image("v1")))
	for name, test := range map[string]struct {
		edit func(*rules.Party)
		asks int
	}{"known": {Image("v2"), 2}, "unknown domain": {unknown, 0}, "unknown role": {unknownRole, 0}} {
		asked := 0
		var diags diag.Diagnostics
		for _, record := range []func(*clients.Clients, rules.Serving){
			func(c *clients.Clients, planned rules.Serving) { recordStrategies(t.Context(), c, planned, &diags) },
			func(c *clients.Clients, planned rules.Serving) {
				recordPodChanges(t.Context(), c, planned, prior, rules.Private{}, &diags)
			},
		} {
			c := clients.WithoutKuscia("")
			c.Kubernetes.Open = func() (*kube.Client, error) {
				asked++
				return nil, errors.New("no cluster")
			}
			record(c, InParty(prior, 0, Image("v2"), test.edit))
		}
		if asked != test.asks || len(diags) > 0 {
			t.Errorf("%s: the cluster is queried %d times, %v", name, asked, diags)
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
