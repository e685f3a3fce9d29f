package edgedeployment

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestRoundTrip: a configuration that is sent and returned equals the state
// exactly and plans no change, in both versions.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v2 := rapid.Bool().Draw(t, "v2")
		config := configured(drawDeployment(t, v2))
		if found := issues(config); len(found) > 0 {
			t.Fatalf("the generated configuration is refused:\n%s", joined(found))
		}
		planned := plan(config, edgeDeployment.Definition.Null(), providerSettings{known: true, projectID: "p"}).Planned
		request, diags := createRequest(planned, config)
		if diags.HasError() {
			t.Fatal(diags)
		}
		scope := ief.Scope{Version: ief.Version(definition.StringAt(planned, "api_version"))}
		response := echo(t, scope.Version, request)
		state := edgeDeployment.Definition.With(edgeDeployment.Definition.Filled(planned, fromResponse(scope, response, planned)), nil)
		if different := edgeDeployment.Definition.Differences(planned, fromResponse(scope, response, planned)); len(different) > 0 {
			t.Fatalf("the answer differs in %v", different)
		}
		if read := refresh(scope, response, state); !read.Equal(state) {
			diff, _ := read.Diff(state)
			t.Fatalf("the refreshed state differs: %v", diff)
		}
		if again := plan(config, state, providerSettings{known: true, projectID: "p"}); !again.Planned.Equal(state) {
			diff, _ := again.Planned.Diff(state)
			t.Fatalf("a second plan has a difference: %v", diff)
		}
		// An import knows nothing of the spelling, and means the same.
		imported := refresh(scope, response, edgeDeployment.Definition.Null())
		if different := edgeDeployment.Definition.Differences(planned, imported); len(different) > 0 {
			t.Fatalf("the imported state differs in %v", different)
		}
	})
}

// echo is the response of a server that stores the request. Responses of v2
// have another form, which the client converts; v2_test.go of the client tests
// that.
func echo(t *rapid.T, version ief.Version, request *ief.CreateRequest) *ief.Deployment {
	encoded, err := json.Marshal(request.Deployment.Template)
	if err != nil {
		t.Fatal(err)
	}
	var stored ief.Template
	if err := json.Unmarshal(encoded, &stored); err != nil {
		t.Fatal(err)
	}
	return &ief.Deployment{
		ID: "id-1", Name: request.Name, Description: request.Description, GroupID: request.GroupID, NodeIDs: request.NodeIDs,
		Tags: request.Tags, Replicas: request.Deployment.Replicas, Annotations: request.Deployment.Annotations, Template: &stored,
		ProjectID: "p", CreatedAt: "now", Source: request.Source, APIVersion: string(version),
	}
}

func drawDeployment(t *rapid.T, v2 bool) tree {
	config := tree{"name": "lite"}
	maybe := func(label string, do func()) {
		if rapid.Bool().Draw(t, label) {
			do()
		}
	}
	if rapid.Bool().Draw(t, "on a group") {
		config["group_id"] = "g"
	} else {
		config["node_ids"] = []string{"n"}
	}
	maybe("description", func() { config["description"] = rapid.StringMatching(`[a-z ]{0,9}`).Draw(t, "text") })
	maybe("host network", func() { config["host_network"] = rapid.Bool().Draw(t, "is") })
	maybe("toleration", func() { config["toleration_seconds"] = rapid.Int64Range(0, 9).Draw(t, "seconds") })
	maybe("restart", func() {
		config["restart_policy"] = rapid.SampledFrom([]string{"Always", "OnFailure", "Never"}).Draw(t, "policy")
	})
	count := 1
	if v2 {
		config["api_version"] = "v2"
	} else {
		count = rapid.IntRange(1, 3).Draw(t, "containers")
		maybe("replicas", func() { config["replicas"] = rapid.Int64Range(1, 99).Draw(t, "n") })
		maybe("tags", func() {
			config["tags"] = rapid.MapOfN(rapid.StringMatching(`[a-z]{1,3}`), rapid.StringMatching(`[A-Z]{1,3}`), 0, 3).Draw(t, "tags")
		})
		maybe("affinity", func() {
			config["affinity"] = rapid.SampledFrom([]string{`{"nodeAffinity": {"a": [1,2]}}`, "", "{}", " { } ", "null"}).Draw(t, "json")
		})
		maybe("init", func() { config["init_containers"] = []any{drawContainer(t, "init", v2)} })
	}
	maybe("annotations", func() {
		config["annotations"] = rapid.SampledFrom(drawnAnnotations(v2)).Draw(t, "which")
	})
	drawEmpty(t, config, "empty", map[string]any{
		"description": "", "node_ids": []string{}, "group_id": "", "tags": map[string]string{}, "init_containers": []any{}, "affinity": "", "timeouts": tree{},
		"restart_policy": "", "dns_policy": "",
	})
	var containers []any
	for i := range count {
		containers = append(containers, drawContainer(t, "c"+string(rune('0'+i)), v2))
	}
	config["containers"] = containers
	return config
}

// drawnAnnotations are those that a version takes.
func drawnAnnotations(v2 bool) []tree {
	empty := []tree{{}, {"ring_controller": ""}, {"ring_controller": "", "autonomy_edge_selector": ""}}
	if v2 {
		return empty
	}
	return append(empty, tree{"ring_controller": "ascend-1980"}, tree{"ring_controller": "", "autonomy_edge_selector": "g"})
}

// drawEmpty sets some omitted attributes to empty values.
func drawEmpty(t *rapid.T, config tree, label string, empty map[string]any) {
	names := make([]string, 0, len(empty))
	for name := range empty {
		if _, has := config[name]; !has {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if rapid.Bool().Draw(t, label+" "+name) {
			config[name] = empty[name]
		}
	}
}

func drawContainer(t *rapid.T, name string, v2 bool) tree {
	c := tree{"name": name, "image_url": "image:1"}
	maybe := func(label string, do func()) {
		if rapid.Bool().Draw(t, label) {
			do()
		}
	}
	words := rapid.SliceOfN(rapid.StringMatching(`[a-z -]{0,5}`), 0, 3)
	maybe("command", func() { c["command"] = words.Draw(t, "words") })
	maybe("args", func() { c["args"] = words.Draw(t, "words") })
	maybe("version", func() { c["version"] = "1.0" })
	maybe("privileged", func() { c["privileged"] = true })
	maybe("user", func() { c["run_as_user"] = rapid.Int64Range(0, 65534).Draw(t, "uid") })
	maybe("resources", func() {
		side := func(label string) tree {
			return tree{
				"cpu":    rapid.SampledFrom([]string{"", "0.5", "250m", "2"}).Draw(t, label+" cpu"),
				"memory": rapid.SampledFrom([]string{"", "512Mi", "1Gi", "500M", "10000000"}).Draw(t, label+" memory"),
				"npu":    rapid.SampledFrom([]string{"", "1", "2"}).Draw(t, label+" npu"),
			}
		}
		c["resources"] = tree{"limits": side("limit"), "requests": side("request")}
	})
	maybe("envs", func() {
		c["envs"] = []any{
			tree{"name": "A", "value": rapid.SampledFrom([]string{"", "x", "${y}"}).Draw(t, "value")},
			tree{"name": "B", "value_from": tree{"configmap": tree{"name": "c", "key": "k"}}},
			tree{"name": "C", "field_path": "status.hostIP"},
			tree{"name": "D", "value": "x", "field_path": ""},
		}
	})
	maybe("volumes", func() {
		c["volumes"] = []any{
			tree{"name": "a", "type": "hostPath", "source": "/a", "destination": "/b", "read_only": rapid.Bool().Draw(t, "read only")},
			tree{"name": "b", "type": "secret", "source": "s", "destination": "/c", "default_mode": rapid.SampledFrom([]int64{256, 420}).Draw(t, "mode")},
		}
	})
	maybe("ports", func() {
		port := tree{"container_port": rapid.Int64Range(1, 65535).Draw(t, "port")}
		switch {
		case rapid.Bool().Draw(t, "host port"):
			port["host_port"], port["host_ip"] = int64(80), "127.0.0.1"
		case rapid.Bool().Draw(t, "zero"):
			port["host_port"], port["host_ip"] = int64(0), ""
		case !v2 && rapid.Bool().Draw(t, "range"):
			port["host_port_range"] = tree{"min_port": int64(1), "max_port": int64(9)}
		}
		c["ports"] = []any{port}
	})
	maybe("liveness", func() { c["liveness_probe"] = tree{"exec": tree{"command": "true"}} })
	maybe("readiness", func() {
		c["readiness_probe"] = tree{
			"http_get":        tree{"path": "/", "port": int64(1), "host": "", "scheme": rapid.SampledFrom([]string{"", "HTTP", "https"}).Draw(t, "scheme")},
			"timeout_seconds": rapid.Int64Range(1, 3600).Draw(t, "timeout"),
		}
	})
	if !v2 {
		maybe("npu type", func() { c["npu_type"] = rapid.SampledFrom([]string{"", "D310", "D310B"}).Draw(t, "type") })
	}
	drawEmpty(t, c, "empty", map[string]any{
		"command": []string{}, "args": []string{}, "version": "", "npu_type": "", "envs": []any{}, "volumes": []any{}, "ports": []any{},
		"resources": rapid.SampledFrom([]tree{{}, {"limits": tree{}}, {"limits": tree{"cpu": ""}, "requests": tree{}}}).Draw(t, "resources"),
	})
	return c
}

// TestResponse_noTemplate: a v2 response without instances does not change the
// template in the state.
func TestResponse_noTemplate(t *testing.T) {
	t.Parallel()
	state := stored(t, minimal(inV2), nil)
	scope := ief.Scope{Version: ief.V2}
	read := refresh(scope, &ief.Deployment{ID: "id-1", Name: "lite", Replicas: 1, ProjectID: "p", CreatedAt: "now", Description: "changed"}, state)
	different := edgeDeployment.Definition.Differences(state, read)
	if len(different) != 1 || !different[0].Equal(path.Root("description")) {
		t.Errorf("differs in %v", different)
	}
	if definition.StringOf(definition.FieldsOf(read)["description"]) != "changed" {
		t.Error("the description is not read")
	}
}
