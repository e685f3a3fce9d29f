package lifetest_test

import "github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"

func init() {
	lives["kuscia_edge_deployment"] = edgeDeployments("")
	lives["kuscia_edge_deployment, v2 in an instance"] = edgeDeployments("v2").inV2()
}

// edgeDeployments is the life of deployments of a version of the API, "" for v3.
func edgeDeployments(version string) life {
	variants := map[string]variant{
		"settings": {
			full: attrs{
				"description": "one", "replicas": 2, "affinity": `{"nodeAffinity":{"a":1}}`, "force_destroy": true, "host_network": false, "host_pid": true,
				"restart_policy": "OnFailure", "dns_policy": "ClusterFirst", "timeouts": attrs{"create": "1m", "update": "1m", "delete": "1m"}, "wait_for_rollout": true,
			},
			changed: attrs{
				"description": "two", "replicas": 3, "affinity": `{"nodeAffinity":{"a":2}}`, "force_destroy": false, "host_network": true, "host_pid": false,
				"restart_policy": "Never", "dns_policy": "ClusterFirstWithHostNet", "timeouts": attrs{"create": "2m", "update": "2m", "delete": "2m"}, "wait_for_rollout": false,
			},
			spelled:  attrs{"affinity": `{ "nodeAffinity": {"a": 1} }`},
			together: [][]string{{"host_network", "dns_policy"}},
		},
		"group": {
			full:    attrs{"node_ids": nil, "group_id": "g", "migration": true, "toleration_seconds": 3},
			changed: attrs{"node_ids": nil, "group_id": "g", "migration": false, "toleration_seconds": 4},
		},
	}
	handler := map[string]func(n int) attrs{
		"exec": func(n int) attrs { return attrs{"exec": attrs{"command": pick(n, jsonText, "true")}} },
		"http_get": func(n int) attrs {
			return attrs{"http_get": attrs{"path": pick(n, "/a", "/b"), "port": n, "host": pick(n, "h1", "h2"), "scheme": pick(n, "HTTP", "HTTPS")}}
		},
	}
	probe := func(n int, handled string) attrs {
		return with(attrs{"initial_delay_seconds": n * 10, "timeout_seconds": n}, handler[handled](n))
	}
	contents := map[string]func(n int) attrs{
		"process": func(n int) attrs {
			return attrs{
				"name": pick(n, "one", "two"), "image_url": pick(n, "kuscia:1", "kuscia:2"),
				"version": pick(n, "v1", "v2"), "command": []any{pick(n, jsonText, "bash")}, "args": []any{pick(n, jsonText, "-x")}, "privileged": n == 1, "run_as_user": n,
				"liveness_probe": probe(n, "exec"), "readiness_probe": probe(n, "http_get"),
			}
		},
		"resources": func(n int) attrs {
			amounts := attrs{"cpu": pick(n, "0.5", "1"), "memory": pick(n, "512Mi", "1Gi"), "gpu": pick(n, "1Gi", "2Gi"), "npu": pick(n, "1", "2")}
			return attrs{
				"resources": attrs{"limits": amounts, "requests": amounts}, "npu_type": pick[any](n, "D310B", nil),
				"liveness_probe": probe(n, "http_get"), "readiness_probe": probe(n, "exec"),
			}
		},
		"NPUs": func(n int) attrs {
			amounts := attrs{"d310": pick(n, "1", "2"), "d310b": pick(n, "1", "2")}
			return attrs{"resources": attrs{"limits": amounts, "requests": amounts}}
		},
		"environment": func(n int) attrs {
			return attrs{
				"envs": []any{
					attrs{"name": pick(n, "A", "B"), "value": pick(n, jsonText, "2")}, attrs{"name": "HOST", "field_path": "status.hostIP"},
					attrs{"name": "S", "value_from": attrs{"secret": attrs{"name": pick(n, "s", "t"), "key": pick(n, "k", "l")}}},
					attrs{"name": "C", "value_from": attrs{"configmap": attrs{"name": pick(n, "s", "t"), "key": pick(n, "k", "l")}}},
				},
				"volumes": []any{
					attrs{"name": pick(n, "a", "b"), "type": "hostPath", "source": pick(n, "/a", "/b"), "destination": pick(n, "/c", "/d"), "read_only": n == 1},
					attrs{"name": "v", "type": pick(n, "configMap", "secret"), "source": "s", "destination": "/e", "default_mode": pick(n, 256, 384)},
				},
				"ports": []any{
					attrs{"container_port": n, "host_port": n + 10, "host_ip": pick(n, "10.0.0.1", "10.0.0.2")},
					attrs{"container_port": 80, "host_port_range": attrs{"min_port": n + 100, "max_port": n + 200}},
				},
			}
		},
		"hidden environment": func(n int) attrs {
			return attrs{"envs": []any{attrs{"name": "A", "value_wo": pick(n, "1", "2"), "value_wo_version": n}}}
		},
	}
	app := attrs{"name": "app", "image_url": "kuscia:1"}
	for what, content := range contents {
		of := func(place string) {
			config := func(n int) attrs {
				one := with(attrs{"name": "one", "image_url": "kuscia:1"}, content(n))
				if place == "containers" {
					return attrs{"containers": []any{one}}
				}
				return attrs{"containers": []any{app}, place: []any{one}}
			}
			v := variant{full: config(1), changed: config(2)}
			v.spelled, _ = respelled(v.full).(attrs)
			if what == "hidden environment" {
				v.hidden = []string{place + ".envs.value"}
			}
			variants[place+": "+what] = v
		}
		of("containers")
		if version == "" {
			of("init_containers")
		}
	}
	l := life{
		warns:   []string{"Edge deployment is replaced"},
		cli:     "containers: environment",
		servers: edge,
		id: func(_ string, state protocol.State) string {
			if instance := state.Text("instance_id"); instance != "" {
				return instance + "/" + state.Text("id")
			}
			return state.Text("id")
		},
		minimal: func(name string) attrs {
			return attrs{"name": name, "node_ids": []any{"node-1"}, "containers": []any{app}}
		},
		variants: variants,
		besides:  func(string) attrs { return attrs{"description": "besides"} },
		replacements: map[string]func(string) attrs{
			"name": func(name string) attrs { return attrs{"name": name} }, "node_ids": func(string) attrs { return attrs{"node_ids": []any{"node-2"}} },
			"group_id": func(string) attrs { return attrs{"node_ids": nil, "group_id": "g"} }, "api_version": func(string) attrs { return attrs{"api_version": "v2"} },
			"tags": func(string) attrs { return attrs{"tags": attrs{"a": "b"}} }, "source": func(string) attrs { return attrs{"source": "iem"} },
			"instance_id": func(string) attrs { return attrs{"instance_id": "i-1"} },
			"annotations": func(string) attrs {
				return attrs{"annotations": attrs{"ring_controller": "ascend-1980", "autonomy_edge_selector": "g"}}
			},
		},
		uncovered: map[string]string{
			"api_version": "replaced", "tags": "replaced", "source": "replaced", "instance_id": "replaced", "group_id": "replaced", "annotations": "replaced",
			"containers.envs.field_path": "only one value is allowed", "init_containers.envs.field_path": "only one value is allowed",
			"annotations.ring_controller": "replaced", "annotations.autonomy_edge_selector": "replaced",
		},
		bad: map[string]badInput{
			"name":     {attrs{"name": "No_Name"}, "name", "No_Name"},
			"no place": {attrs{"node_ids": nil}, "node_ids", "group_id"},
			"version":  {attrs{"api_version": "v4"}, "api_version", "v4"},
		},
	}
	if version != "" {
		v3 := l.minimal
		l.minimal = func(name string) attrs { return with(v3(name), attrs{"api_version": version, "instance_id": "i-1"}) }
	}
	return l
}

// inV2 leaves out what version v2 of the API does not have, or takes in a create only.
func (l life) inV2() life {
	delete(l.variants, "containers: NPUs")
	for name, v := range l.variants {
		for _, config := range []attrs{v.full, v.changed, v.spelled} {
			delete(config, "affinity")
			delete(config, "replicas")
			containers, _ := config["containers"].([]any)
			for _, container := range containers {
				delete(container.(attrs), "npu_type")
				if ports, ok := container.(attrs)["ports"].([]any); ok {
					container.(attrs)["ports"] = ports[:1] // without a range
				}
			}
		}
		v.replaced = []string{"containers.0.name", "containers.0.version"}
		v.replacedBack = v.replaced
		l.variants[name] = v
	}
	for _, name := range []string{"tags", "source", "annotations"} {
		delete(l.replacements, name)
	}
	l.replacements["api_version"] = func(string) attrs { return attrs{"api_version": "v3"} }
	delete(l.replacements, "instance_id") // one that is left out keeps its value
	l.lookup = attrs{"api_version": "v2"}
	delete(l.uncovered, "api_version")
	delete(l.uncovered, "instance_id")
	delete(l.bad, "version")
	l.bad["v3 only"] = badInput{attrs{"affinity": `{"nodeAffinity":{"a":1}}`}, "affinity", "exists only in version v3 of the deployment API"}
	for _, path := range settable("", schemas.ResourceSchemas["kuscia_edge_deployment"].Block.Attributes) {
		for _, missing := range []string{
			"affinity", "replicas", "init_containers", "containers.npu_type", "containers.ports.host_port_range",
			"containers.resources.limits.d310", "containers.resources.limits.d310b", "containers.resources.requests.d310", "containers.resources.requests.d310b",
		} {
			if below(path, missing) {
				l.uncovered[path] = "v2 does not have it"
			}
		}
	}
	return l
}
