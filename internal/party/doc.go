// Package party is what a party of a serving is in the cluster: which Deployment
// it has, what Kuscia makes of an app image and a party's settings, and whether
// the Deployment runs like that. It is pure.
package party
