package ief

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
)

// TestFromV2 decodes the documented responses of v2: to a create, with the
// settings in the instance, and to an update, with the settings next to it.
func TestFromV2(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"create": `{"description":"This is a test deployment","created_at":"2019-07-10T07:12:44.020393","updated_at":null,"visibility":null,
			"instances":[{"restarts":0,"name":"test-hw","envs":[],"liveness_probe":{"timeout_seconds":10,"exec_command":"/bin/bash","initial_delay_seconds":10},
			"state":"PENDING_CREATE","group_name":null,"configs":{"host_network":false,"restart_policy":"Always","privileged":false,"ports":[{"host_port":88,"container_port":8888}]},
			"reason":null,"version":"1.0.0","image_url":"sample:latest","resources":{"requests":{"cpu":0.25,"memory":512.0},"limits":{"cpu":1.0,"memory":512.0}},
			"volumes":[],"is_ready":null,"readiness_probe":null,"message":null,"group_id":null,"id":"f4f87339","node_id":"09dafd3e"}],
			"project_id":"p","id":"8170e363","name":"deployment-test"}`,
		"update": `{"name":"deployment-test","id":"8170e363","description":"This is a test deployment","project_id":"p","envs":[],
			"liveness_probe":{"timeout_seconds":10,"exec_command":"/bin/bash","initial_delay_seconds":10},
			"configs":{"host_network":false,"restart_policy":"Always","privileged":false,"ports":[{"host_port":88,"container_port":8888}]},
			"instances":[{"name":"test-hw","state":"PENDING_CREATE","restarts":0,"reason":null,"is_ready":null,"message":null,"id":"f4f87339","node_id":"09dafd3e"}],
			"version":"1.0.0","image_url":"sample:latest","volumes":[],"resources":{"requests":{"cpu":0.25,"memory":512.0},"limits":{"cpu":1.0,"memory":512.0}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wire := testjson.Decode[v2Deployment](t, text)
			d := fromV2(&wire)
			if d.ID != "8170e363" || d.Name != "deployment-test" || len(d.NodeIDs) != 1 || d.NodeIDs[0] != "09dafd3e" || d.ReadyReplicas != 0 || len(d.Instances) != 1 {
				t.Fatalf("%+v", d)
			}
			c := d.Template.Containers[0]
			if c.Name != "test-hw" || c.Version != "1.0.0" || c.ImageURL != "sample:latest" || c.LivenessProbe.Exec.Command != "/bin/bash" ||
				c.ReadinessProbe != nil || c.Ports[0].HostPort != 88 || c.Resources.Limits["memory"] != "512.0" || d.Template.Configs.RestartPolicy != "Always" {
				t.Errorf("%+v", c)
			}
			if d.Instances[0].State != StatePendingCreate || d.Instances[0].Containers[0].ImageURL != "sample:latest" {
				t.Errorf("%+v", d.Instances[0])
			}
		})
	}
	group := fromV2(&v2Deployment{ID: "a", Instances: []v2Instance{{GroupID: "g", NodeID: "chosen"}}})
	if group.GroupID != "g" || len(group.NodeIDs) != 0 || group.Template != nil {
		t.Errorf("%+v", group)
	}
}

// TestToV2Migration: in a node group, migration is documented as mandatory in
// each template.
func TestToV2Migration(t *testing.T) {
	t.Parallel()
	template := Template{Containers: []Container{{Name: "a"}}}
	for name, test := range map[string]struct {
		body any
		want bool
	}{
		"create on a node":    {toV2Create(&CreateRequest{NodeIDs: []string{"n"}, Deployment: Spec{Template: template}}), false},
		"create in a group":   {toV2Create(&CreateRequest{GroupID: "g", Deployment: Spec{Template: template}}), true},
		"update on a node":    {toV2Update(&UpdateRequest{Deployment: &UpdateSpec{Template: template}}), false},
		"update in a group":   {toV2Update(&UpdateRequest{GroupID: "g", Deployment: &UpdateSpec{Template: template}}), true},
		"update, description": {toV2Update(&UpdateRequest{}), false},
	} {
		encoded := testjson.Encode(t, test.body)
		if got := strings.Contains(encoded, `"migration":false`); got != test.want {
			t.Errorf("%s: %s", name, encoded)
		}
	}
}
