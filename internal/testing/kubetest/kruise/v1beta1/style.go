package v1beta1

// Styles of a release.
const (
	StyleNone      = ""
	StylePartition = "Partition"
	StyleCanary    = "Canary"
	StyleBlueGreen = "BlueGreen"
)

// Style of the release.
func (s *RolloutStrategy) Style() string {
	switch {
	case s.BlueGreen != nil:
		return StyleBlueGreen
	case s.Canary == nil:
		return StyleNone
	case s.Canary.EnableExtraWorkloadForCanary:
		return StyleCanary
	}
	return StylePartition
}

// Steps of the release.
func (s *RolloutStrategy) Steps() []CanaryStep {
	switch {
	case s.BlueGreen != nil:
		return s.BlueGreen.Steps
	case s.Canary != nil:
		return s.Canary.Steps
	}
	return nil
}

// Routings of the traffic.
func (s *RolloutStrategy) Routings() []TrafficRoutingRef {
	switch {
	case s.BlueGreen != nil:
		return s.BlueGreen.TrafficRoutings
	case s.Canary != nil:
		return s.Canary.TrafficRoutings
	}
	return nil
}
