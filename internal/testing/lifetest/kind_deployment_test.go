package lifetest_test

func init() {
	lives["kuscia_deployment"] = life{
		cli:     "party",
		servers: cluster,
		prepare: func(s *servers, name string) {
			s.kube.AppImage(name, "example/app", "v1", 1)
			s.kube.AppImage(name+"-v2", "example/app", "v2", 1)
			s.kube.Sweep(name)
		},
		minimal: func(name string) attrs {
			return attrs{"name": name, "initiator": "alice", "parties": attrs{"alice": attrs{"app_image": name}}}
		},
		ofName: map[string]func(string) variant{
			"party": func(name string) variant {
				party := func(image string, replicas int, strategy attrs, cpu, memory string) attrs {
					return attrs{"alice": attrs{
						"app_image": image, "replicas": replicas, "update_strategy": strategy,
						"containers": attrs{"main": attrs{"requests": attrs{"cpu": cpu, "memory": memory}, "limits": attrs{"cpu": cpu, "memory": memory}}},
					}}
				}
				return variant{
					full:    attrs{"parties": party(name, 2, attrs{"type": "RollingUpdate", "max_surge": "1", "max_unavailable": "0"}, "100m", "1Gi")},
					changed: attrs{"parties": party(name+"-v2", 1, attrs{"type": "Recreate"}, "200m", "2Gi")},
					spelled: attrs{"parties": party(name, 2, attrs{"type": nil}, "0.1", "1024Mi")},
					together: [][]string{
						{"parties.alice.update_strategy"},
						{"parties.alice.containers.main.requests.cpu", "parties.alice.containers.main.limits.cpu"},
						{"parties.alice.containers.main.requests.memory", "parties.alice.containers.main.limits.memory"},
					},
				}
			},
			"strategy": func(name string) variant {
				party := func(surge, unavailable string) attrs {
					return attrs{"parties": attrs{"alice": attrs{"app_image": name, "update_strategy": attrs{"max_surge": surge, "max_unavailable": unavailable}}}}
				}
				return variant{full: party("1", "10%"), changed: party("50%", "1")}
			},
			"names": func(name string) variant { return partyNames(name, name) },
			"initiator": func(name string) variant {
				both := attrs{"parties": attrs{"alice": attrs{"app_image": name}, "bob": attrs{"app_image": name}}}
				return variant{full: with(both, attrs{"initiator": "alice"}), changed: with(both, attrs{"initiator": "bob"})}
			},
		},
		variants: map[string]variant{
			"settings": {
				full: attrs{
					"input_config": `{"a":"x","b":1}`, "labels": attrs{"team": "a"}, "force_conflicts": true, "check_application": true, "allow_removal_of": []any{"parties.template.spec.affinity"},
					"timeouts": attrs{"create": "2m", "update": "2m", "delete": "2m"}, "wait_for_rollout": true,
				},
				changed: attrs{
					"input_config": `{"a":"y"}`, "labels": attrs{"team": "b"}, "force_conflicts": false, "check_application": false, "allow_removal_of": []any{},
					"timeouts": attrs{"create": "3m", "update": "3m", "delete": "3m"}, "wait_for_rollout": false,
				},
				spelled: attrs{"input_config": `{"b": 1, "a": "x"}`},
			},
			"write-only": {
				full: attrs{"input_config_wo": "one", "input_config_wo_version": 1}, changed: attrs{"input_config_wo": "two", "input_config_wo_version": 2},
				hidden: []string{"input_config"},
			},
			"affinity": {full: attrs{"affinity_mode": "affinity"}, changed: attrs{"affinity_mode": "none"}},
		},
		besides:      func(string) attrs { return attrs{"labels": attrs{"team": "c"}} },
		replaced:     []string{"affinity_mode"},
		replacements: map[string]func(string) attrs{"name": func(name string) attrs { return attrs{"name": name} }},
		warns:        []string{"KusciaDeployment is replaced", "Deployment keeps its current value", "Key of a party renamed", "All pods of a party stop first"},
		bad: map[string]badInput{
			"name":      {attrs{"name": "No_Name"}, "name", "No_Name"},
			"initiator": {attrs{"initiator": "carol"}, "initiator", "carol"},
			"affinity":  {attrs{"affinity_mode": "anti"}, "affinity_mode", `"anti" is not allowed`},
			"replicas":  {attrs{"parties": attrs{"alice": attrs{"app_image": "a", "replicas": -1}}}, "replicas", "-1"},
		},
	}
}
