// Package sandbox is a stateful KusciaAPI server on loopback, for tests, demos
// and the module tests of users. It answers with the codes, texts and traps of
// Kuscia v1.1 and has a controller with a clock of its own, so that servings
// go from no status over Progressing to Available. Recorded exchanges with a
// real Kuscia are replayed against it in conformance_test.go.
//
// The layers, each using only the ones below it:
//
//	sandbox.go, admin.go, fault*.go, record.go   the server: listener, faults, records
//	registry.go                                  the objects: what there is, each a value of its own
//	server.go, bind.go, render.go, caller.go      the protocol: paths, bodies, envelopes
//	node.go                                      master, autonomy or lite node, and how nodes join
//	serving_*.go, appimage_*.go, domain*.go, …   the handlers: what each request does
//	controller.go, kit.go, rollout.go, …         Kuscia's controller and the Deployments
//	grant_controller.go, route_read.go           the controllers of grants and routes
//	world.go, table.go, events.go, clock.go      objects, time and what happens when
//
// Nothing runs between requests: every request first lets the world catch up
// with the clock, so thousands of servings cost neither goroutines nor timers.
package sandbox
