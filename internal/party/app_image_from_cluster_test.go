package party

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// TestFromCluster: an app image is the same by both APIs.
func TestFromCluster(t *testing.T) {
	t.Parallel()
	var object map[string]any
	if err := json.Unmarshal([]byte(`{
		"metadata": {"name": "app", "labels": {"someLabel": "x"}},
		"spec": {
			"image": {"name": "example/app", "tag": "v1", "id": "7"},
			"configTemplates": {"taskConfig.conf": "{{.X}}"},
			"deployTemplates": [{
				"name": "server", "role": "server", "replicas": 2, "networkPolicy": {"ingresses": []},
				"spec": {"restartPolicy": "Always", "containers": [{
					"name": "main", "command": ["sh"], "args": ["-c", "run"], "workingDir": "/w",
					"configVolumeMounts": [{"mountPath": "/etc/x", "subPath": "taskConfig.conf"}],
					"ports": [{"name": "service", "protocol": "HTTP", "scope": "Cluster", "port": 80}],
					"env": [{"name": "someName", "value": "someValue"}],
					"envFrom": [{"configMapRef": {"name": "cm"}, "prefix": "P_"}],
					"resources": {"limits": {"cpu": 1, "nvidia.com/gpu": "1"}},
					"livenessProbe": {"httpGet": {"path": "/health", "port": 8080, "httpHeaders": [{"name": "A", "value": "B"}]}, "periodSeconds": 5, "terminationGracePeriodSeconds": 30},
					"readinessProbe": {"tcpSocket": {"port": "service"}}, "startupProbe": {"grpc": {"port": 9}},
					"imagePullPolicy": "Always"
				}]}
			}]
		}
	}`), &object); err != nil {
		t.Fatal(err)
	}
	got, err := FromCluster(object)
	if err != nil {
		t.Fatal(err)
	}
	want := &kuscia.AppImage{
		Name: "app", Image: kuscia.AppImageInfo{Name: "example/app", Tag: "v1", ID: "7"}, ConfigTemplates: map[string]string{"taskConfig.conf": "{{.X}}"},
		DeployTemplates: []kuscia.DeployTemplate{{Name: "server", Role: "server", Replicas: 2, RestartPolicy: "Always", Containers: []kuscia.Container{{
			Name: "main", Command: []string{"sh"}, Args: []string{"-c", "run"}, WorkingDir: "/w", ImagePullPolicy: "Always",
			ConfigVolumeMounts: []kuscia.ConfigVolumeMount{{MountPath: "/etc/x", SubPath: "taskConfig.conf"}},
			Ports:              []kuscia.ContainerPort{{Name: "service", Protocol: "HTTP", Scope: "Cluster"}},
			Env:                []kuscia.EnvVar{{Name: "someName", Value: "someValue"}},
			EnvFrom:            []kuscia.EnvFromSource{{Prefix: "P_", ConfigMapRef: &kuscia.ObjectSource{Name: "cm"}}},
			LivenessProbe: &kuscia.Probe{
				HTTPGet:       &kuscia.HTTPGetAction{Path: "/health", Port: "8080", HTTPHeaders: []kuscia.HTTPHeader{{Name: "A", Value: "B"}}},
				PeriodSeconds: 5, TerminationGracePeriodSeconds: 30,
			},
			ReadinessProbe: &kuscia.Probe{TCPSocket: &kuscia.TCPSocketAction{Port: "service"}},
			StartupProbe:   &kuscia.Probe{GRPC: &kuscia.GRPCAction{Port: 9}},
		}}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	for name, object := range map[string]map[string]any{"nothing": nil, "another form": {"spec": map[string]any{"deployTemplates": "x"}}} {
		if got, err := FromCluster(object); name == "another form" && err == nil || name == "nothing" && (err != nil || len(got.DeployTemplates) > 0) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
