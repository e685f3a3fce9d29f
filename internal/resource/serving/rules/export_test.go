package rules

// Functions that are tested on their own.
var (
	PodsOf          = podsOf
	ReplacementOf   = replacementOf
	RecordResponse  = recordResponse
	RefreshComputed = refreshComputed
)
