package serving

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// partyOf is a party as a configuration has it: what no edit sets is null.
func partyOf(domain string, edits ...func(*party)) party {
	p := party{
		domainID: types.StringValue(domain), appImage: types.StringValue("sf"),
		strategy: strategy{null: true}, resources: resourceList{null: true},
	}
	return with(p, edits...)
}

// with is a copy of a party with some edits.
func with(p party, edits ...func(*party)) party {
	p.resources.items = slices.Clone(p.resources.items)
	for _, edit := range edits {
		edit(&p)
	}
	return p
}

func role(text string) func(*party) {
	return func(p *party) { p.role = types.StringValue(text) }
}

func image(name string) func(*party) {
	return func(p *party) { p.appImage = types.StringValue(name) }
}

func replicas(n int32) func(*party) {
	return func(p *party) { p.replicas = types.Int32Value(n) }
}

func prefix(text string) func(*party) {
	return func(p *party) { p.serviceNamePrefix = types.StringValue(text) }
}

func rolling(surge, unavailable string) func(*party) {
	return func(p *party) {
		p.strategy = strategy{
			kind:  types.StringValue(kuscia.StrategyRollingUpdate),
			surge: textOrNull(surge), unavailable: textOrNull(unavailable),
		}
	}
}

func recreate(p *party) {
	p.strategy = strategy{kind: types.StringValue(kuscia.StrategyRecreate)}
}

func asks(items ...containerResources) func(*party) {
	return func(p *party) { p.resources = resourceList{items: items} }
}

func noResources(p *party) { p.resources = resourceList{null: true} }

// of is the entry for one container, "" for all; empty amounts are null.
func of(container, minCPU, maxCPU, minMemory, maxMemory string) containerResources {
	return containerResources{
		container: textOrNull(container),
		minCPU:    quantityOrNull(minCPU), maxCPU: quantityOrNull(maxCPU),
		minMemory: quantityOrNull(minMemory), maxMemory: quantityOrNull(maxMemory),
	}
}

func textOrNull(text string) types.String {
	if text == "" {
		return types.StringNull()
	}
	return types.StringValue(text)
}

// configOf is a configuration of the serving glm with the given parties, the
// first of which is the initiator.
func configOf(parties ...party) model {
	return model{Parties: partiesOf(parties...), attributes: attributes{
		ServingID: types.StringValue("glm"), Initiator: parties[0].domainID,
		ServingInputConfig: tfvalue.NewConfigTextValue(`{"model": 1}`),
		RedeployTriggers:   types.MapNull(types.StringType), ReplaceTriggers: types.MapNull(types.StringType),
		Endpoints: types.ListUnknown(endpointType), CreateTime: types.StringUnknown(),
		Timeouts: nullTimeouts(),
	}}
}

// hiding is a copy of a configuration with its text in the write-only form.
func hiding(m model, text string, version int64) model {
	m.ServingInputConfig = tfvalue.NewConfigTextNull()
	m.ServingInputConfigWO, m.ServingInputConfigVersion = tfvalue.NewConfigTextValue(text), types.Int64Value(version)
	return m
}

// showing is a copy of a configuration with its text in clear.
func showing(m model, text tfvalue.ConfigText) model {
	m.ServingInputConfig = text
	m.ServingInputConfigWO, m.ServingInputConfigVersion = tfvalue.NewConfigTextNull(), types.Int64Null()
	return m
}

// inParties is a copy of a configuration with an edit of its parties.
func inParties(m model, edit func([]party) []party) model {
	parties := slices.Clone(m.Parties.items)
	m.Parties = partiesOf(edit(parties)...)
	return m
}

// inParty is a copy of a configuration with edits of one party.
func inParty(m model, i int, edits ...func(*party)) model {
	return inParties(m, func(parties []party) []party {
		parties[i] = with(parties[i], edits...)
		return parties
	})
}

// stateOf is the state after a create from a configuration.
func stateOf(config model) model {
	state := planCreate(config)
	state.CreateTime = types.StringValue("2026-01-08T10:00:00Z")
	state.Endpoints = encodeEndpoints([]kuscia.PartyStatus{{
		DomainID: config.Initiator.ValueString(), Endpoints: []kuscia.Endpoint{{PortName: "service", Scope: "Cluster", Endpoint: "glm-service.alice.svc"}},
	}})
	return state
}

var timeoutTypes = map[string]attr.Type{"create": types.StringType, "update": types.StringType, "delete": types.StringType}

func nullTimeouts() timeouts.Value { return timeouts.Value{Object: types.ObjectNull(timeoutTypes)} }

func createTimeout(text string) timeouts.Value {
	return timeouts.Value{Object: types.ObjectValueMust(timeoutTypes, map[string]attr.Value{
		"create": types.StringValue(text), "update": types.StringNull(), "delete": types.StringNull(),
	})}
}

func triggers(value string) types.Map {
	return types.MapValueMust(types.StringType, map[string]attr.Value{"image": types.StringValue(value)})
}

// appImage is an app image whose only template serves every role.
func appImage(name string, containers ...kuscia.Container) *kuscia.AppImage {
	return &kuscia.AppImage{Name: name, Image: kuscia.AppImageInfo{Name: "img", Tag: "1"},
		DeployTemplates: []kuscia.DeployTemplate{{Name: "t", Replicas: 1, Containers: containers}}}
}

func container(name string) kuscia.Container { return kuscia.Container{Name: name} }

// imagesOf looks up the given app images and knows no other.
func imagesOf(images ...*kuscia.AppImage) imageLookup {
	return func(name string) *kuscia.AppImage {
		for _, image := range images {
			if image.Name == name {
				return image
			}
		}
		return nil
	}
}

func anyReplicas(n int32) func(kuscia.ServingParty) int32 {
	return func(kuscia.ServingParty) int32 { return n }
}

// sameModel compares two models to the letter.
func sameModel(t rapid.TB, got, want model) {
	t.Helper()
	for _, d := range modelDifferences(got, want) {
		t.Error(d)
	}
}

// modelDifferences names the attributes in which two models are not the same
// to the letter.
func modelDifferences(got, want model) (different []string) {
	for _, attribute := range attributePairs(got, want) {
		if !attribute.a.Equal(attribute.b) {
			different = append(different, attribute.name+" is "+attribute.a.String()+", want "+attribute.b.String())
		}
	}
	return different
}

type attributePair struct {
	name string
	a, b attr.Value
}

func attributePairs(a, b model) []attributePair {
	return []attributePair{
		{"id", a.ID, b.ID},
		{"serving_id", a.ServingID, b.ServingID},
		{"initiator", a.Initiator, b.Initiator},
		{"serving_input_config", a.ServingInputConfig, b.ServingInputConfig},
		{"serving_input_config_wo", a.ServingInputConfigWO, b.ServingInputConfigWO},
		{"serving_input_config_wo_version", a.ServingInputConfigVersion, b.ServingInputConfigVersion},
		{"affinity_mode", a.AffinityMode, b.AffinityMode},
		{"parties", a.Parties.encode(), b.Parties.encode()},
		{"redeploy_triggers", a.RedeployTriggers, b.RedeployTriggers},
		{"replace_triggers", a.ReplaceTriggers, b.ReplaceTriggers},
		{"progress_deadline", a.ProgressDeadline, b.ProgressDeadline},
		{"rollout_complete", a.RolloutComplete, b.RolloutComplete},
		{"wait_for_rollout", a.WaitForRollout, b.WaitForRollout},
		{"create_time", a.CreateTime, b.CreateTime},
		{"endpoints", a.Endpoints, b.Endpoints},
		{"timeouts", a.Timeouts.Object, b.Timeouts.Object},
	}
}

func errorPaths(diags diag.Diagnostics) (paths []path.Path) {
	for _, d := range diags {
		if with, ok := d.(diag.DiagnosticWithPath); ok && d.Severity() == diag.SeverityError {
			paths = append(paths, with.Path())
		}
	}
	return paths
}

// wantErrors checks that the first error is at the first path and says so, and
// that there are no more errors than paths. Without paths there is to be none.
func wantErrors(t *testing.T, diags diag.Diagnostics, paths []path.Path, says string) {
	t.Helper()
	got := errorPaths(diags)
	if len(paths) == 0 || len(got) == 0 {
		if len(got) != len(paths) {
			t.Fatalf("errors are %v", diags)
		}
		return
	}
	if !got[0].Equal(paths[0]) || len(got) > len(paths) {
		t.Errorf("errors are at %v, want %v", got, paths)
	}
	if !strings.Contains(diags[0].Detail(), says) {
		t.Errorf("it says %q, want %q", diags[0].Detail(), says)
	}
}

// asJSON is a request as it goes over the wire.
func asJSON(t rapid.TB, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func noDiags(t rapid.TB, diags diag.Diagnostics) {
	t.Helper()
	for _, d := range diags {
		t.Errorf("%s: %s: %s", d.Severity(), d.Summary(), d.Detail())
	}
}
