package appimage

import (
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestSpellings: omitted, empty and differently spelled values have the same
// meaning, for each of the spellings in the state.
func TestSpellings(t *testing.T) {
	groups := map[string][]func(tree){
		"config_templates":   {at("config_templates", nil), at("config_templates", map[string]string{})},
		"image id":           {inImage("id", nil), inImage("id", "")},
		"image sign":         {inImage("sign", nil), inImage("sign", "")},
		"role":               {inTemplate("role", nil), inTemplate("role", "")},
		"replicas":           {inTemplate("replicas", nil), inTemplate("replicas", 1)},
		"restart_policy":     {inTemplate("restart_policy", nil), inTemplate("restart_policy", "")},
		"command":            {inContainer("command", nil), inContainer("command", []string{})},
		"args":               {inContainer("args", nil), inContainer("args", []string{})},
		"working_dir":        {inContainer("working_dir", nil), inContainer("working_dir", "")},
		"mounts":             {inContainer("config_volume_mounts", nil), inContainer("config_volume_mounts", []any{})},
		"ports":              {inContainer("ports", nil), inContainer("ports", []any{})},
		"env":                {inContainer("env", nil), inContainer("env", []any{})},
		"env value":          {inContainer("env", []any{tree{"name": "A"}}), inContainer("env", []any{tree{"name": "A", "value": ""}})},
		"env_from":           {inContainer("env_from", nil), inContainer("env_from", []any{})},
		"env_from prefix":    {inContainer("env_from", []any{tree{"secret_ref": tree{"name": "s"}}}), inContainer("env_from", []any{tree{"prefix": "", "secret_ref": tree{"name": "s"}}})},
		"image_pull_policy":  {inContainer("image_pull_policy", nil), inContainer("image_pull_policy", "")},
		"protocol and scope": {inContainer("ports", []any{tree{"name": "p"}}), inContainer("ports", []any{tree{"name": "p", "protocol": "HTTP", "scope": "Local"}}), inContainer("ports", []any{tree{"name": "p", "protocol": "", "scope": ""}})},
		"no resources": {
			inContainer("resources", nil), inContainer("resources", tree{}),
			inContainer("resources", tree{"limits": tree{}}), inContainer("resources", tree{"limits": tree{"cpu": ""}, "requests": tree{"memory": ""}}),
		},
		"resources": {
			inContainer("resources", tree{"limits": tree{"cpu": "0.1", "memory": "1024Mi"}}),
			inContainer("resources", tree{"limits": tree{"cpu": "100m", "memory": "1Gi"}, "requests": tree{}}),
			inContainer("resources", tree{"limits": tree{"cpu": ".1", "memory": "1073741824"}, "requests": tree{"cpu": ""}}),
		},
		"probe numbers": {
			inContainer("liveness_probe", tree{"exec": tree{"command": []string{"true"}}}),
			inContainer("liveness_probe", tree{"exec": tree{"command": []string{"true"}}, "period_seconds": 0, "termination_grace_period_seconds": 0}),
		},
		"empty probe": {
			inContainer("startup_probe", tree{}), inContainer("startup_probe", tree{"timeout_seconds": 0}),
		},
		"http_get": {
			inContainer("readiness_probe", tree{"http_get": tree{"port": "p"}}),
			inContainer("readiness_probe", tree{"http_get": tree{"port": "p", "path": "", "host": "", "scheme": "", "http_headers": []any{}}}),
		},
		"exec command": {
			inContainer("readiness_probe", tree{"exec": tree{}}), inContainer("readiness_probe", tree{"exec": tree{"command": []string{}}}),
		},
		"tcp_socket": {
			inContainer("readiness_probe", tree{"tcp_socket": tree{"port": "p"}}), inContainer("readiness_probe", tree{"tcp_socket": tree{"port": "p", "host": ""}}),
		},
		"grpc": {
			inContainer("readiness_probe", tree{"grpc": tree{"port": 1}}), inContainer("readiness_probe", tree{"grpc": tree{"port": 1, "service": ""}}),
		},
	}
	for name, spellings := range groups {
		t.Run(name, func(t *testing.T) {
			var first tftypes.Value
			for i, spelling := range spellings {
				state := created(t, minimal(spelling))
				imported := refreshed(definitionOf(state), none())
				if i == 0 {
					first = state
				}
				for _, revision := range []string{attrRolloutRevision, attrDefinitionRevision} {
					if !definition.FieldsOf(state)[revision].Equal(definition.FieldsOf(first)[revision]) {
						t.Errorf("spelling %d has another %s", i, revision)
					}
				}
				for j, other := range spellings {
					for what, prior := range map[string]tftypes.Value{"created": state, "imported": imported} {
						got := plan(config(minimal(other)), prior)
						if got.replace || len(appImage.Definition.Sent(definitionOf(prior), definitionOf(got.planned))) > 0 {
							diff, _ := got.planned.Diff(prior)
							t.Errorf("from %s with spelling %d to %d: a change: %v", what, i, j, diff)
						}
						if again := plan(config(minimal(other)), got.planned); !again.planned.Equal(got.planned) {
							t.Errorf("from %s with spelling %d to %d: not kept as written", what, i, j)
						}
					}
				}
			}
		})
	}
}

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
		"image name":        {inImage("name", "example/other"), "image.name", []string{rollout}},
		"id":                {inImage("id", "i"), "image.id", []string{other}},
		"sign":              {inImage("sign", "s"), "image.sign", []string{other}},
		"template text":     {at("config_templates", map[string]string{"a.conf": "y"}), "config_templates", []string{other}},
		"templates cleared": {at("config_templates", nil), "config_templates", []string{other}},
		"limit":             {inContainer("resources", tree{"limits": tree{"cpu": "2"}}), "deploy_templates[0].containers[0].resources.limits.cpu", []string{rollout}},
		"limit removed":     {inContainer("resources", nil), "deploy_templates[0].containers[0].resources.limits.cpu", []string{rollout}},
		"request added":     {inContainer("resources", tree{"limits": tree{"cpu": "1"}, "requests": tree{"memory": "1Mi"}}), "deploy_templates[0].containers[0].resources.requests.memory", []string{rollout}},
		"replicas":          {inTemplate("replicas", 3), "deploy_templates[0].replicas", []string{other}},
		"role":              {inTemplate("role", "client"), "deploy_templates[0].role", []string{rollout, other}},
		"command":           {inContainer("command", []string{"sh"}), "deploy_templates[0].containers[0].command", []string{other}},
		"port scope":        {inContainer("ports", []any{tree{"name": "http", "scope": "Domain"}}), "deploy_templates[0].containers[0].ports[0].scope", []string{other}},
		"port added":        {inContainer("ports", []any{tree{"name": "http"}, tree{"name": "rpc"}}), "deploy_templates[0].containers[0].ports", []string{other}},
		"env":               {inContainer("env", []any{tree{"name": "A", "value": "2"}}), "deploy_templates[0].containers[0].env[0].value", []string{other}},
		"probe removed":     {inContainer("liveness_probe", nil), "deploy_templates[0].containers[0].liveness_probe", []string{other}},
		"probe emptied":     {inContainer("liveness_probe", tree{}), "deploy_templates[0].containers[0].liveness_probe.http_get", []string{other}},
		"probe path":        {inContainer("liveness_probe", tree{"http_get": tree{"port": "http", "path": "/"}}), "deploy_templates[0].containers[0].liveness_probe.http_get.path", []string{other}},
		"container renamed": {inContainer("name", "b"), "deploy_templates[0].containers[0].name", []string{rollout, other}},
		"template renamed":  {inTemplate("name", "b"), "deploy_templates[0].name", []string{other}},
		"image_pull_policy": {inContainer("image_pull_policy", "Always"), "deploy_templates[0].containers[0].image_pull_policy", []string{other}},
		"restart_policy":    {inTemplate("restart_policy", "Never"), "deploy_templates[0].restart_policy", []string{other}},
		"working_dir":       {inContainer("working_dir", "/w"), "deploy_templates[0].containers[0].working_dir", []string{other}},
		"template for more role": {func(t tree) {
			t["deploy_templates"] = append(t["deploy_templates"].([]any), tree{"name": "b", "role": "client", "containers": []any{tree{"name": "c"}}})
		}, "deploy_templates", []string{other}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			before := created(t, full())
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
			after := afterApply(t, got.planned)
			if again := plan(config(desired), after); !again.planned.Equal(after) {
				t.Error("the next plan is not empty")
			}
		})
	}
}

func TestNameReplaces(t *testing.T) {
	before := created(t, minimal())
	got := plan(config(minimal(at("name", "other"))), before)
	if !got.replace {
		t.Error("a change of the name does not replace")
	}
	for _, revision := range []string{attrRolloutRevision, attrDefinitionRevision} {
		if !definition.FieldsOf(before)[revision].Equal(definition.FieldsOf(got.planned)[revision]) {
			t.Errorf("a change of the name changes %s", revision)
		}
	}
	if got := plan(config(minimal(at("name", definition.Unknown))), before); !got.replace {
		t.Error("an unknown name does not replace")
	}
	if plan(config(minimal()), none()).replace {
		t.Error("a create replaces")
	}
}

// TestUnknown: a revision is known if everything that it depends on is.
func TestUnknown(t *testing.T) {
	tests := map[string]struct {
		change              func(tree)
		rollout, definition bool
	}{
		"nothing":                {func(tree) {}, true, true},
		"name":                   {at("name", definition.Unknown), true, true},
		"tag":                    {inImage("tag", definition.Unknown), false, true},
		"image":                  {at("image", definition.Unknown), false, false},
		"image id":               {inImage("id", definition.Unknown), true, false},
		"config templates":       {at("config_templates", definition.Unknown), true, false},
		"one config template":    {func(t tree) { t["config_templates"] = definition.Unknown }, true, false},
		"deploy templates":       {at("deploy_templates", definition.Unknown), false, false},
		"one deploy template":    {at("deploy_templates", []any{definition.Unknown}), false, false},
		"role":                   {inTemplate("role", definition.Unknown), false, false},
		"replicas":               {inTemplate("replicas", definition.Unknown), true, false},
		"containers":             {inTemplate("containers", definition.Unknown), false, false},
		"one container":          {inTemplate("containers", []any{definition.Unknown}), false, false},
		"container name":         {inContainer("name", definition.Unknown), false, false},
		"command":                {inContainer("command", definition.Unknown), true, false},
		"one argument":           {inContainer("args", []any{"a", definition.Unknown}), true, false},
		"resources":              {inContainer("resources", definition.Unknown), false, true},
		"limits":                 {inContainer("resources", tree{"limits": definition.Unknown}), false, true},
		"limit":                  {inContainer("resources", tree{"limits": tree{"cpu": definition.Unknown}}), false, true},
		"probe":                  {inContainer("liveness_probe", definition.Unknown), true, false},
		"probe handler":          {inContainer("liveness_probe", tree{"exec": definition.Unknown}), true, false},
		"one environment":        {inContainer("env", []any{definition.Unknown}), true, false},
		"one environment source": {inContainer("env_from", []any{tree{"secret_ref": definition.Unknown}}), true, false},
	}
	for name, test := range tests {
		for what, prior := range map[string]tftypes.Value{"create": none(), "update": created(t, minimal())} {
			t.Run(name+"/"+what, func(t *testing.T) {
				desired := config(minimal(test.change))
				if diags := appImage.Validate(desired); diags.HasError() {
					t.Errorf("validate: %v", diags)
				}
				if diags := appImage.CheckPlan(desired, prior); diags.HasError() {
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
	fields := maps.Clone(definition.FieldsOf(created(t, minimal())))
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

// TestRefreshShowsDrift: values that differ in meaning are refreshed, and the
// others keep their spelling.
func TestRefreshShowsDrift(t *testing.T) {
	state := created(t, minimal(inContainer("resources", tree{"limits": tree{"cpu": "0.1", "memory": "1024Mi"}})))
	wire := wired(definitionOf(state))
	response := served(wire)
	response.DeployTemplates[0].Containers[0].Resources.Limits.CPU = "200m"
	response.Image.Tag = ""
	now := refreshed(answered(response), state)
	different := appImage.Definition.Differences(definitionOf(state), definitionOf(now))
	want := []string{"deploy_templates[0].containers[0].resources.limits.cpu", "image.tag"}
	if len(different) != 2 || different[0].String() != want[0] || different[1].String() != want[1] {
		t.Errorf("got %v, want %v", different, want)
	}
	spelled := wired(definitionOf(now))
	if got := spelled.DeployTemplates[0].Containers[0].Resources.Limits; got.CPU != "200m" || got.Memory != "1024Mi" {
		t.Errorf("got limits %+v", got)
	}
}

// TestPlanID: the ID is the name, planned as soon as the name is known. A state
// without an ID causes no change, and gets its ID with the next refresh or
// change.
func TestPlanID(t *testing.T) {
	id := func(value tftypes.Value) tftypes.Value { return definition.FieldsOf(value)["id"] }
	text := func(s any) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }
	named := func(name any) func(tree) { return func(t tree) { t["name"] = name } }
	made := plan(config(minimal()), none()).planned
	if !id(made).Equal(text("app")) {
		t.Errorf("the id of a new app image is %s", id(made))
	}
	if got := plan(config(minimal(named(definition.Unknown))), none()).planned; id(got).IsKnown() {
		t.Errorf("the id of an unknown name is %s", id(got))
	}
	if got := plan(config(minimal(named("other"))), made); !got.replace || !id(got.planned).Equal(text("other")) {
		t.Errorf("the id of another name is %s, replaced %t", id(got.planned), got.replace)
	}

	fields := maps.Clone(definition.FieldsOf(made))
	fields["id"] = text(nil)
	old := tftypes.NewValue(made.Type(), fields)
	if got := plan(config(minimal()), old); got.replace || !got.planned.Equal(old) {
		t.Errorf("a state without an id plans a change, id %s", id(got.planned))
	}
	changed := plan(config(minimal(func(t tree) { t["image"] = tree{"name": "example/app", "tag": "2"} })), old)
	if changed.replace || !id(changed.planned).Equal(text("app")) {
		t.Errorf("a change of a state without an id plans id %s, replaced %t", id(changed.planned), changed.replace)
	}
	if got := refreshed(definitionOf(old), old); !got.Equal(made) {
		t.Errorf("a state without an id has %s after a refresh", id(got))
	}
}
