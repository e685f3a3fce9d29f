package serving

import (
	"errors"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestNoteReleasesUnknown: the Rollouts of a party are queried only once its Deployment
// is known.
func TestNoteReleasesUnknown(t *testing.T) {
	t.Parallel()
	unknown := func(p *rules.Party) { *p = p.WithPartyAttribute("domain_id", types.StringUnknown()) }
	unknownRole := func(p *rules.Party) { *p = p.WithPartyAttribute("role", types.StringUnknown()) }
	prior := ConfigOf(PartyOf("alice", Image("v1")))
	for name, test := range map[string]struct {
		edit func(*rules.Party)
		asks int
	}{"known": {Image("v2"), 2}, "unknown domain": {unknown, 0}, "unknown role": {unknownRole, 0}} {
		asked := 0
		var diags diag.Diagnostics
		for _, record := range []func(*run.Run, rules.Serving){
			func(c *run.Run, planned rules.Serving) { recordStrategies(t.Context(), c, planned, &diags) },
			func(c *run.Run, planned rules.Serving) {
				recordPodChanges(t.Context(), c, planned, prior, &diags)
			},
		} {
			c := run.New(clients.WithoutKuscia(""))
			c.Kubernetes.Open = func() (*kube.Client, error) {
				asked++
				return nil, errors.New("no cluster")
			}
			record(c, InParty(prior, 0, Image("v2"), func(p *rules.Party) { *p = p.WithPartyAttribute(party.AttrPodRevision, types.Int64Value(2)) }, test.edit))
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
	unchanged, scaled := ConfigOf(PartyOf("alice", Image("sf"), Replicas(2))), ConfigOf(PartyOf("alice", Image("sf"), Replicas(3)))
	unchanged = unchanged.WithServingAttribute("follow_app_image", types.BoolValue(false))
	prior := unchanged.WithDefaults()
	prior = prior.WithParties(WithImages(prior.Parties(), ImagesOf(v1)))
	created := rules.RecordCreate(rules.Private{}, prior, ImagesOf(v1))
	_, refreshed := rules.Refresh(prior, ResponseTo(prior), created, rules.Sources{Cached: ImagesOf(v2), Now: time.Now()})
	for name, test := range map[string]struct {
		now     *kuscia.AppImage
		plan    func(images *run.AppImageCache)
		config  rules.Serving
		private rules.Private
		changes bool
	}{
		"same image":                        {v1, func(c *run.AppImageCache) { c.RecordPlanned(v1) }, scaled, created, false},
		"changed in this run":               {v1, func(c *run.AppImageCache) { c.RecordPlanned(v2) }, scaled, created, true},
		"unknown":                           {v1, func(c *run.AppImageCache) { c.RecordPlannedUnknown("sf", nil) }, scaled, created, true},
		"changed before this run":           {v2, nil, scaled, refreshed, true},
		"changed before this run, and back": {v2, func(c *run.AppImageCache) { c.RecordPlanned(v1) }, scaled, refreshed, false},
		"no update of the serving":          {v1, func(c *run.AppImageCache) { c.RecordPlanned(v2) }, unchanged, created, false},
	} {
		c := run.New(clients.WithoutKuscia(""))
		c.AppImages = run.NewAppImageCache((*kuscia.Client)(nil))
		c.AppImages.Store("sf", test.now)
		if test.plan != nil {
			test.plan(c.AppImages)
		}
		planned, _ := rules.PlanUpdate(test.config, prior, test.private, rules.Images{
			Definition: c.AppImages.LookupPlanned(t.Context()), IsPartner: func(string) types.Bool { return types.BoolValue(false) },
			Changed: func(name, seen string, part rules.ImagePart) (string, bool) {
				return c.AppImages.Changed(t.Context(), name, seen, run.AppImagePart(part))
			},
		})
		var diags diag.Diagnostics
		recordPodChanges(t.Context(), c, planned, prior, &diags)
		NoDiags(t, diags)
		deployment := party.DeploymentName(prior.ServingID().ValueString(), "")
		by := c.PlannedWorkloads.RecordRollout("alice", deployment, run.PlannedRollout{ID: "alice/ro", StartsControlling: true}).PodsChangedBy
		if (by != "") != test.changes {
			t.Errorf("%s: the Rollout is told of %q", name, by)
		}
	}
}
