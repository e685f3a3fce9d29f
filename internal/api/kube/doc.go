// Package kube is a client of the Kubernetes API. client-go finds the cluster
// and authenticates (kubeconfig, contexts, certificates, tokens, exec plugins,
// service accounts). The calls go through httpapi like those of every API of
// this provider, so that limits, retries, masking, logs and the classification
// of lost responses are the same. Objects are unstructured: there are no
// generated types.
//
// A write never overwrites changes of others: server-side apply is not forced
// unless requested, updates can carry the resourceVersion that they are based
// on, JSON patches carry tests, and deletes carry preconditions. Conflicts are
// never repeated.
package kube
