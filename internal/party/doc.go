// Package party has what the resources for servings share about a party: its
// key, the name of its Deployment, its update strategy, the deploy template of
// its app image, the Deployment that Kuscia derives from these, and whether a
// Deployment runs as derived. It makes no requests.
package party
