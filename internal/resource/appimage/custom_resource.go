package appimage

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/manifest"
)

// customResource is an AppImage. An update through the KusciaAPI that has deploy templates replaces
// all of them, with what it does not carry.
var customResource = &manifest.CustomResource[kuscia.AppImage]{
	Kind: kube.AppImages,
	Name: func(id []string) (namespace, name string) { return "", id[0] },
	Fields: manifest.Fields{
		{Path: "deployTemplates.networkPolicy", Protects: true},
		{Path: "deployTemplates.spec.affinity"},
		{Path: inContainers + "securityContext", Protects: true},
		{Path: inContainers + "metricProbe"},
		{Path: inContainers + "ports.port"},
		{Path: inContainers + "env.valueFrom"},
		{Path: inContainers + "envFrom.configMapRef.optional"},
		{Path: inContainers + "envFrom.secretRef.optional"},
		{Path: inContainers + "resources"},
		{Path: inContainers + "livenessProbe"},
		{Path: inContainers + "readinessProbe"},
		{Path: inContainers + "startupProbe"},
	},
	Carried: manifest.Carried{
		"image":           {"name": nil, "tag": nil, "id": nil, "sign": nil},
		"configTemplates": nil,
		"deployTemplates": {"name": nil, "role": nil, "replicas": nil, "spec": {
			"restartPolicy": nil,
			"containers": {
				"name": nil, "command": nil, "args": nil, "workingDir": nil, "imagePullPolicy": nil, "configVolumeMounts": nil,
				"ports":   {"name": nil, "protocol": nil, "scope": nil},
				"env":     {"name": nil, "value": nil},
				"envFrom": {"prefix": nil, "configMapRef": {"name": nil}, "secretRef": {"name": nil}},
				"resources": {
					"limits":   {"cpu": manifest.Amount, "memory": manifest.Amount},
					"requests": {"cpu": manifest.Amount, "memory": manifest.Amount},
				},
				"livenessProbe": carriedProbe, "readinessProbe": carriedProbe, "startupProbe": carriedProbe,
			},
		}},
	},
	Manifest: toManifest,
	UpdateKeeps: func(c manifest.Change[kuscia.AppImage], _ string) bool {
		return keepsTemplates(c.Desired, c.Before)
	},
}

const inContainers = "deployTemplates.spec.containers."

var carriedProbe = manifest.Carried{
	manifest.Whole: nil,

	"exec": {"command": nil}, "grpc": {"port": nil, "service": nil},
	"httpGet":   {manifest.Whole: nil, "path": nil, "port": manifest.Text, "host": nil, "scheme": nil, "httpHeaders": nil},
	"tcpSocket": {manifest.Whole: nil, "port": manifest.Text, "host": nil},

	"initialDelaySeconds": nil, "timeoutSeconds": nil, "periodSeconds": nil, "successThreshold": nil,
	"failureThreshold": nil, "terminationGracePeriodSeconds": nil,
}
