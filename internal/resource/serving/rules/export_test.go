package rules

// Functions that are tested on their own.
var (
	PodsOf          = podsOf
	RecordResponse  = recordResponse
	RefreshComputed = refreshComputed
)
