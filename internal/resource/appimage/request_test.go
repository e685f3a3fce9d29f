package appimage

import (
	"reflect"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
)

// TestOnTheWire: the request field of each attribute, for omitted, empty and
// set values.
func TestOnTheWire(t *testing.T) {
	type changes = map[string]func(tree)
	tests := map[string]struct {
		// path is the path of the field in the request.
		path   []string
		values map[string]func(tree)
	}{
		"id":               {[]string{"image", "id"}, changes{`""`: inImage("id", nil), `"i"`: inImage("id", "i")}},
		"config_templates": {[]string{"config_templates"}, changes{`null`: at("config_templates", map[string]string{}), `{"a":""}`: at("config_templates", map[string]string{"a": ""})}},
		"replicas":         {[]string{"deploy_templates", "replicas"}, changes{`1`: inTemplate("replicas", nil), `0`: inTemplate("replicas", 0), `3`: inTemplate("replicas", 3)}},
		"ports": {[]string{"deploy_templates", "containers", "ports"}, changes{
			`null`: inContainer("ports", []any{}),
			`[{"name":"p","protocol":"HTTP","scope":"Local"}]`:  inContainer("ports", []any{tree{"name": "p"}}),
			`[{"name":"p","protocol":"GRPC","scope":"Domain"}]`: inContainer("ports", []any{tree{"name": "p", "protocol": "GRPC", "scope": "Domain"}}),
		}},
		"env_from": {[]string{"deploy_templates", "containers", "env_from"}, changes{
			`[{"config_map_ref":null,"prefix":"","secret_ref":{"name":"s"}}]`:  inContainer("env_from", []any{tree{"secret_ref": tree{"name": "s"}}}),
			`[{"config_map_ref":{"name":"m"},"prefix":"p","secret_ref":null}]`: inContainer("env_from", []any{tree{"prefix": "p", "config_map_ref": tree{"name": "m"}}}),
		}},
		"resources": {[]string{"deploy_templates", "containers", "resources"}, changes{
			`null`: inContainer("resources", tree{"limits": tree{"cpu": ""}}),
			`{"limits":null,"requests":{"cpu":"0.1","memory":""}}`: inContainer("resources", tree{"requests": tree{"cpu": "0.1"}}),
		}},
		"liveness_probe": {[]string{"deploy_templates", "containers", "liveness_probe"}, changes{
			`null`: inContainer("liveness_probe", nil),
			`{"exec":null,"failure_threshold":0,"grpc":null,"http_get":null,"initial_delay_seconds":0,"period_seconds":0,"success_threshold":0,"tcp_socket":null,"termination_grace_period_seconds":"0","timeout_seconds":0}`:                                                                                                              inContainer("liveness_probe", tree{}),
			`{"exec":null,"failure_threshold":5,"grpc":{"port":1,"service":"s"},"http_get":{"host":"h","http_headers":[{"name":"n","value":"v"}],"path":"/","port":"p","scheme":"HTTPS"},"initial_delay_seconds":1,"period_seconds":3,"success_threshold":4,"tcp_socket":null,"termination_grace_period_seconds":"6","timeout_seconds":2}`: inContainer("liveness_probe", tree{"grpc": tree{"port": 1, "service": "s"}, "http_get": tree{"host": "h", "path": "/", "port": "p", "scheme": "HTTPS", "http_headers": []any{tree{"name": "n", "value": "v"}}}, "initial_delay_seconds": 1, "timeout_seconds": 2, "period_seconds": 3, "success_threshold": 4, "failure_threshold": 5, "termination_grace_period_seconds": 6}),
		}},
	}
	for name, test := range tests {
		for want, change := range test.values {
			t.Run(name+" "+want, func(t *testing.T) {
				request, diags := createRequest(plan(config(minimal(change)), none()).planned)
				if diags.HasError() {
					t.Fatal(diags)
				}
				if got := field(t, request, test.path); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			})
		}
	}
}

// field returns a part of a request as JSON with sorted keys. In lists, the
// path continues with the first element.
func field(t *testing.T, request any, at []string) string {
	t.Helper()
	value := testjson.Decode[any](t, testjson.Encode(t, request))
	for _, name := range at {
		if elements, ok := value.([]any); ok {
			value = elements[0]
		}
		fields, ok := value.(map[string]any)
		if !ok {
			t.Fatalf("no object above %s", name)
		}
		value = fields[name]
	}
	return testjson.Encode(t, value)
}

// TestUpdateSendsEverything: Kuscia keeps missing fields, so all are sent.
// Config templates are cleared with an empty map.
func TestUpdateSendsEverything(t *testing.T) {
	for want, change := range map[string]func(tree){
		`{}`:        at("config_templates", nil),
		`{"a":"b"}`: at("config_templates", map[string]string{"a": "b"}),
	} {
		planned := plan(config(minimal(change)), none()).planned
		image, diags := createRequest(planned)
		if diags.HasError() {
			t.Fatal(diags)
		}
		update := updateRequest(image, nil)
		if got := field(t, update, []string{"config_templates"}); got != want {
			t.Errorf("config_templates in the request: %s, want %s", got, want)
		}
		create, _ := createRequest(planned)
		if update.Name != create.Name || update.Image != create.Image || !reflect.DeepEqual(update.DeployTemplates, create.DeployTemplates) {
			t.Errorf("update %+v, create %+v", update, create)
		}
	}
}
