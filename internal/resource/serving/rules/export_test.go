package rules

// Functions that are tested on their own.
var (
	PodsOf           = podsOf
	ReplacementOf    = replacementOf
	Triggered        = triggered
	RecordResponse   = recordResponse
	RefreshComputed  = refreshComputed
	RefreshResources = refreshResources
)
