package appimage

import (
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestChanges: a change of an attribute changes only that attribute and its
// revision.
func TestChanges(t *testing.T) {
	const (
		rollout = attrRolloutRevision
		other   = attrDefinitionRevision
	)
	full := func() tree {
		return minimal(
			at("config_templates", map[string]string{"a.conf": "x"}),
			inTemplate("role", "server"),
			inContainer("ports", []any{tree{"name": "http"}}),
			inContainer("env", []any{tree{"name": "A", "value": "1"}}),
			inContainer("resources", tree{"limits": tree{"cpu": "1"}}),
			inContainer("liveness_probe", tree{"http_get": tree{"port": "http"}}),
		)
	}
	tests := map[string]struct {
		change func(tree)
		path   string
		moves  []string
	}{
		"tag":               {inImage("tag", "2"), "image.tag", []string{rollout}},
		"id":                {inImage("id", "i"), "image.id", []string{other}},
		"template text":     {at("config_templates", map[string]string{"a.conf": "y"}), "config_templates", []string{other}},
		"limit":             {inContainer("resources", tree{"limits": tree{"cpu": "2"}}), "deploy_templates[0].containers[0].resources.limits.cpu", []string{rollout}},
		"replicas":          {inTemplate("replicas", 3), "deploy_templates[0].replicas", []string{other}},
		"role":              {inTemplate("role", "client"), "deploy_templates[0].role", []string{rollout, other}},
		"command":           {inContainer("command", []string{"sh"}), "deploy_templates[0].containers[0].command", []string{other}},
		"port scope":        {inContainer("ports", []any{tree{"name": "http", "scope": "Domain"}}), "deploy_templates[0].containers[0].ports[0].scope", []string{other}},
		"container renamed": {inContainer("name", "b"), "deploy_templates[0].containers[0].name", []string{rollout, other}},
		"template for more role": {func(t tree) {
			t["deploy_templates"] = append(t["deploy_templates"].([]any), tree{"name": "b", "role": "client", "containers": []any{tree{"name": "c"}}})
		}, "deploy_templates", []string{other}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			before := plan(config(full()), none()).planned
			desired := full()
			test.change(desired)
			got := plan(config(desired), before)
			if got.replace {
				t.Error("replaces")
			}
			different := appImage.Definition.Differences(definitionOf(before), definitionOf(got.planned))
			if len(different) != 1 || different[0].String() != test.path {
				t.Errorf("differences %v, want %s", different, test.path)
			}
			for _, revision := range []string{rollout, other} {
				moved := !definition.FieldsOf(before)[revision].Equal(definition.FieldsOf(got.planned)[revision])
				if moved != slices.Contains(test.moves, revision) {
					t.Errorf("%s changed: %v", revision, moved)
				}
			}
		})
	}
}

// TestUnknown: a revision is known if everything that it depends on is.
func TestUnknown(t *testing.T) {
	tests := map[string]struct {
		change              func(tree)
		rollout, definition bool
	}{
		"nothing":          {func(tree) {}, true, true},
		"name":             {at("name", definition.Unknown), true, true},
		"tag":              {inImage("tag", definition.Unknown), false, true},
		"image id":         {inImage("id", definition.Unknown), true, false},
		"config templates": {at("config_templates", definition.Unknown), true, false},
		"deploy templates": {at("deploy_templates", definition.Unknown), false, false},
		"role":             {inTemplate("role", definition.Unknown), false, false},
		"replicas":         {inTemplate("replicas", definition.Unknown), true, false},
		"one container":    {inTemplate("containers", []any{definition.Unknown}), false, false},
		"command":          {inContainer("command", definition.Unknown), true, false},
		"resources":        {inContainer("resources", definition.Unknown), false, true},
		"limit":            {inContainer("resources", tree{"limits": tree{"cpu": definition.Unknown}}), false, true},
		"probe handler":    {inContainer("liveness_probe", tree{"exec": definition.Unknown}), true, false},
	}
	for name, test := range tests {
		for what, prior := range map[string]tftypes.Value{"create": none(), "update": plan(config(minimal()), none()).planned} {
			t.Run(name+"/"+what, func(t *testing.T) {
				desired := config(minimal(test.change))
				if diags := appImage.Validate(desired); diags.HasError() {
					t.Errorf("validate: %v", diags)
				}
				if diags := appImage.CheckChange(desired, prior); diags.HasError() {
					t.Errorf("check: %v", diags)
				}
				planned := plan(desired, prior).planned
				fields := definition.FieldsOf(planned)
				if got := fields[attrRolloutRevision].IsKnown(); got != test.rollout {
					t.Errorf("rollout revision known: %v", got)
				}
				if got := fields[attrDefinitionRevision].IsKnown(); got != test.definition {
					t.Errorf("definition revision known: %v", got)
				}
				if _, diags := createRequest(planned); diags.HasError() == definitionOf(planned).IsFullyKnown() {
					t.Errorf("want errors for the unknown values only, got %v", diags)
				}
			})
		}
	}
}

// TestRevisionsOfOtherVersions: revisions in the state that another version of
// the provider computed differently stay the same while nothing changes.
func TestRevisionsOfOtherVersions(t *testing.T) {
	fields := maps.Clone(definition.FieldsOf(plan(config(minimal()), none()).planned))
	fields[attrRolloutRevision] = tftypes.NewValue(tftypes.String, "old")
	fields[attrDefinitionRevision] = tftypes.NewValue(tftypes.String, "old")
	state := tftypes.NewValue(appImage.Definition.Type(), fields)
	if got := plan(config(minimal()), state).planned; !got.Equal(state) {
		t.Error("the plan is not empty")
	}
	if got := refreshed(definitionOf(state), state); !got.Equal(state) {
		t.Error("the refresh changes the state")
	}
	got := definition.FieldsOf(plan(config(minimal(inImage("tag", "2"))), state).planned)
	if definition.StringOf(got[attrRolloutRevision]) == "old" || definition.StringOf(got[attrDefinitionRevision]) != "old" {
		t.Errorf("a new tag: %v, %v", got[attrRolloutRevision], got[attrDefinitionRevision])
	}
}

// TestStateWithoutID: a state without an ID, of an earlier version, causes no change, and gets
// its ID with the next refresh or change.
func TestStateWithoutID(t *testing.T) {
	id := func(value tftypes.Value) string { return definition.StringAt(value, "id") }
	made := plan(config(minimal()), none()).planned
	fields := maps.Clone(definition.FieldsOf(made))
	fields["id"] = tftypes.NewValue(tftypes.String, nil)
	old := tftypes.NewValue(made.Type(), fields)
	if got := plan(config(minimal()), old); got.replace || !got.planned.Equal(old) {
		t.Errorf("it plans a change, id %s", id(got.planned))
	}
	if got := plan(config(minimal(inImage("tag", "2"))), old); got.replace || id(got.planned) != "app" {
		t.Errorf("a change plans id %s, replaced %t", id(got.planned), got.replace)
	}
	if got := refreshed(definitionOf(old), old); !got.Equal(made) {
		t.Errorf("after a refresh the id is %s", id(got))
	}
}
