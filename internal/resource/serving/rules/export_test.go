package rules

var (
	PodsOf          = podsOf
	RefreshComputed = refreshComputed
)
