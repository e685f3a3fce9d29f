package crds

import (
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

const rolloutsGroup = "rollouts.kruise.io"

func rollouts(conversion Conversion) []kind {
	return []kind{
		{
			group: rolloutsGroup, kind: "Rollout", plural: "rollouts",
			conversion: &apiextensions.CustomResourceConversion{
				Strategy: apiextensions.WebhookConverter,
				Webhook: &apiextensions.WebhookConversion{
					ClientConfig:             &apiextensions.WebhookClientConfig{URL: &conversion.URL, CABundle: conversion.CABundle},
					ConversionReviewVersions: []string{"v1", "v1beta1"},
				},
			},
			versions: []version{
				{name: "v1alpha1", schema: rolloutAlpha(), status: true, notKept: true},
				{name: "v1beta1", schema: rolloutBeta(), status: true},
			},
		},
		{
			group: rolloutsGroup, kind: "BatchRelease", plural: "batchreleases",
			versions: []version{{name: "v1beta1", status: true, schema: root(fields{
				"spec": object(fields{
					"workloadRef": objectRef(),
					"releasePlan": object(fields{
						"batches":                      list(object(fields{"canaryReplicas": intOrString()}, "canaryReplicas")),
						"batchPartition":               number32(),
						"enableExtraWorkloadForCanary": boolean(),
						"failureThreshold":             intOrString(),
						"finalizingPolicy":             text(),
						"patchPodTemplateMetadata":     templateMetadata(),
						"rollingStyle":                 text(),
						"rolloutID":                    text(),
					}, "enableExtraWorkloadForCanary"),
				}, "releasePlan"),
				"status": anything(),
			})}},
		},
		{
			group: rolloutsGroup, kind: "TrafficRouting", plural: "trafficroutings",
			versions: []version{{name: "v1alpha1", status: true, schema: root(fields{
				"spec": object(fields{
					"objectRef": list(trafficRouting()),
					"strategy": object(fields{
						"weight":                number32(),
						"requestHeaderModifier": headerModifier(),
						"matches":               list(object(fields{"headers": atMost(list(headerMatch()), 16)})),
					}),
				}, "objectRef", "strategy"),
				"status": object(fields{"observedGeneration": number64(), "phase": text(), "message": text()}),
			})}},
		},
	}
}

func rolloutBeta() schema {
	strategyOf := func(extra fields) schema {
		extra["steps"] = atMost(list(stepBeta()), 50)
		extra["trafficRoutings"] = list(trafficRouting())
		extra["trafficRoutingRef"] = text()
		extra["failureThreshold"] = intOrString()
		extra["disableGenerateCanaryService"] = boolean()
		return object(extra)
	}
	return root(fields{
		"spec": object(fields{
			"disabled":    byDefault(boolean(), false),
			"workloadRef": objectRef(),
			"strategy": object(fields{
				"paused":    boolean(),
				"canary":    strategyOf(fields{"enableExtraWorkloadForCanary": boolean(), "patchPodTemplateMetadata": templateMetadata()}),
				"blueGreen": strategyOf(fields{}),
			}),
		}, "strategy", "workloadRef"),
		"status": rolloutStatus(fields{
			"currentStepIndex": number32(), "currentStepState": text(),
			"blueGreenStatus": stepStatus(fields{
				"updatedRevision": text(), "updatedReplicas": number32(), "updatedReadyReplicas": number32(),
			}),
		}, "currentStepIndex", "currentStepState"),
	})
}

func rolloutAlpha() schema {
	return root(fields{
		"spec": object(fields{
			"disabled":  byDefault(boolean(), false),
			"rolloutID": text(),
			"objectRef": object(fields{"workloadRef": objectRef()}),
			"strategy": object(fields{
				"paused": boolean(),
				"canary": object(fields{
					"disableGenerateCanaryService": boolean(),
					"failureThreshold":             intOrString(),
					"patchPodTemplateMetadata":     templateMetadata(),
					"trafficRoutings":              list(trafficRouting()),
					"steps": list(object(fields{
						"weight": number32(), "replicas": intOrString(), "pause": object(fields{"duration": number32()}),
						"requestHeaderModifier": headerModifier(),
						"matches":               list(object(fields{"headers": atMost(list(headerMatch()), 16)})),
					})),
				}),
			}),
		}, "objectRef", "strategy"),
		"status": rolloutStatus(fields{}),
	})
}

func rolloutStatus(extra fields, required ...string) schema {
	extra["observedGeneration"], extra["phase"], extra["message"] = number64(), text(), text()
	extra["conditions"] = list(object(fields{
		"type": text(), "status": text(), "reason": text(), "message": text(),
		"lastTransitionTime": timestamp(), "lastUpdateTime": timestamp(),
	}, "message", "reason", "status", "type"))
	extra["canaryStatus"] = stepStatus(fields{
		"canaryRevision": text(), "canaryReplicas": number32(), "canaryReadyReplicas": number32(),
	})
	return object(extra, required...)
}

// stepStatus is the status of a release; the fields of extra are required, too.
func stepStatus(extra fields) schema {
	required := []string{"currentStepState", "finalisingStep", "nextStepIndex", "podTemplateHash"}
	all := fields{
		"observedWorkloadGeneration": number64(), "observedRolloutID": text(), "rolloutHash": text(),
		"stableRevision": text(), "podTemplateHash": text(),
		"currentStepIndex": number32(), "nextStepIndex": number32(), "currentStepState": text(), "finalisingStep": text(),
		"message": text(), "lastUpdateTime": timestamp(),
	}
	for name, property := range extra {
		all[name] = property
		required = append(required, name)
	}
	return object(all, required...)
}

func stepBeta() schema {
	return object(fields{
		"replicas":              intOrString(),
		"traffic":               text(),
		"pause":                 object(fields{"duration": number32()}),
		"requestHeaderModifier": headerModifier(),
		"matches": atMost(list(object(fields{
			"path":        pathMatch(),
			"headers":     atMost(listByKeys(headerMatch(), "name"), 16),
			"queryParams": atMost(listByKeys(nameAndValue(1024, fields{"type": matchType()}), "name"), 16),
		})), 16),
	})
}

func objectRef() schema {
	return object(fields{"apiVersion": text(), "kind": text(), "name": text()}, "apiVersion", "kind", "name")
}

func templateMetadata() schema {
	return object(fields{"annotations": mapOf(text()), "labels": mapOf(text())})
}

func trafficRouting() schema {
	return object(fields{
		"service":            text(),
		"gracePeriodSeconds": byDefault(number32(), 3),
		"ingress":            object(fields{"name": text(), "classType": text()}, "name"),
		"gateway":            object(fields{"httpRouteName": text()}),
		"customNetworkRefs":  list(objectRef()),
	}, "service")
}

func headerModifier() schema {
	headers := atMost(listByKeys(nameAndValue(4096, fields{}), "name"), 16)
	return object(fields{"set": headers, "add": headers, "remove": atMost(set(text()), 16)})
}

func headerMatch() schema { return nameAndValue(4096, fields{"type": matchType()}) }

func matchType() schema { return byDefault(oneOf("Exact", "RegularExpression"), "Exact") }

func nameAndValue(longest int64, extra fields) schema {
	extra["name"] = length(pattern(text(), `^[A-Za-z0-9!#$%&'*+\-.^_\x60|~]+$`), 1, 256)
	extra["value"] = length(text(), 1, longest)
	return object(extra, "name", "value")
}

// pathMatch has the rules of the Gateway API for paths that are no regular
// expression.
func pathMatch() schema {
	s := object(fields{
		"type":  byDefault(oneOf("Exact", "PathPrefix", "RegularExpression"), "PathPrefix"),
		"value": byDefault(length(text(), 0, 1024), "/"),
	})
	const literal = "(self.type in ['Exact','PathPrefix'])"
	const when = " when type one of ['Exact', 'PathPrefix']"
	rule := func(message, condition string) {
		s.XValidations = append(s.XValidations, apiextensions.ValidationRule{Message: message, Rule: literal + " ? " + condition + " : true"})
	}
	rule("value must be an absolute path and start with '/'"+when, "self.value.startsWith('/')")
	for _, part := range []string{"//", "/./", "/../", "%2f", "%2F", "#"} {
		rule("must not contain '"+part+"'"+when, "!self.value.contains('"+part+"')")
	}
	for _, end := range []string{"/..", "/."} {
		rule("must not end with '"+end+"'"+when, "!self.value.endsWith('"+end+"')")
	}
	return s
}
