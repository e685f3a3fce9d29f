// Package kube is a client of the Kubernetes API. client-go finds the cluster
// and speaks for the user (kubeconfig, contexts, certificates, tokens, exec
// plugins, service accounts); the calls themselves go through httpapi like those
// of every API of this provider, so that limits, repetitions, masks, logs and
// what is known of a lost answer are the same. Objects are unstructured: what a
// cluster serves is not generated code.
//
// A write never hides somebody else's: server-side apply is not forced unless
// the caller says so, updates can carry the resource version they were made
// from, JSON patches carry tests, and deletions carry preconditions. Conflicts
// are never repeated.
package kube
