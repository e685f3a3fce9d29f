package crds

import "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"

func kuscia(of versions.Version) []kind {
	const group = "kuscia.secretflow"
	return []kind{
		{
			group: group, kind: "KusciaDeployment", plural: "kusciadeployments", shortNames: []string{"kd"}, clusterScoped: !of.Has(versions.NamespacedDeployments),
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
			versions: []version{{name: "v1alpha1", status: true, schema: root(fields{"spec": domain(), "status": domainStatus()}, "metadata", "spec")}},
		},
		{
			group: group, kind: "ClusterDomainRoute", plural: "clusterdomainroutes", shortNames: []string{"cdr"}, clusterScoped: true,
			versions: []version{{name: "v1alpha1", status: true, schema: root(fields{"spec": route(), "status": routeStatus()})}},
		},
		{
			group: group, kind: "DomainRoute", plural: "domainroutes", shortNames: []string{"dr"},
			versions: []version{{name: "v1alpha1", status: true, schema: root(fields{"spec": route(), "status": object(fields{
				"isDestinationAuthorized": boolean(), "isDestinationUnreachable": boolean(), "tokenStatus": anything(),
			}, "isDestinationAuthorized", "isDestinationUnreachable")})}},
		},
		{
			group: group, kind: "DomainData", plural: "domaindatas", shortNames: []string{"kdd"},
			versions: []version{{name: "v1alpha1", status: true, schema: root(fields{"spec": domainData(), "status": anything()}, "metadata", "spec")}},
		},
		{
			group: group, kind: "DomainDataSource", plural: "domaindatasources", shortNames: []string{"dds"},
			versions: []version{{name: "v1alpha1", status: true, schema: root(fields{"spec": object(fields{
				"uri": text(), "name": text(), "data": mapOf(text()), "type": text(), "infoKey": text(), "accessDirectly": boolean(),
			}, "name", "type"), "status": anything()}, "metadata", "spec")}},
		},
		{
			group: group, kind: "DomainDataGrant", plural: "domaindatagrants", shortNames: []string{"ddg"},
			versions: []version{{name: "v1alpha1", status: true, schema: root(fields{"spec": grant(), "status": grantStatus()}, "metadata", "spec")}},
		},
	}
}

func domain() schema {
	return object(fields{
		"role": text(), "cert": text(), "master": text(), "interConnProtocols": list(text()),
		"authCenter": object(fields{
			"authenticationType": oneOf("Token", "MTLS", "None"), "tokenGenMethod": oneOf("RSA-GEN", "RAND-GEN", "UID-RSA-GEN"),
		}, "authenticationType"),
		"resourceQuota": object(fields{"podMaxCount": atLeast(integer(), 0)}),
	})
}

func domainStatus() schema {
	return object(fields{
		"nodeStatuses": list(object(fields{
			"name": text(), "status": text(), "version": text(), "lastHeartbeatTime": timestamp(), "lastTransitionTime": timestamp(),
		}, "name", "status", "version")),
		"deployTokenStatuses": list(object(fields{"token": text(), "state": text(), "lastTransitionTime": timestamp()}, "state", "token")),
	})
}

// routeHost matches an IPv4 address, a DNS name or nothing.
const routeHost = `^$|^(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\.){3}(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)$|` +
	`^(([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9\-]*[a-zA-Z0-9])\.)*([A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9\-]*[A-Za-z0-9])$`

func route() schema {
	port := atLeast(integer(), 1)
	port.Maximum = new(65535.0)
	return object(fields{
		"source": text(), "destination": text(), "interConnProtocol": text(), "authenticationType": text(),
		"endpoint": object(fields{
			"host": pattern(text(), routeHost),
			"ports": list(object(fields{
				"name": text(), "port": port, "protocol": oneOf("HTTP", "GRPC"), "isTLS": boolean(), "pathPrefix": text(),
			}, "name", "port", "protocol")),
		}),
		"transit": object(fields{
			"transitMethod": oneOf("THIRD-DOMAIN", "REVERSE-TUNNEL"), "domain": object(fields{"domainID": text()}, "domainID"),
		}),
		"tokenConfig": object(fields{
			"sourcePublicKey": text(), "destinationPublicKey": text(), "rollingUpdatePeriod": atLeast(integer(), 0),
			"tokenGenMethod": oneOf("RSA-GEN", "UID-RSA-GEN"),
		}, "tokenGenMethod"),
		"bodyEncryption":      object(fields{"algorithm": oneOf("AES", "SM4")}, "algorithm"),
		"mTLSConfig":          object(fields{"tlsCA": text(), "sourceClientPrivateKey": text(), "sourceClientCert": text()}),
		"sourceWhiteIPList":   list(text()),
		"requestHeadersToAdd": mapOf(text()),
	}, "authenticationType", "destination", "source")
}

func routeStatus() schema {
	return object(fields{
		"tokenStatus": anything(), "endpointStatuses": mapOf(object(fields{"endpointHealthy": boolean()}, "endpointHealthy")),
		"conditions": list(condition()),
	})
}

func domainData() schema {
	columns := list(object(fields{"name": text(), "type": text(), "comment": text(), "notNullable": boolean()}, "name", "type"))
	return object(fields{
		"relativeURI": text(), "author": text(), "name": text(), "type": text(), "dataSource": text(), "attributes": mapOf(text()),
		"partitions": object(fields{"type": text(), "fields": columns}, "type"), "columns": columns, "vendor": text(), "fileFormat": text(),
	}, "author", "dataSource", "name", "relativeURI", "type")
}

func grant() schema {
	return object(fields{
		"author": text(), "domainDataID": text(), "signature": text(), "grantDomain": text(), "description": mapOf(text()),
		"limit": object(fields{
			"expirationTime": timestamp(), "useCount": integer(), "grantMode": list(oneOf("normal", "metadata", "file")), "flowID": text(),
			"components": list(text()), "initiator": text(), "inputConfig": text(),
		}),
	}, "author", "domainDataID", "grantDomain")
}

func grantStatus() schema {
	return object(fields{
		"phase": oneOf("Ready", "Unavailable", "Unknown"), "message": text(),
		"use_records": list(object(fields{"use_time": timestamp(), "grant_domain": text(), "component": text(), "output": text()}, "grant_domain", "use_time")),
	}, "message", "phase")
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
	party := object(fields{
		"phase": text(), "role": text(), "creationTimestamp": timestamp(), "conditions": list(condition()),
		"replicas": number32(), "updatedReplicas": number32(), "availableReplicas": number32(), "unavailableReplicas": number32(),
	}, "availableReplicas", "replicas", "unavailableReplicas", "updatedReplicas")
	return object(fields{
		"phase": text(), "reason": text(), "message": text(), "lastReconcileTime": timestamp(),
		"totalParties": integer(), "availableParties": integer(),
		"partyDeploymentStatuses": mapOf(mapOf(party)),
	}, "availableParties", "totalParties")
}

func condition() schema {
	return object(fields{
		"type": text(), "status": text(), "reason": text(), "message": text(),
		"lastTransitionTime": timestamp(), "lastUpdateTime": timestamp(),
	}, "status", "type")
}
