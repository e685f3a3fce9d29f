package rollout

// What the tests in the other package use.
var (
	Rollout        = rollout
	TrafficRouting = trafficRouting
)
