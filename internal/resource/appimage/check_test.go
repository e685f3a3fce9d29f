package appimage

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

const (
	inFirstTemplate  = "deploy_templates[0]."
	inFirstContainer = inFirstTemplate + "containers[0]."
)

func ports(names ...string) func(tree) {
	var out []any
	for _, name := range names {
		out = append(out, tree{"name": name})
	}
	return inContainer("ports", out)
}

func both(changes ...func(tree)) func(tree) {
	return func(t tree) {
		for _, change := range changes {
			change(t)
		}
	}
}

func secondTemplate(with tree) func(tree) {
	return func(t tree) { t["deploy_templates"] = append(t["deploy_templates"].([]any), with) }
}

func TestIssues(t *testing.T) {
	command := tree{"exec": tree{"command": []string{"true"}}}
	tests := map[string]struct {
		change func(tree)
		// path is "" if no issue is expected.
		path     string
		severity check.Severity
		detail   string
	}{
		"minimal":                    {func(tree) {}, "", 0, ""},
		"name with dots":             {at("name", "secretflow-1.2.0"), "", 0, ""},
		"name of 63":                 {at("name", strings.Repeat("a", 63)), "", 0, ""},
		"name of 64":                 {at("name", strings.Repeat("a", 64)), "name", refused, "at most 63"},
		"name in capitals":           {at("name", "App"), "name", refused, "lower-case"},
		"name with two dots":         {at("name", "a..b"), "name", refused, "both sides of a dot"},
		"empty image name":           {inImage("name", ""), "image.name", refused, "must not be empty"},
		"empty tag":                  {inImage("tag", ""), "image.tag", unusable, `"name:"`},
		"no templates":               {at("deploy_templates", []any{}), "deploy_templates", refused, "At least one"},
		"template without name":      {inTemplate("name", ""), inFirstTemplate + "name", refused, ""},
		"no containers":              {inTemplate("containers", []any{}), inFirstTemplate + "containers", refused, "at least one container"},
		"null container":             {inTemplate("containers", []any{nil}), inFirstTemplate + "containers[0]", refused, "must not be null"},
		"null argument":              {inContainer("args", []any{"a", nil}), inFirstContainer + "args[1]", refused, "must not be null"},
		"container without name":     {inContainer("name", ""), inFirstContainer + "name", refused, ""},
		"container name in capitals": {inContainer("name", "App"), inFirstContainer + "name", unusable, "lower-case"},
		"container name twice":       {inTemplate("containers", []any{tree{"name": "a"}, tree{"name": "a"}}), inFirstTemplate + "containers[1].name", unusable, `"a" is used more than once`},
		"replicas 0":                 {inTemplate("replicas", 0), inFirstTemplate + "replicas", unusable, "at least 1"},
		"replicas -1":                {inTemplate("replicas", -1), inFirstTemplate + "replicas", refused, "at least 1"},
		"replicas 1.5":               {inTemplate("replicas", 1.5), inFirstTemplate + "replicas", refused, "whole number"},
		"seconds too many":           {inContainer("liveness_probe", tree{"exec": tree{"command": []string{"a"}}, "termination_grace_period_seconds": 1e30}), inFirstContainer + "liveness_probe.termination_grace_period_seconds", refused, "whole number"},
		"restart policy":             {inTemplate("restart_policy", "never"), inFirstTemplate + "restart_policy", unusable, `"Always", "OnFailure" or "Never"`},
		"pull policy":                {inContainer("image_pull_policy", "Sometimes"), inFirstContainer + "image_pull_policy", unusable, `"Always", "IfNotPresent" or "Never"`},
		"file name":                  {at("config_templates", map[string]string{"a/b": ""}), `config_templates["a/b"]`, unusable, "ConfigMap"},
		"as much as fits":            {at("config_templates", map[string]string{"a": strings.Repeat("x", 1<<19), "b": strings.Repeat("x", 1<<19)}), "", 0, ""},
		"one byte more":              {at("config_templates", map[string]string{"a": strings.Repeat("x", 1<<19), "b": strings.Repeat("x", 1<<19+1)}), "config_templates", unusable, "1048577 bytes"},

		"same role twice":           {secondTemplate(tree{"name": "b", "containers": []any{tree{"name": "c"}}}), "deploy_templates[1].role", unusable, "deploy_templates[0] serves all roles"},
		"same role in a list":       {both(inTemplate("role", "client,server"), secondTemplate(tree{"name": "b", "role": "server", "containers": []any{tree{"name": "c"}}})), "deploy_templates[1].role", unusable, `"server"`},
		"same name, other role":     {secondTemplate(tree{"name": "app", "role": "b", "containers": []any{tree{"name": "c"}}}), "", 0, ""},
		"space in a role":           {inTemplate("role", "client, server"), inFirstTemplate + "role", unusable, "commas alone"},
		"protocol":                  {inContainer("ports", []any{tree{"name": "p", "protocol": "TCP"}}), inFirstContainer + "ports[0].protocol", refused, `"HTTP" or "GRPC"`},
		"scope":                     {inContainer("ports", []any{tree{"name": "p", "scope": "World"}}), inFirstContainer + "ports[0].scope", refused, `"Cluster", "Domain" or "Local"`},
		"port of 15":                {ports("abcdefghijklmno"), "", 0, ""},
		"port of 16":                {ports("abcdefghijklmnop"), inFirstContainer + "ports[0].name", unusable, "at most 15"},
		"numeric port":              {ports("8080"), inFirstContainer + "ports[0].name", unusable, "is a number"},
		"port with two hyphens":     {ports("a--b"), inFirstContainer + "ports[0].name", unusable, "single hyphens"},
		"port without letter":       {ports("8-0"), inFirstContainer + "ports[0].name", unusable, "one letter"},
		"port twice":                {ports("a", "a"), inFirstContainer + "ports[1].name", unusable, "more than once"},
		"port in two containers":    {inTemplate("containers", []any{tree{"name": "a", "ports": []any{tree{"name": "p"}}}, tree{"name": "b", "ports": []any{tree{"name": "p"}}}}), inFirstTemplate + "containers[1].ports[0].name", unusable, "all containers of a template"},
		"port in two templates":     {both(ports("p"), secondTemplate(tree{"name": "b", "role": "b", "containers": []any{tree{"name": "c", "ports": []any{tree{"name": "p"}}}}})), "", 0, ""},
		"mount":                     {both(at("config_templates", map[string]string{"a.conf": ""}), inContainer("config_volume_mounts", []any{tree{"mount_path": "/a", "sub_path": "a.conf"}})), "", 0, ""},
		"mount of no template":      {both(at("config_templates", map[string]string{"a.conf": ""}), inContainer("config_volume_mounts", []any{tree{"mount_path": "/a", "sub_path": "b.conf"}})), inFirstContainer + "config_volume_mounts[0].sub_path", unusable, `"b.conf" is not a key of config_templates ("a.conf")`},
		"mount without templates":   {inContainer("config_volume_mounts", []any{tree{"mount_path": "/a", "sub_path": "b.conf"}}), inFirstContainer + "config_volume_mounts[0].sub_path", unusable, "(it is empty)"},
		"mount, unknown templates":  {both(at("config_templates", definition.Unknown), inContainer("config_volume_mounts", []any{tree{"mount_path": "/a", "sub_path": "b.conf"}})), "", 0, ""},
		"env without name":          {inContainer("env", []any{tree{"name": "", "value": "x"}}), inFirstContainer + "env[0].name", unusable, "must not be empty"},
		"env twice":                 {inContainer("env", []any{tree{"name": "A"}, tree{"name": "A"}}), inFirstContainer + "env[1].name", unusable, "last value"},
		"unknown env names":         {inContainer("env", []any{tree{"name": definition.Unknown}, tree{"name": definition.Unknown}}), "", 0, ""},
		"secrets in env":            {inContainer("env", []any{tree{"name": "LOG", "value": "debug"}, tree{"name": "DB_PASSWORD", "value": "x"}}), inFirstContainer + "env", doubtful, `values for "DB_PASSWORD", which are shown`},
		"an address in env":         {inContainer("env", []any{tree{"name": "DB", "value": "mysql://u:p@db/x"}}), inFirstContainer + "env", doubtful, `"DB"`},
		"no secrets in env":         {inContainer("env", []any{tree{"name": "API_TOKEN", "value": "$(TOKEN)"}, tree{"name": "SECRET", "value": ""}}), "", 0, ""},
		"a secret in args":          {inContainer("args", []any{"--log=debug", "--db-password=x"}), inFirstContainer + "args", doubtful, "element 1"},
		"a secret after its name":   {inContainer("command", []any{"run", "--token", "x"}), inFirstContainer + "command", doubtful, "element 2"},
		"no secrets in args":        {inContainer("args", []any{"--token", "$(TOKEN)", "--token-file=/run/t", "--password=/run/secret/p", "--use-token=true"}), "", 0, ""},
		"secrets in a template":     {at("config_templates", map[string]string{"a.yaml": "db:\n  host: h\n  password: \"x\"\n"}), `config_templates["a.yaml"]`, doubtful, `values for "password", which are shown`},
		"no secrets in a template":  {at("config_templates", map[string]string{"a.conf": "token={{.TOKEN}}\nmax_tokens: 5\n"}), "", 0, ""},
		"env from nothing":          {inContainer("env_from", []any{tree{"prefix": "p"}}), inFirstContainer + "env_from[0]", unusable, "config_map_ref or secret_ref"},
		"env from two":              {inContainer("env_from", []any{tree{"config_map_ref": tree{"name": "a"}, "secret_ref": tree{"name": "b"}}}), inFirstContainer + "env_from[0]", unusable, "two elements"},
		"env from unknown":          {inContainer("env_from", []any{tree{"config_map_ref": definition.Unknown}}), "", 0, ""},
		"env from no name":          {inContainer("env_from", []any{tree{"secret_ref": tree{"name": ""}}}), inFirstContainer + "env_from[0].secret_ref.name", unusable, "Secret"},
		"quantity":                  {inContainer("resources", tree{"limits": tree{"cpu": "abc"}}), inFirstContainer + "resources.limits.cpu", refused, `"500m"`},
		"negative quantity":         {inContainer("resources", tree{"requests": tree{"memory": "-1"}}), inFirstContainer + "resources.requests.memory", unusable, "below 0"},
		"request above limit":       {inContainer("resources", tree{"limits": tree{"cpu": "1"}, "requests": tree{"cpu": "1001m"}}), inFirstContainer + "resources.requests.cpu", unusable, "more than the limit, 1"},
		"request equal to limit":    {inContainer("resources", tree{"limits": tree{"cpu": "1"}, "requests": tree{"cpu": "1000m"}}), "", 0, ""},
		"probe":                     {inContainer("liveness_probe", command), "", 0, ""},
		"empty probe":               {inContainer("liveness_probe", tree{}), inFirstContainer + "liveness_probe", unusable, "there are 0"},
		"two handlers":              {inContainer("startup_probe", tree{"exec": tree{"command": []string{"a"}}, "grpc": tree{"port": 1}}), inFirstContainer + "startup_probe", unusable, "there are 2"},
		"unknown handler":           {inContainer("startup_probe", tree{"exec": definition.Unknown}), "", 0, ""},
		"exec without command":      {inContainer("startup_probe", tree{"exec": tree{}}), inFirstContainer + "startup_probe.exec.command", unusable, "must not be empty"},
		"probe port":                {both(ports("http"), inContainer("readiness_probe", tree{"http_get": tree{"port": "http"}})), "", 0, ""},
		"numeric probe port":        {inContainer("readiness_probe", tree{"http_get": tree{"port": "8080"}}), inFirstContainer + "readiness_probe.http_get.port", unusable, "stores the port of an http_get or tcp_socket probe as a port name"},
		"probe of an unknown port":  {inContainer("readiness_probe", tree{"http_get": tree{"port": "http"}}), inFirstContainer + "readiness_probe.http_get.port", doubtful, "no port named"},
		"probe, ports not known":    {both(inContainer("ports", definition.Unknown), inContainer("readiness_probe", tree{"http_get": tree{"port": "http"}})), "", 0, ""},
		"probe, port not known":     {both(ports("a"), inContainer("ports", []any{tree{"name": definition.Unknown}}), inContainer("readiness_probe", tree{"http_get": tree{"port": "http"}})), "", 0, ""},
		"scheme":                    {both(ports("p"), inContainer("readiness_probe", tree{"http_get": tree{"port": "p", "scheme": "https"}})), inFirstContainer + "readiness_probe.http_get.scheme", unusable, `"HTTP" or "HTTPS"`},
		"grpc port 0":               {inContainer("readiness_probe", tree{"grpc": tree{"port": 0}}), inFirstContainer + "readiness_probe.grpc.port", unusable, "1 to 65535"},
		"negative seconds":          {inContainer("liveness_probe", tree{"exec": tree{"command": []string{"a"}}, "period_seconds": -1}), inFirstContainer + "liveness_probe.period_seconds", unusable, "must not be below 0"},
		"success threshold":         {inContainer("liveness_probe", tree{"exec": tree{"command": []string{"a"}}, "success_threshold": 2}), inFirstContainer + "liveness_probe.success_threshold", unusable, "readiness_probe"},
		"success threshold of 1":    {inContainer("liveness_probe", tree{"exec": tree{"command": []string{"a"}}, "success_threshold": 1}), "", 0, ""},
		"grace period of readiness": {inContainer("readiness_probe", tree{"exec": tree{"command": []string{"a"}}, "termination_grace_period_seconds": 2}), inFirstContainer + "readiness_probe.termination_grace_period_seconds", unusable, ""},
		"readiness above 1":         {inContainer("readiness_probe", tree{"exec": tree{"command": []string{"a"}}, "success_threshold": 2}), "", 0, ""},

		"image with a registry":    {inImage("name", "registry.example.com:5000/corp/x_y-z"), "", 0, ""},
		"image by digest":          {both(inImage("name", "corp/x@sha256"), inImage("tag", strings.Repeat("0f", 32))), "", 0, ""},
		"image by tag and digest":  {both(inImage("name", "corp/x:1.0@sha256"), inImage("tag", strings.Repeat("0f", 32))), "", 0, ""},
		"image by half a digest":   {both(inImage("name", "corp/x@sha256"), inImage("tag", "0f")), "image", unusable, "64 hexadecimal digits"},
		"image by unknown digest":  {both(inImage("name", "corp/x@sha256"), inImage("tag", definition.Unknown)), "", 0, ""},
		"tag given twice":          {both(inImage("name", "corp/x:1.0"), inImage("tag", "1.0")), "image.name", unusable, `"corp/x:1.0" has a tag already`},
		"tag in name, tag unknown": {both(inImage("name", "corp/x:1.0"), inImage("tag", definition.Unknown)), "image.name", unusable, "Remove the tag from name"},
		"image in capitals":        {inImage("name", "Corp/X"), "image.name", unusable, "lower-case"},
		"image with a space":       {inImage("name", "a b"), "image.name", unusable, `"a b" is not the name of a container image`},
		"image name is unknown":    {both(inImage("name", definition.Unknown), inImage("tag", "版本")), "", 0, ""},
		"tag in Chinese":           {inImage("tag", "版本"), "image.tag", unusable, `"版本" is not a tag`},
		"tag of 129":               {inImage("tag", strings.Repeat("a", 129)), "image.tag", unusable, "at most 128"},
		"env from an invalid name": {inContainer("env_from", []any{tree{"config_map_ref": tree{"name": "A_B"}}}), inFirstContainer + "env_from[0].config_map_ref.name", unusable, `A ConfigMap cannot be named "A_B"`},
		"half a byte":              {inContainer("resources", tree{"limits": tree{"memory": "512m"}}), inFirstContainer + "resources.limits.memory", doubtful, "0.512 bytes"},
		"memory for CPU":           {inContainer("resources", tree{"requests": tree{"cpu": "100Mi"}}), inFirstContainer + "resources.requests.cpu", unusable, "more than any node has"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			desired := config(minimal(test.change))
			found := appImage.Issues(desired)
			if test.path == "" {
				if len(found) > 0 {
					t.Fatalf("got %v", found)
				}
				return
			}
			if len(found) != 1 {
				t.Fatalf("got issues at %v, want one at %s", pathsOf(found), test.path)
			}
			got := found[0]
			if got.At.String() != test.path || got.Severity != test.severity || !strings.Contains(got.Detail, test.detail) || got.Summary == "" {
				t.Errorf("got %s (severity %d): %s: %s", got.At, got.Severity, got.Summary, got.Detail)
			}

			// The severity determines when an issue is reported. If the
			// existing app image has the same problem, it is a warning in the
			// plan. The plan repeats the errors of validate.
			if diags := appImage.Validate(desired); diags.HasError() != (test.severity == refused) {
				t.Errorf("validate: %v", diags)
			}
			if diags := appImage.CheckChange(desired, none()); diags.HasError() != (test.severity != doubtful) {
				t.Errorf("check, create: %v", diags)
			}
			state := plan(desired, none()).planned
			if !state.IsFullyKnown() || test.severity == refused {
				return
			}
			if diags := appImage.CheckChange(desired, state); diags.HasError() || diags.WarningsCount() != 1 {
				t.Errorf("check, the same in the state: %v", diags)
			}
			if diags := appImage.CheckChange(desired, plan(config(minimal()), none()).planned); diags.HasError() != (test.severity == unusable) {
				t.Errorf("check, fine in the state: %v", diags)
			}
		})
	}
}

// TestExistingProblemStaysLocal: a problem that is already in the state does
// not downgrade problems elsewhere.
func TestExistingProblemStaysLocal(t *testing.T) {
	state := plan(config(minimal(inTemplate("replicas", 0))), none()).planned
	desired := config(minimal(inTemplate("replicas", 0), secondTemplate(tree{"name": "b", "role": "b", "replicas": 0, "containers": []any{tree{"name": "c"}}})))
	diags := appImage.CheckChange(desired, state)
	if diags.ErrorsCount() != 1 || diags.WarningsCount() != 1 {
		t.Errorf("got %v", diags)
	}
}
