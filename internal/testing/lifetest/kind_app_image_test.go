package lifetest_test

import "fmt"

func init() {
	container := func(more attrs) attrs { return with(attrs{"name": "app"}, more) }
	image := func(image attrs, template, one attrs) attrs {
		return attrs{
			"image":            with(attrs{"name": "example/app", "tag": "1"}, image),
			"deploy_templates": []any{with(attrs{"name": "app", "replicas": 1, "containers": []any{container(one)}}, template)},
		}
	}
	in := func(one attrs) attrs { return image(nil, nil, one) }
	probe := func(n int, handler attrs) attrs {
		return with(attrs{
			"initial_delay_seconds": n, "timeout_seconds": n + 1, "period_seconds": n + 2, "success_threshold": 1, "failure_threshold": n + 4,
		}, handler)
	}
	get := func(path, port, host, scheme, header, value string) attrs {
		return attrs{"http_get": attrs{"path": path, "port": port, "host": host, "scheme": scheme, "http_headers": []any{attrs{"name": header, "value": value}}}}
	}
	ports := []any{attrs{"name": "http", "protocol": "HTTP", "scope": "Cluster"}, attrs{"name": "rpc", "protocol": "GRPC", "scope": "Domain"}}
	first := attrs{
		"command": []any{"sh", jsonText}, "args": []any{"-c", jsonText}, "working_dir": "/work", "image_pull_policy": "IfNotPresent", "ports": ports,
		"config_volume_mounts": []any{attrs{"mount_path": "/work/a.conf", "sub_path": "a.conf"}},
		"env":                  []any{attrs{"name": "A", "value": jsonText}},
		"env_from":             []any{attrs{"prefix": "P_", "config_map_ref": attrs{"name": "map"}}, attrs{"prefix": "S_", "secret_ref": attrs{"name": "keys"}}},
		"resources":            attrs{"limits": attrs{"cpu": "500m", "memory": "1Gi"}, "requests": attrs{"cpu": "100m", "memory": "512Mi"}},
	}
	l := life{
		cli:     "container",
		servers: master,
		minimal: func(name string) attrs {
			return with(attrs{"name": name, "allow_removal_of": []any{"deployTemplates.networkPolicy", "deployTemplates.spec.containers.securityContext"}}, image(nil, attrs{"replicas": nil}, nil))
		},
		variants: map[string]variant{
			"image": {
				full: with(image(attrs{"name": "example/one", "tag": "1", "id": "i", "sign": "s"}, attrs{"role": "server", "replicas": 2, "restart_policy": "Always"}, nil), attrs{
					"config_templates": attrs{"a.conf": "x", "b.conf": "y"},
				}),
				changed: with(image(attrs{"name": "example/two", "tag": "2", "id": "j", "sign": "t"}, attrs{"name": "other", "role": "client", "replicas": 3, "restart_policy": "Never"}, attrs{"name": "other"}), attrs{
					"config_templates": attrs{"a.conf": "z"},
				}),
			},
			"container": {
				full: with(in(first), attrs{"config_templates": attrs{"a.conf": jsonText, "b.conf": "y"}}),
				changed: with(in(attrs{
					"ports":   []any{attrs{"name": "web", "protocol": "GRPC", "scope": "Domain"}, attrs{"name": "rpc", "protocol": "HTTP", "scope": "Local"}},
					"command": []any{"bash"}, "args": []any{"-x"}, "working_dir": "/", "image_pull_policy": "Always",
					"config_volume_mounts": []any{attrs{"mount_path": "/work/b.conf", "sub_path": "b.conf"}},
					"env":                  []any{attrs{"name": "B", "value": "2"}},
					"env_from":             []any{attrs{"prefix": "Q_", "config_map_ref": attrs{"name": "other"}}, attrs{"prefix": "T_", "secret_ref": attrs{"name": "others"}}},
					"resources":            attrs{"limits": attrs{"cpu": "2", "memory": "2Gi"}, "requests": attrs{"cpu": "200m", "memory": "768Mi"}},
				}), attrs{"config_templates": attrs{"a.conf": jsonText, "b.conf": "y"}}),
				spelled: with(in(with(first, attrs{
					"command": []any{"sh", spelledJSON}, "args": []any{"-c", spelledJSON}, "env": []any{attrs{"name": "A", "value": spelledJSON}},
					"resources":      attrs{"limits": attrs{"cpu": "0.5", "memory": "1024Mi"}, "requests": attrs{"cpu": "0.1", "memory": "0.5Gi"}},
					"liveness_probe": nil,
				})), attrs{"config_templates": attrs{"a.conf": spelledJSON, "b.conf": "y"}}),
			},
			"left out": {
				full: with(in(attrs{
					"command": []any{"sh"}, "args": []any{"-c"}, "working_dir": "/work", "image_pull_policy": "Always", "ports": []any{attrs{"name": "http"}},
					"env": []any{attrs{"name": "A"}}, "env_from": []any{attrs{"secret_ref": attrs{"name": "s"}}}, "resources": attrs{"limits": attrs{"cpu": "1"}},
					"startup_probe": attrs{"grpc": attrs{"port": 1}},
				}), attrs{"config_templates": attrs{"a.conf": "x"}}),
				changed: in(nil),
				spelled: in(attrs{
					"command": []any{"sh"}, "args": []any{"-c"}, "working_dir": "/work", "image_pull_policy": "Always",
					"ports": []any{attrs{"name": "http", "protocol": "HTTP", "scope": "Local"}}, "config_volume_mounts": []any{},
					"env": []any{attrs{"name": "A", "value": ""}}, "env_from": []any{attrs{"prefix": "", "secret_ref": attrs{"name": "s"}}},
					"resources":     attrs{"limits": attrs{"cpu": "1000m", "memory": ""}, "requests": attrs{"cpu": ""}},
					"startup_probe": attrs{"grpc": attrs{"port": 1, "service": ""}, "termination_grace_period_seconds": 0},
				}),
			},
		},
		warns:        []string{"Fields of the app image may be lost"},
		replacements: map[string]func(string) attrs{"name": func(name string) attrs { return attrs{"name": name} }},
		uncovered:    map[string]string{"deploy_templates.containers.ports.port": "it is refused"},
		bad: map[string]badInput{
			"name":     {attrs{"name": "Bad_Name"}, "name", "not a name of an app image"},
			"quantity": {in(attrs{"resources": attrs{"limits": attrs{"cpu": "abc"}}}), "deploy_templates[0].containers[0].resources.limits.cpu", "abc"},
			"no tag":   {image(attrs{"tag": ""}, nil, nil), "image.tag", "Missing image tag"},
			"no pods":  {image(nil, attrs{"replicas": 0}, nil), "deploy_templates[0].replicas", "it must be at least 1"},
			"port":     {in(attrs{"ports": []any{attrs{"name": "http", "port": 8080}}}), "deploy_templates[0].containers[0].ports[0].port", "KUSCIA_PORT_"},
			"header":   {in(attrs{"startup_probe": get("/", "80", "", "HTTP", "", planted)}), "deploy_templates[0].containers[0].startup_probe.http_get.http_headers[0].name", "Missing header name"},
			"probe":    {in(attrs{"liveness_probe": attrs{"http_get": attrs{"port": "8080"}}}), "deploy_templates[0].containers[0].liveness_probe.http_get.port", `"8080" is a number`},
		},
	}
	// Each probe has each handler in one of the variants.
	probes := []string{"liveness_probe", "readiness_probe", "startup_probe"}
	handlers := []func(n int) attrs{
		func(n int) attrs {
			return pick(n, get("/healthz", "http", "h1", "HTTP", "X-A", "1"), get("/other", "rpc", "h2", "HTTPS", "X-B", "2"))
		},
		func(n int) attrs { return attrs{"exec": attrs{"command": []any{pick(n, jsonText, "true")}}} },
		func(n int) attrs {
			return attrs{"tcp_socket": attrs{"port": pick(n, "http", "rpc"), "host": pick(n, "h1", "h2")}}
		},
		func(n int) attrs { return attrs{"grpc": attrs{"port": n, "service": pick(n, "a", "b")}} },
	}
	for first := range handlers {
		of := func(n int) attrs {
			container := attrs{"ports": ports}
			for i, name := range probes {
				more := attrs{"termination_grace_period_seconds": n + 7}
				if name == "readiness_probe" {
					more = attrs{"success_threshold": n + 7}
				}
				container[name] = with(probe(n, handlers[(first+i)%len(handlers)](n)), more)
			}
			return in(container)
		}
		spelled, _ := respelled(of(1)).(attrs)
		l.variants[fmt.Sprint("probes ", first+1)] = variant{full: of(1), changed: of(2), spelled: spelled}
	}
	l.uncovered["deploy_templates.containers.liveness_probe.success_threshold"] = "Kubernetes allows 1 only"
	l.uncovered["deploy_templates.containers.startup_probe.success_threshold"] = "Kubernetes allows 1 only"
	l.uncovered["deploy_templates.containers.readiness_probe.termination_grace_period_seconds"] = "Kubernetes refuses it there"
	lives["kuscia_app_image"] = l
}

// pick is the first value for 1, and the second for 2.
func pick[T any](n int, first, second T) T {
	if n == 1 {
		return first
	}
	return second
}
