// Package party is what the resources for servings have in common about a party:
// its key, the name of its Deployment, its update strategy, the deploy template of
// the app image that it runs, the Deployment that Kuscia derives from these, and
// whether a Deployment runs as derived. It makes no requests.
package party
