// Package sandbox is a stateful KusciaAPI server on loopback, for tests, demos
// and the module tests of users. It responds with the codes, texts and defects
// of Kuscia v1.1, and simulated controllers act on its objects by its own clock, so
// that servings go from no status over Progressing to Available.
// conformance_test.go replays recorded exchanges with a real Kuscia against it.
//
// This package has the running server: Start, its Options, the admin endpoints
// and the state file. Its parts, each using only the ones below it:
//
//	kuscia            the registry of the simulated objects
//	kuscia/serving    servings, as KusciaDeployments
//	kuscia/domain     domains, routes, data, data sources, grants and configuration
//	kuscia/appimage   app images
//	kuscia/server     the server of a node: paths, bodies, envelopes, the store
//	cluster           custom resources, Deployments, Services and ConfigMaps in memory
//	kusciadeployment  Kuscia's controller of KusciaDeployments
//	apiserver         an API server as the store of all of them
//	validation        Kubernetes' validation of Deployments and Services
//	agent             starts containers: config files, and SecretFlow-Serving
//	workload          the controllers of Deployments, ReplicaSets and pods
//	objects           the objects of Kuscia and Kubernetes, and clients for them
//	faults            injects faults into requests, and records requests
//	engine            simulated time, events, the lock, random numbers
//
// ief is a server of its own, for edge deployments. sandboxtest starts a sandbox for one test.
//
// In memory nothing runs between requests: every request first runs the events that are
// due, so thousands of servings need neither goroutines nor timers.
package sandbox
