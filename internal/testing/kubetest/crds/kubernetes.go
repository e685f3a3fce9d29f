package crds

// kubernetes are custom resources that replace kinds that Kubernetes has built in. What their
// validation and defaults would do is in package kubernetes, as far as Kuscia
// and Kruise depend on it.
func kubernetes() []kind {
	podTemplate := anything()
	podTemplate.Properties = fields{
		"metadata": anything(),
		"spec": {Type: "object", XPreserveUnknownFields: new(true), Properties: fields{
			"containers": listByKeys(anyContainer(), "name"),
		}},
	}
	// There is no status subresource: a write of the object also writes its
	// status.
	workload := func(kindName, plural, short string, status bool, spec fields) kind {
		return kind{group: Apps, kind: kindName, plural: plural, shortNames: []string{short}, versions: []version{{name: "v1", status: status, schema: root(fields{
			"spec": object(spec), "status": anything(),
		})}}}
	}
	plain := func(kindName, plural, short string, properties fields) kind {
		return kind{group: Core, kind: kindName, plural: plural, shortNames: []string{short}, versions: []version{{name: "v1", schema: root(properties)}}}
	}
	namespace := plain("Namespace", Namespaces, "ns", fields{"spec": anything(), "status": anything()})
	namespace.clusterScoped = true
	// An event has its fields at the top.
	event := plain("Event", "events", "ev", fields{})
	event.versions[0].schema.XPreserveUnknownFields = new(true)
	return []kind{
		workload("Deployment", "deployments", "deploy", true, fields{
			"replicas": byDefault(number32(), 1), "paused": boolean(), "minReadySeconds": number32(),
			"progressDeadlineSeconds": byDefault(number32(), 600), "revisionHistoryLimit": byDefault(number32(), 10),
			"selector": atomic(anything()), "strategy": strategy(), "template": podTemplate,
		}),
		workload("ReplicaSet", "replicasets", "rs", false, fields{
			"replicas": byDefault(number32(), 1), "minReadySeconds": number32(),
			"selector": atomic(anything()), "template": podTemplate,
		}),
		plain("Service", "services", "svc", fields{"spec": anything(), "status": anything()}),
		plain("ConfigMap", "configmaps", "cm", fields{"data": mapOf(text()), "binaryData": mapOf(text()), "immutable": boolean()}),
		plain("Pod", "pods", "po", fields{"spec": anything(), "status": anything()}),
		namespace, event,
	}
}

func anyContainer() schema {
	s := object(fields{
		"name": text(), "image": text(), "resources": resources(),
		"env":   listByKeys(anyNamed(), "name"),
		"ports": list(anything()),
	}, "name")
	s.XPreserveUnknownFields = new(true)
	return s
}
