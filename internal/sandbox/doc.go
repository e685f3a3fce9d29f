// Package sandbox is a stateful KusciaAPI server on loopback, for tests, demos
// and the module tests of users. It answers with the codes, texts and defects of
// Kuscia v1.1 and has a controller with a clock of its own, so that servings
// go from no status over Progressing to Available. Recorded exchanges with a
// real Kuscia are replayed against it in conformance_test.go.
//
// What is in this package is a running server: Start, its Options, the admin
// endpoints and the state file. What it is made of, each using only the ones
// below it:
//
//	kuscia           the registry: the objects that are simulated
//	kuscia/serving   servings with Kuscia's controller of them
//	kuscia/domain    domains, and routes, data, sources, grants and configuration
//	kuscia/appimage  app images
//	kuscia/server    the server of a node: paths, bodies, envelopes, the store
//	cluster          Deployments, ReplicaSets, pods, Services
//	faults           injects faults into requests, and records them
//	engine           simulated time, events, the lock, random numbers
//
// Nothing runs between requests: every request first runs the events that are due,
// so thousands of servings cost neither goroutines nor timers.
package sandbox
