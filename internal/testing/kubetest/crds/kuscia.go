package crds

func kuscia() []kind {
	const group = "kuscia.secretflow"
	return []kind{
		{
			group: group, kind: "KusciaDeployment", plural: "kusciadeployments", shortNames: []string{"kd"},
			versions: []version{{name: "v1alpha1", status: true, schema: root(fields{
				"spec": object(fields{
					"initiator":   text(),
					"inputConfig": text(),
					"parties": list(object(fields{
						"domainID":          text(),
						"appImageRef":       text(),
						"role":              text(),
						"serviceNamePrefix": text(),
						"template": object(fields{
							"replicas": number32(),
							"strategy": strategy(),
							"spec":     podSpec(),
						}),
					}, "appImageRef", "domainID")),
				}, "initiator", "inputConfig", "parties"),
				"status": kusciaDeploymentStatus(),
			}, "metadata", "spec")}},
		},
		{
			group: group, kind: "AppImage", plural: "appimages", shortNames: []string{"aimg"}, clusterScoped: true,
			versions: []version{{name: "v1alpha1", schema: root(fields{
				"spec": object(fields{
					"configTemplates": mapOf(text()),
					"deployTemplates": list(object(fields{
						"name":     text(),
						"role":     text(),
						"replicas": number32(),
						"networkPolicy": object(fields{"ingresses": list(object(fields{
							"from":  object(fields{"roles": list(text())}, "roles"),
							"ports": list(object(fields{"port": text()}, "port")),
						}, "from", "ports"))}, "ingresses"),
						"spec": podSpec(),
					}, "name", "spec")),
					"image": object(fields{"id": text(), "name": text(), "sign": text(), "tag": text()}, "name", "tag"),
				}, "deployTemplates", "image"),
			}, "metadata", "spec")}},
		},
		{
			group: group, kind: "Domain", plural: "domains", clusterScoped: true,
			versions: []version{{name: "v1alpha1", status: true, schema: root(fields{
				"spec": anything(), "status": anything(),
			})}},
		},
		{
			group: group, kind: "ClusterDomainRoute", plural: "clusterdomainroutes", shortNames: []string{"cdr"}, clusterScoped: true,
			versions: []version{{name: "v1alpha1", status: true, schema: root(fields{
				"spec": anything(), "status": anything(),
			})}},
		},
	}
}

func strategy() schema {
	return object(fields{
		"type":          text(),
		"rollingUpdate": object(fields{"maxSurge": intOrString(), "maxUnavailable": intOrString()}),
	})
}

// podSpec is the part of a pod's specification that Kuscia's objects have.
func podSpec() schema {
	return object(fields{
		"affinity":      affinity(),
		"restartPolicy": text(),
		"containers": list(object(fields{
			"name":               text(),
			"workingDir":         text(),
			"command":            list(text()),
			"args":               list(text()),
			"imagePullPolicy":    text(),
			"env":                list(anyNamed()),
			"envFrom":            list(anything()),
			"configVolumeMounts": list(object(fields{"mountPath": text(), "subPath": text()}, "mountPath", "subPath")),
			"metricProbe":        object(fields{"path": text(), "port": text()}),
			"livenessProbe":      anything(),
			"readinessProbe":     anything(),
			"startupProbe":       anything(),
			"securityContext":    anything(),
			"resources":          resources(),
			"ports": list(object(fields{
				"name":     text(),
				"port":     number32(),
				"protocol": byDefault(oneOf("HTTP", "GRPC"), "HTTP"),
				"scope":    byDefault(oneOf("Cluster", "Domain", "Local"), "Local"),
			}, "name")),
		}, "name", "workingDir")),
	})
}

func resources() schema {
	return object(fields{
		"claims":   listByKeys(object(fields{"name": text(), "request": text()}, "name"), "name"),
		"limits":   mapOf(quantity()),
		"requests": mapOf(quantity()),
	})
}

// anyNamed is an object of which only the name is checked.
func anyNamed() schema {
	s := object(fields{"name": text()}, "name")
	s.XPreserveUnknownFields = new(true)
	return s
}

func affinity() schema {
	expressions := list(object(fields{"key": text(), "operator": text(), "values": list(text())}, "key", "operator"))
	selector := atomic(object(fields{"matchExpressions": expressions, "matchLabels": mapOf(text())}))
	nodeTerm := atomic(object(fields{"matchExpressions": expressions, "matchFields": expressions}))
	podTerm := object(fields{
		"labelSelector": selector, "namespaceSelector": selector, "namespaces": list(text()), "topologyKey": text(),
	}, "topologyKey")
	pods := object(fields{
		"preferredDuringSchedulingIgnoredDuringExecution": list(object(fields{"podAffinityTerm": podTerm, "weight": number32()}, "podAffinityTerm", "weight")),
		"requiredDuringSchedulingIgnoredDuringExecution":  list(podTerm),
	})
	return object(fields{
		"nodeAffinity": object(fields{
			"preferredDuringSchedulingIgnoredDuringExecution": list(object(fields{"preference": nodeTerm, "weight": number32()}, "preference", "weight")),
			"requiredDuringSchedulingIgnoredDuringExecution":  atomic(object(fields{"nodeSelectorTerms": list(nodeTerm)}, "nodeSelectorTerms")),
		}),
		"podAffinity":     pods,
		"podAntiAffinity": pods,
	})
}

func kusciaDeploymentStatus() schema {
	condition := object(fields{
		"type": text(), "status": text(), "reason": text(), "message": text(),
		"lastTransitionTime": timestamp(), "lastUpdateTime": timestamp(),
	}, "status", "type")
	party := object(fields{
		"phase": text(), "role": text(), "creationTimestamp": timestamp(), "conditions": list(condition),
		"replicas": number32(), "updatedReplicas": number32(), "availableReplicas": number32(), "unavailableReplicas": number32(),
	}, "availableReplicas", "replicas", "unavailableReplicas", "updatedReplicas")
	return object(fields{
		"phase": text(), "reason": text(), "message": text(), "lastReconcileTime": timestamp(),
		"totalParties": integer(), "availableParties": integer(),
		"partyDeploymentStatuses": mapOf(mapOf(party)),
	}, "availableParties", "totalParties")
}
