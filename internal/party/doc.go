// Package party is what resources for servings share about a party: how it is
// identified and its Deployment named, its update strategy, which part of an app
// image it runs, what Kuscia makes of the two, and whether the Deployment runs
// like that. It is pure.
package party
