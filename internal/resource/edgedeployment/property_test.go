package edgedeployment

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// drawn generates valid configurations of a version of the API.
func drawn(unknowns, v2 bool) definitiontest.Generator {
	memory := []string{"", "500M", "10000000", "512Mi", "0.5Gi"}
	count := []string{"", "1", "2000m"}
	timeout := []string{"1m", "60s"}
	g := definitiontest.Generator{
		Definition: edgeDeployment.Definition, Fixed: tree{"name": "lite"}, Unknowns: unknowns,
		Rare:      []string{"instance_id", "source", "group_id", "tags", "annotations"},
		OneOf:     [][]string{{"value", "value_from", "field_path"}, {"secret", "configmap"}, {"exec", "http_get"}, {"host_port", "host_port_range"}},
		Distinct:  [][]string{{"envs"}, {"containers", "init_containers"}},
		Spellings: map[string][][]string{"value": {{""}, {"${y}"}, {"x"}, {`{"a":1}`, `{ "a":1.0 }`}}}, WriteOnly: true,
		Texts: map[string][]string{
			"api_version": {"v3"}, "instance_id": {"", "i"}, "source": {"userdefined", "userdefine", "iem"}, "group_id": {"", "g"}, "tags": {"B", "c"}, "ring_controller": {"", ringController},
			"restart_policy": {"", "Always", "OnFailure", "Never"}, "dns_policy": {"", "Default", "ClusterFirst"}, "create": timeout, "update": timeout, "delete": timeout,
			"affinity": {"", " { } ", "null", `{"nodeAffinity": {"a": [1,2]}}`, `{ "nodeAffinity":{"a":[1, 2]} }`}, "name": {"a", "a", "a", "b"}, "image_url": {"kuscia:1", "kuscia:2"},
			"version": {"", "", "", "1.0"}, "npu_type": {"", "D310", "D310B"}, "command": {"a", " -"}, "path": {"/", "/a"}, "scheme": {"", "HTTP", "https"}, "host_ip": {"", "127.0.0.1"},
			"cpu": {"", "250m", "0.25", "1"}, "memory": memory, "gpu": memory, "npu": count, "d310": count, "d310b": count, "field_path": {"", hostIPField},
			"key": {"k", "l"}, "type": {volumeHostPath, volumeEmptyDir, volumeConfigMap, volumeSecret}, "destination": {"/c", "/d"},
		},
		Numbers: map[string][]int{
			"replicas": {1, 2}, "toleration_seconds": {0, 3}, "default_mode": {defaultFileMode, 256}, "run_as_user": {0, 7}, "container_port": {1, 2}, "host_port": {0, 80},
			"port": {1, 2}, "min_port": {1, 2}, "max_port": {8, 9}, "initial_delay_seconds": {defaultInitialDelay, 3}, "timeout_seconds": {defaultProbeTimeout, 3},
		},
		Change: func(t *rapid.T, out tree) tree { return fitting(t, out, v2) },
		Changes: map[string]func(*rapid.T, tree){
			"volumes": func(t *rapid.T, volume tree) {
				if sources := map[any][]string{volumeHostPath: {"/a", "/b"}, volumeEmptyDir: {"disk", "memory"}}[volume["type"]]; sources != nil {
					volume["source"], volume["default_mode"] = rapid.SampledFrom(sources).Draw(t, "source"), nil
				} else if volume["read_only"] == false {
					volume["read_only"] = nil
				}
			},
		},
	}
	if v2 {
		g.Fixed = tree{"name": "lite", "api_version": "v2", "source": nil, "tags": map[string]string{}, "init_containers": []any{}}
		g.Numbers["replicas"], g.Texts["affinity"] = []int{1}, []string{"", " { } ", "null"}
		g.Changes["ports"] = func(_ *rapid.T, port tree) { port["host_port_range"] = nil }
		for _, name := range []string{"npu_type", "d310", "d310b", "ring_controller", "autonomy_edge_selector"} {
			g.Texts[name] = []string{""}
		}
	}
	return g
}

// fitting makes the attributes of a generated configuration fit; few wait.
func fitting(t *rapid.T, out tree, v2 bool) tree {
	if out["group_id"] == "g" {
		out["node_ids"] = []string{}
	} else if out["node_ids"] != definition.Unknown {
		out["node_ids"] = []string{"node-1"}
	}
	if out["dns_policy"] == "ClusterFirst" && out["host_network"] == true {
		out["dns_policy"] = "ClusterFirstWithHostNet"
	}
	if rapid.IntRange(0, 9).Draw(t, "waits") > 0 {
		out["wait_for_rollout"] = false
	}
	switch containers, known := out["containers"].([]any); {
	case known && len(containers) == 0:
		out["containers"] = minimal()["containers"]
	case known && v2:
		out["containers"] = containers[:1]
	}
	return out
}

// TestProperties: any configuration can be applied over any prior state, and shortcuts
// respond as the framework does.
func TestProperties(t *testing.T) {
	inBoth(t, func(t *testing.T, version func(tree)) {
		t.Helper()
		c, server := runOf(t, sandbox.Options{InstanceIDs: []string{"i"}, Timing: sandbox.Timing{Start: time.Nanosecond}})
		v2, d := minimal(version)["api_version"] == "v2", edgeDeployment.Definition
		settings := providerSettings{known: true, projectID: "p", instanceID: "i"}
		created := configured(tree{"id": "id-1", "created_at": "now", "source": "userdefine", definition.AttrRolloutComplete: true})
		crudtest.Property{
			Bare: crudtest.NewServer(t, edgeDeployment, c), Fast: crudtest.NewFastServer(t, edgeDeployment, c),
			Issues: issues, Valid: true, Warns: "Edge deployment is replaced",
			OneIn:     short.Count(5, 1), // each case is dozens of requests over HTTP
			Full:      configured(minimal(version, attribute("wait_for_rollout", false))),
			Generator: func(unknowns bool) definitiontest.Generator { return drawn(unknowns, v2) },
			Plan:      func(config, prior definition.Value) definition.Value { return plan(config, prior, settings).Planned },
			Prior:     func(_ *rapid.T, _, planned definition.Value) definition.Value { return d.Filled(planned, created) },
			Remove:    func() { server.Drop("lite") },
			Drift: func(t *rapid.T, state crudtest.State) {
				protocol.NoError(t, c.IEF.Client.Update(t.Context(), scopeOf(state.Value, nil), state.Text("id"), &ief.UpdateRequest{Description: new("changed")}))
			},
		}.Check(t)
	})
}
