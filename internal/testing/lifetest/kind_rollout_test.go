package lifetest_test

import "testing"

func init() {
	value := func(n int) attrs {
		return attrs{"type": pick(n, "Exact", "RegularExpression"), "name": pick(n, "x-a", "x-b"), "value": pick(n, "1", "2")}
	}
	modifier := func(n int) attrs {
		return attrs{"set": attrs{"x-set": pick(n, "1", "2")}, "add": attrs{"x-add": pick(n, "1", "2")}, "remove": []any{pick(n, "x-c", "x-d")}}
	}
	routings := func(n int, more attrs) []any {
		return []any{with(attrs{"service": pick(n, "s", "t"), "grace_period_seconds": n}, more)}
	}
	ingress := func(n int) attrs {
		return attrs{"ingress": attrs{"class_type": pick(n, "nginx", "higress"), "name": pick(n, "i", "j")}}
	}
	gateway := func(n int) attrs { return attrs{"gateway": attrs{"http_route_name": pick(n, "r", "q")}} }
	references := func(n int) attrs {
		return attrs{"custom_network_refs": []any{attrs{"api_version": pick(n, "a/v1", "a/v2"), "kind": pick(n, "A", "B"), "name": pick(n, "a", "b")}}}
	}
	step := func(n int, replicas string, more attrs) attrs {
		return with(attrs{"replicas": replicas, "traffic": pick(n, "10%", "20%"), "pause": attrs{"duration": n * 60}}, more)
	}
	last := attrs{"replicas": "100%"}
	matches := func(n int) attrs {
		return attrs{"traffic": nil, "matches": []any{attrs{
			"path":    attrs{"type": pick(n, "PathPrefix", "Exact"), "value": pick(n, "/a", "/b")},
			"headers": []any{value(n)}, "query_params": []any{value(n)},
		}}, "request_header_modifier": modifier(n)}
	}
	style := func(n int, first attrs, routing attrs) attrs {
		return with(attrs{"steps": []any{first, last}, "failure_threshold": pick(n, "1", "10%"), "disable_generate_canary_service": n == 1}, routing)
	}
	variants := map[string]variant{
		"settings": {
			full: attrs{
				"paused": true, "disabled": false, "force_conflicts": true, "promote_on_destroy": true, "wait_for_healthy": false,
				"timeouts": attrs{"create": "1m", "update": "1m", "delete": "1m"},
			},
			changed: attrs{
				"paused": false, "disabled": true, "force_conflicts": false, "promote_on_destroy": false, "wait_for_healthy": true,
				"timeouts": attrs{"create": "2m", "update": "2m", "delete": "2m"},
			},
		},
		"extra workload": {
			full: attrs{"canary": with(style(1, step(1, "20%", nil), attrs{"traffic_routings": routings(1, ingress(1))}), attrs{
				"enable_extra_workload_for_canary": true, "patch_pod_template_metadata": attrs{"labels": attrs{"a": "1"}, "annotations": attrs{"a": jsonText}},
			})},
			changed: attrs{"canary": with(style(1, step(1, "20%", nil), attrs{"traffic_routings": routings(1, ingress(1))}), attrs{
				"enable_extra_workload_for_canary": true, "patch_pod_template_metadata": attrs{"labels": attrs{"a": "2"}, "annotations": attrs{"a": "2"}},
			})},
			spelled: attrs{"canary": attrs{"patch_pod_template_metadata": attrs{"annotations": attrs{"a": spelledJSON}}}},
		},
		"in place": {
			full:    attrs{"canary": with(style(1, step(1, "20%", nil), attrs{"traffic_routing_ref": "one"}), attrs{"enable_extra_workload_for_canary": true})},
			changed: attrs{"canary": with(style(1, step(1, "20%", nil), attrs{"traffic_routing_ref": "two"}), attrs{"enable_extra_workload_for_canary": nil})},
		},
	}
	for _, name := range []string{"canary", "blue_green"} {
		of := func(what string, config func(n int) attrs) {
			block := func(n int) attrs { return with(attrs{"canary": nil}, attrs{name: config(n)}) }
			variants[name+", "+what] = variant{full: block(1), changed: block(2)}
		}
		of("ingress", func(n int) attrs {
			return style(n, step(n, pick(n, "20%", "30%"), nil), attrs{"traffic_routings": routings(n, ingress(n))})
		})
		of("gateway", func(n int) attrs {
			return style(1, step(1, "20%", matches(n)), attrs{"traffic_routings": routings(1, gateway(n))})
		})
		of("references", func(n int) attrs {
			return style(1, step(1, "20%", nil), attrs{"traffic_routings": routings(1, references(n))})
		})
		of("reference", func(n int) attrs {
			return style(1, step(1, "20%", nil), attrs{"traffic_routing_ref": pick(n, "one", "two")})
		})
	}
	withKruise := func(t *testing.T) *servers {
		t.Helper()
		s := cluster(t)
		s.kube.RequireKruise(t)
		return s
	}
	sweep := func(s *servers, name string) { s.kube.Sweep(name) }
	lives["kuscia_rollout"] = life{
		servers: withKruise, prepare: sweep, cli: "canary, ingress",
		minimal: func(name string) attrs {
			return attrs{
				"namespace": "alice", "name": name, "workload_ref": attrs{"name": name},
				"canary": attrs{"steps": []any{attrs{"replicas": "50%"}, attrs{"replicas": "100%"}}},
			}
		},
		ofName: map[string]func(string) variant{
			"workload": func(name string) variant {
				return variant{full: attrs{"workload_ref": attrs{"name": name + "-x"}}, changed: attrs{"workload_ref": attrs{"name": name + "-y"}}}
			},
		},
		uncovered: map[string]string{
			"workload_ref.api_version": "the cluster serves one kind of workloads only", "workload_ref.kind": "the cluster serves one kind of workloads only",
		},
		variants:     variants,
		replacements: map[string]func(string) attrs{"name": func(name string) attrs { return attrs{"name": name} }, "namespace": func(string) attrs { return attrs{"namespace": "bob"} }},
		warns:        []string{"does not exist", "of a kind that is not served"},
		bad: map[string]badInput{
			"no style":   {attrs{"canary": nil}, "canary", "blue_green"},
			"decreasing": {attrs{"canary": attrs{"steps": []any{attrs{"replicas": "50%"}, attrs{"replicas": "20%"}}}}, "canary.steps[1].replicas", "a release cannot go back"},
		},
	}
	routing := func(more func(n int) attrs) variant {
		config := func(n int) attrs {
			return attrs{"object_ref": routings(n, more(n)), "force_conflicts": n == 1, "strategy": attrs{
				"weight": n * 10, "matches": []any{attrs{"headers": []any{value(n)}}}, "request_header_modifier": modifier(n),
			}}
		}
		return variant{full: config(1), changed: config(2)}
	}
	lives["kuscia_traffic_routing"] = life{
		servers: withKruise, prepare: sweep, cli: "ingress",
		minimal: func(name string) attrs {
			return attrs{
				"namespace": "alice", "name": name, "strategy": attrs{"weight": 5},
				"object_ref": []any{attrs{"service": "s", "ingress": attrs{"name": "i"}}},
			}
		},
		variants:     map[string]variant{"ingress": routing(ingress), "gateway": routing(gateway), "references": routing(references)},
		replacements: map[string]func(string) attrs{"name": func(name string) attrs { return attrs{"name": name} }, "namespace": func(string) attrs { return attrs{"namespace": "bob"} }},
		warns:        []string{"does not exist", "of a kind that is not served"},
		bad: map[string]badInput{
			"weight":      {attrs{"strategy": attrs{"weight": 101}}, "strategy.weight", "101"},
			"no strategy": {attrs{"strategy": attrs{}}, "strategy", "weight"},
			"no object":   {attrs{"object_ref": []any{}}, "object_ref", "Nothing to route"},
		},
	}
}
