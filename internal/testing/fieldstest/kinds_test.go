package fieldstest_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

type object = map[string]any

// kind is a resource of the table.
type kind struct {
	// version is that of Kuscia, "" for the newest.
	version string
	// ofCluster is set if there is no such resource without a cluster.
	ofCluster bool
	// resource is that of its custom resource.
	resource schema.GroupVersionResource
	// make makes an object that the KusciaAPI carries completely, and returns where it is, its import
	// ID and its configuration.
	make func(b *bench) made
	// fields are values of the fields, as they are set by another client: JSON patches. Each has a
	// text by which it is found in the custom resource.
	fields map[string]field
	// update is a change that an update makes, for fields with another one in field.update.
	update protocol.Object
	// replace is a change that needs a new object.
	replace protocol.Object
}

type field struct {
	patch, text string
	update      protocol.Object
}

type made struct {
	namespace, name, id string
	config              protocol.Object
}

// bench is a Kuscia whose objects are in a Kubernetes API.
type bench struct {
	*testing.T
	kube *acctest.Kube
	env  *acctest.Env
}

func newBench(t *testing.T) *bench {
	t.Helper()
	return newBenchOf(t, "")
}

// newBenchOf is newBench with a version of Kuscia.
func newBenchOf(t *testing.T, version string) *bench {
	t.Helper()
	b := &bench{t, acctest.NewKube(t), acctest.NewSandbox(t, sandbox.Options{Version: version})}
	b.kube.RunServings(b.env)
	return b
}

// resource is the resource of a new run of the provider, with a cluster or without.
func (b *bench) resource(typeName string, cluster bool) *protocol.Resource {
	b.Helper()
	var variables map[string]string
	if cluster {
		variables = b.kube.Variables()
	}
	return b.env.Server(variables).Resource(b.T, typeName)
}

// domain makes a domain.
func (b *bench) domain(prefix string) string {
	b.Helper()
	id := b.kube.Name(prefix)
	protocol.NoError(b, b.env.API.CreateDomain(b.Context(), &kuscia.DomainRequest{DomainID: id}))
	b.kube.Eventually(acctest.KubeNamespaces, "", id, "there", func(found *unstructured.Unstructured) bool { return found != nil })
	return id
}

// data makes domain data of a domain.
func (b *bench) data(domain string) string {
	b.Helper()
	b.create(acctest.KubeDataSources, "DomainDataSource", domain, "default-data-source", object{"name": "default-data-source", "type": "localfs"})
	b.create(acctest.KubeData, "DomainData", domain, "table", object{
		"dataSource": "default-data-source", "name": "a.csv", "relativeURI": "a.csv", "type": "table", "vendor": "manual", "author": domain,
		"partitions": object{"type": "path", "fields": []any{object{"name": "day", "type": "str"}}},
	})
	return "table"
}

func (b *bench) create(resource schema.GroupVersionResource, kind, namespace, name string, spec object) {
	b.Helper()
	b.kube.Create(resource, &unstructured.Unstructured{Object: object{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": kind, "metadata": object{"namespace": namespace, "name": name}, "spec": spec,
	}})
}

// typeOf is the type of a row, which may also have a version of Kuscia.
func typeOf(row string) string {
	typeName, _, _ := strings.Cut(row, " ")
	return typeName
}

const inContainer = `[{"op": "add", "path": "/spec/deployTemplates/0/spec/containers/0/`

var kinds = map[string]kind{
	"kuscia_domain_route": {
		resource: acctest.KubeRoutes,
		make: func(b *bench) made {
			source, destination := b.domain("s"), b.domain("d")
			b.create(acctest.KubeRoutes, "ClusterDomainRoute", "", source+"-"+destination, object{
				"source": source, "destination": destination, "authenticationType": "Token", "tokenConfig": object{"tokenGenMethod": "RSA-GEN"},
				"endpoint": object{"host": "gateway.example", "ports": []any{object{"name": "http", "protocol": "HTTP", "port": int64(1080)}}},
			})
			return made{"", source + "-" + destination, source + "/" + destination, protocol.Object{
				"source": source, "destination": destination, "authentication_type": "Token", "endpoint": endpoint(1080),
			}}
		},
		fields: map[string]field{
			"sourceWhiteIPList":   {patch: `[{"op": "add", "path": "/spec/sourceWhiteIPList", "value": ["10.1.0.0/16"]}]`, text: "10.1.0.0/16"},
			"interConnProtocol":   {patch: `[{"op": "add", "path": "/spec/interConnProtocol", "value": "bfia"}]`, text: "bfia"},
			"requestHeadersToAdd": {patch: `[{"op": "add", "path": "/spec/requestHeadersToAdd", "value": {"x-audit": "alice"}}]`, text: "x-audit"},
			"metadata.labels":     {patch: `[{"op": "add", "path": "/metadata/labels", "value": {"kuscia.secretflow/grpc-degrade": "True"}}]`, text: `"kuscia.secretflow/grpc-degrade":"True"`},
		},
		update:  protocol.Object{"endpoint": endpoint(1081)},
		replace: protocol.Object{"destination": "bob"},
	},
	"kuscia_app_image": images(protocol.Object{"deploy_templates": templates(2)}),
	"kuscia_app_image with the same deploy_templates": images(protocol.Object{"image": object{"name": "example/app", "tag": "2"}}),
	"kuscia_domain_data_grant": {
		resource: acctest.KubeGrants,
		make: func(b *bench) made {
			domain := b.domain("g")
			data := b.data(domain)
			b.create(acctest.KubeGrants, "DomainDataGrant", domain, "to-bob", object{
				"author": domain, "domainDataID": data, "grantDomain": "bob", "limit": object{"useCount": int64(3), "grantMode": []any{"normal"}},
			})
			return made{domain, "to-bob", domain + "/to-bob", protocol.Object{
				"domain_id": domain, "domaindata_id": data, "domaindatagrant_id": "to-bob", "grant_domain": "bob", "limit": object{"use_count": 3},
			}}
		},
		fields: map[string]field{
			"limit.initiator": {patch: `[{"op": "add", "path": "/spec/limit/initiator", "value": "carol"}]`, text: "carol"},
			"limit.grantMode": {patch: `[{"op": "add", "path": "/spec/limit/grantMode", "value": ["metadata"]}]`, text: `["metadata"]`},
			"signature":       {patch: `[{"op": "add", "path": "/spec/signature", "value": "c2ln"}]`, text: "c2ln"},
			"description":     {patch: `[{"op": "add", "path": "/spec/description", "value": {"why": "audit"}}]`, text: "audit"},
		},
		update:  protocol.Object{"limit": object{"use_count": 4}},
		replace: protocol.Object{"domaindatagrant_id": "other"},
	},
	"kuscia_domain_data": {
		resource: acctest.KubeData,
		make: func(b *bench) made {
			domain := b.domain("t")
			data := b.data(domain)
			return made{domain, data, domain + "/" + data, protocol.Object{
				"domain_id": domain, "domaindata_id": data, "name": "a.csv", "type": "table", "relative_uri": "a.csv",
				"partition": object{"type": "path", "fields": []any{object{"name": "day", "type": "str"}}},
			}}
		},
		fields: map[string]field{
			"partitions.fields.notNullable": {patch: `[{"op": "add", "path": "/spec/partitions/fields/0/notNullable", "value": true}]`, text: "notNullable"},
			"fileFormat":                    {patch: `[{"op": "add", "path": "/spec/fileFormat", "value": "parquet"}]`, text: "parquet", update: protocol.Object{"vendor": "team"}},
		},
		update:  protocol.Object{"relative_uri": "b.csv", "type": "model"},
		replace: protocol.Object{"domaindata_id": "other"},
	},
	"kuscia_domain":              domains("", protocol.Object{"role": "partner"}),
	"kuscia_domain before v0.12": domains("v0.11.0b0", nil),
	"kuscia_serving": {
		resource: acctest.KubeKusciaDeployments,
		make: func(b *bench) made {
			id, image := b.served("serving")
			b.create(acctest.KubeKusciaDeployments, "KusciaDeployment", acctest.KubeNamespace, id, deployed("alice", image))
			return made{acctest.KubeNamespace, id, id, protocol.Object{"serving_id": id, "initiator": "alice", "parties": object{"alice": object{"app_image": image}}}}
		},
		fields: map[string]field{
			"parties.template.spec.affinity":             affinityOfParty,
			"parties.template.spec.containers.resources": {patch: inParty + `containers", "value": [{"name": "main", "workingDir": "", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]}]`, text: "nvidia.com/gpu"},
		},
		update:  protocol.Object{"serving_input_config": `{"a": 2}`},
		replace: protocol.Object{"serving_id": "other"},
	},
	"kuscia_deployment": {
		ofCluster: true,
		resource:  acctest.KubeKusciaDeployments,
		make: func(b *bench) made {
			name, image := b.served("deployment")
			b.create(acctest.KubeKusciaDeployments, "KusciaDeployment", acctest.KubeNamespace, name, deployed("alice", image))
			return made{acctest.KubeNamespace, name, name, protocol.Object{
				"name": name, "initiator": "alice", "input_config": `{"a": 1}`,
				"parties": object{"alice": object{"app_image": image, "replicas": 1, "update_strategy": object{"type": "RollingUpdate"}}},
			}}
		},
		fields:  map[string]field{"parties.template.spec.affinity": affinityOfParty},
		update:  protocol.Object{"input_config": `{"a": 2}`, "force_conflicts": true},
		replace: protocol.Object{"name": "other"},
	},
}

// images are app images with an update.
func images(update protocol.Object) kind {
	return kind{
		resource: acctest.KubeAppImages,
		make: func(b *bench) made {
			name := b.kube.Name("image")
			b.create(acctest.KubeAppImages, "AppImage", "", name, object{
				"image": object{"name": "example/app", "tag": "1"},
				"deployTemplates": []any{object{"name": "app", "replicas": int64(1), "spec": object{"containers": []any{object{
					"name": "app", "workingDir": "/x", "ports": []any{object{"name": "p", "scope": "Cluster", "protocol": "HTTP"}},
					"env": []any{object{"name": "IP"}}, "envFrom": []any{object{"secretRef": object{"name": "keys"}}, object{"configMapRef": object{"name": "settings"}}},
					"resources":     object{"limits": object{"cpu": "1"}},
					"livenessProbe": object{"tcpSocket": object{"port": ""}}, "readinessProbe": object{"tcpSocket": object{"port": ""}}, "startupProbe": object{"tcpSocket": object{"port": ""}},
				}}}}},
			})
			return made{"", name, name, protocol.Object{"name": name, "image": object{"name": "example/app", "tag": "1"}, "deploy_templates": templates(1)}}
		},
		fields: map[string]field{
			"deployTemplates.networkPolicy": {patch: `[{"op": "add", "path": "/spec/deployTemplates/0/networkPolicy", "value": {"ingresses": [{"from": {"roles": ["client"]}, "ports": [{"port": "p"}]}]}}]`, text: "networkPolicy"},
			"deployTemplates.spec.affinity": {patch: `[{"op": "add", "path": "/spec/deployTemplates/0/spec/affinity", "value": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "gpu", "operator": "Exists"}]}]}}}}]`, text: "nodeAffinity"},

			"deployTemplates.spec.containers.securityContext":               {patch: inContainer + `securityContext", "value": {"privileged": true}}]`, text: "privileged"},
			"deployTemplates.spec.containers.metricProbe":                   {patch: inContainer + `metricProbe", "value": {"path": "/metrics", "port": "p"}}]`, text: "/metrics"},
			"deployTemplates.spec.containers.ports.port":                    {patch: inContainer + `ports/0/port", "value": 8023}]`, text: "8023"},
			"deployTemplates.spec.containers.env.valueFrom":                 {patch: inContainer + `env/0/valueFrom", "value": {"fieldRef": {"fieldPath": "status.podIP"}}}]`, text: "status.podIP"},
			"deployTemplates.spec.containers.envFrom.secretRef.optional":    {patch: inContainer + `envFrom/0/secretRef/optional", "value": true}]`, text: "optional"},
			"deployTemplates.spec.containers.envFrom.configMapRef.optional": {patch: inContainer + `envFrom/1/configMapRef/optional", "value": true}]`, text: "optional"},
			"deployTemplates.spec.containers.resources":                     {patch: inContainer + `resources/limits/nvidia.com~1gpu", "value": "1"}]`, text: "nvidia.com/gpu"},
			"deployTemplates.spec.containers.livenessProbe":                 {patch: inContainer + `livenessProbe/tcpSocket/port", "value": 8024}]`, text: "8024"},
			"deployTemplates.spec.containers.readinessProbe":                {patch: inContainer + `readinessProbe/tcpSocket/port", "value": 8025}]`, text: "8025"},
			"deployTemplates.spec.containers.startupProbe":                  {patch: inContainer + `startupProbe/tcpSocket/port", "value": 8026}]`, text: "8026"},
		},
		update:  update,
		replace: protocol.Object{"name": "renamed"},
	}
}

// domains are those of a version of Kuscia, with the change that concerns their protocols alone.
func domains(version string, ofProtocols protocol.Object) kind {
	return kind{
		version:  version,
		resource: acctest.KubeDomains,
		make: func(b *bench) made {
			id := b.domain("x")
			return made{"", id, id, protocol.Object{"domain_id": id, "wait_for_deploy_token": false}}
		},
		fields: map[string]field{
			"resourceQuota":        {patch: `[{"op": "add", "path": "/spec/resourceQuota", "value": {"podMaxCount": 3}}]`, text: "podMaxCount"},
			"interConnProtocols":   {patch: `[{"op": "add", "path": "/spec/interConnProtocols", "value": ["bfia"]}]`, text: "bfia", update: ofProtocols},
			"metadata.labels":      {patch: `[{"op": "add", "path": "/metadata/labels", "value": {"team": "blue"}}]`, text: `"team":"blue"`},
			"metadata.annotations": {patch: `[{"op": "add", "path": "/metadata/annotations", "value": {"ticket": "4711"}}]`, text: `"ticket":"4711"`},
		},
		update:  protocol.Object{"auth_center": object{"authentication_type": "Token", "token_gen_method": "UID-RSA-GEN"}},
		replace: protocol.Object{"domain_id": "other"},
	}
}

const inParty = `[{"op": "add", "path": "/spec/parties/0/template/spec/`

var affinityOfParty = field{patch: inParty + `affinity", "value": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "gpu", "operator": "Exists"}]}]}}}}]`, text: "nodeAffinity"}

// served returns a name for a KusciaDeployment, and that of its app image.
func (b *bench) served(prefix string) (name, image string) {
	b.Helper()
	name = b.kube.Name(prefix)
	b.kube.AppImage(name, "example/app", "1", 1)
	b.kube.Sweep(name)
	return name, name
}

// deployed is a KusciaDeployment with one party.
func deployed(domain, image string) object {
	return object{"initiator": domain, "inputConfig": `{"a": 1}`, "parties": []any{object{
		"domainID": domain, "appImageRef": image, "template": object{"replicas": int64(1), "spec": object{}, "strategy": object{
			"type": "RollingUpdate", "rollingUpdate": object{"maxSurge": "25%", "maxUnavailable": "25%"},
		}},
	}}}
}

func endpoint(port int) object {
	return object{"host": "gateway.example", "ports": []any{object{"name": "http", "protocol": "HTTP", "port": port}}}
}

func templates(replicas int) []any {
	probe := object{"tcp_socket": object{"port": ""}}
	return []any{object{"name": "app", "replicas": replicas, "containers": []any{object{
		"name": "app", "working_dir": "/x", "ports": []any{object{"name": "p", "scope": "Cluster"}},
		"env": []any{object{"name": "IP"}}, "env_from": []any{object{"secret_ref": object{"name": "keys"}}, object{"config_map_ref": object{"name": "settings"}}},
		"resources":      object{"limits": object{"cpu": "1"}},
		"liveness_probe": probe, "readiness_probe": probe, "startup_probe": probe,
	}}}}
}
