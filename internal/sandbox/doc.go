// Package sandbox is a stateful KusciaAPI server on loopback, for tests, demos
// and the module tests of users. It responds with the codes, texts and defects
// of Kuscia v1.1 and has a controller with its own clock, so that servings go
// from no status over Progressing to Available. conformance_test.go replays
// recorded exchanges with a real Kuscia against it.
//
// This package has the running server: Start, its Options, the admin endpoints
// and the state file. Its parts, each using only the ones below it:
//
//	kuscia           the registry of the simulated objects
//	kuscia/serving   servings and their controller
//	kuscia/domain    domains, routes, data, data sources, grants and configuration
//	kuscia/appimage  app images
//	kuscia/server    the server of a node: paths, bodies, envelopes, the store
//	cluster          Deployments, ReplicaSets, pods, Services
//	faults           injects faults into requests, and records requests
//	engine           simulated time, events, the lock, random numbers
//
// Nothing runs between requests: every request first runs the events that are
// due, so thousands of servings need neither goroutines nor timers.
package sandbox
