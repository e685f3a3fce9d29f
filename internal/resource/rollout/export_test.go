package rollout

// What the tests in the other package use.
var (
	Rollout        = rollout
	TrafficRouting = trafficRouting
)

// ApprovalDefinition has the rows of kuscia_rollout_approval.
var ApprovalDefinition = approvalDefinition
