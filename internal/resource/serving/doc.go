// Package serving is kuscia_serving: the resource, its data sources, its list resource and the
// redeploy action. It decodes, sends requests, waits and saves; what it decides are functions of
// package rules. Package servingtest has servings, random servings and checks for the tests of
// both.
package serving
