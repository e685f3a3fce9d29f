// Package sandbox is a stateful KusciaAPI server on loopback, for tests, demos
// and the module tests of users. It answers with the codes, texts and traps of
// Kuscia v1.1 and has a controller with a clock of its own, so that servings
// go from no status over Progressing to Available. Recorded exchanges with a
// real Kuscia are replayed against it in conformance_test.go.
//
// The layers, each using only the ones below it:
//
//	sandbox.go, admin.go, fault*.go, record.go   the server: listener, faults, records
//	routes.go, bind.go, render.go, auth.go       the protocol: paths, bodies, envelopes
//	serving_*.go, appimage_*.go, domain.go       the handlers: what each request does
//	controller.go, kit.go, rollout.go, …         Kuscia's controller and the Deployments
//	world.go, events.go, clock.go                objects, time and what happens when
//
// Nothing runs between requests: every request first lets the world catch up
// with the clock, so thousands of servings cost neither goroutines nor timers.
package sandbox
