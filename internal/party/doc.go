// Package party is what resources for servings share about a party: how it is
// identified and its Deployment named, its update strategy, and which part of an
// app image it runs. Everything in it is pure.
package party
