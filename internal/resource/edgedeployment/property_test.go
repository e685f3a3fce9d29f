package edgedeployment

import "pgregory.net/rapid"

// drawDeployment draws a valid configuration: some attributes are set, some empty or written
// in another way.
func drawDeployment(t *rapid.T, v2 bool) tree {
	onGroup := func(config tree) { config["node_ids"], config["group_id"] = []string{}, "g" }
	probe := func(scheme string) tree {
		return tree{"http_get": tree{"path": "/", "port": int64(1), "host": "", "scheme": scheme}, "timeout_seconds": int64(3)}
	}
	changes := []func(tree){
		onGroup, attribute("description", "text"), attribute("description", ""), attribute("host_network", true), attribute("toleration_seconds", int64(3)),
		attribute("restart_policy", "Never"), attribute("restart_policy", ""), attribute("dns_policy", ""), attribute("timeouts", tree{}), attribute("annotations", tree{}),
		attribute("annotations", tree{"ring_controller": "", "autonomy_edge_selector": ""}),
		container("command", []string{}), container("command", []string{"a", " -"}), container("args", []string{"-c", ""}), container("version", ""), container("version", "1.0"),
		container("privileged", true), container("run_as_user", int64(7)), container("liveness_probe", tree{"exec": tree{"command": "true"}}),
		container("readiness_probe", probe("")), container("readiness_probe", probe("https")),
		container("resources", tree{"limits": tree{"cpu": ""}, "requests": tree{}}), container("resources", tree{"limits": tree{"cpu": "250m", "memory": "500M", "npu": "1"}, "requests": tree{"memory": "10000000"}}),
		container("envs", []any{}), container("envs", []any{tree{"name": "A", "value": ""}, tree{"name": "B", "value_from": tree{"configmap": tree{"name": "c", "key": "k"}}}}),
		container("envs", []any{tree{"name": "A", "value": "${y}"}, tree{"name": "C", "field_path": "status.hostIP"}, tree{"name": "D", "value": "x", "field_path": ""}}),
		container("volumes", []any{tree{"name": "a", "type": "hostPath", "source": "/a", "destination": "/b"}, tree{"name": "b", "type": "secret", "source": "s", "destination": "/c", "default_mode": int64(420)}}),
		container("ports", []any{tree{"container_port": int64(1), "host_port": int64(0), "host_ip": ""}}), container("ports", []any{tree{"container_port": int64(1), "host_port": int64(80), "host_ip": "127.0.0.1"}}),
	}
	onlyV3 := []func(tree){
		attribute("replicas", int64(2)), attribute("tags", map[string]string{}), attribute("tags", map[string]string{"a": "B"}), attribute("affinity", ""), attribute("affinity", " { } "), attribute("affinity", "null"),
		attribute("affinity", `{"nodeAffinity": {"a": [1,2]}}`), attribute("annotations", tree{"ring_controller": "ascend-1980"}), attribute("init_containers", []any{}),
		attribute("init_containers", []any{tree{"name": "init", "image_url": "image:1", "npu_type": "D310"}}), container("npu_type", "D310B"), container("ports", []any{tree{"container_port": int64(1), "host_port_range": tree{"min_port": int64(1), "max_port": int64(9)}}}),
		func(config tree) {
			config["containers"] = append(config["containers"].([]any), tree{"name": "second", "image_url": "image:2"})
		},
	}
	if !v2 {
		changes = append(changes, onlyV3...)
	}
	config := minimal()
	for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(changes)-1), 0, 12, rapid.ID).Draw(t, "changes") {
		changes[i](config)
	}
	if v2 {
		inV2(config)
	}
	return config
}
