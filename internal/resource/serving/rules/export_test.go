package rules

var (
	PodsOf          = podsOf
	RecordResponse  = recordResponse
	RefreshComputed = refreshComputed
)
