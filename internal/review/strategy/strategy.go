// Package strategy computes what an update strategy leaves running, as Kubernetes does.
package strategy

import (
	"strconv"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
)

// StopsAll reports whether an update of a party may stop all pods before new ones run: all at
// once, or since so many may be unavailable that none is left. A strategy that the configuration
// has no longer stays.
func StopsAll(before, after plan.Value) plan.Certainty {
	strategy := after.At("update_strategy")
	if !strategy.Exists() {
		strategy = before.At("update_strategy")
	}
	if recreates := strategy.At("type").Is(plan.Equals("Recreate")); recreates != plan.No {
		return recreates
	}
	surge, unavailable, replicas := strategy.At("max_surge"), strategy.At("max_unavailable"), after.At("replicas")
	if !surge.Exists() && !unavailable.Exists() {
		return plan.No // by default one is always left
	}
	if surge.IsUnknown() || unavailable.IsUnknown() || replicas.IsUnknown() {
		return plan.Maybe
	}
	left, ok := leastAvailable(replicas, surge, unavailable)
	switch {
	case !ok:
		return plan.Maybe
	case left > 0:
		return plan.No
	case strategy.IsSensitive() || replicas.IsSensitive():
		return plan.Maybe
	}
	return plan.Yes
}

// leastAvailable is the number of pods that Kubernetes keeps during an update. A percentage of
// those that may be unavailable is rounded down, one of those that may be there in addition up;
// with neither, one may be unavailable.
func leastAvailable(replicas, surge, unavailable plan.Value) (left int, ok bool) {
	total, number := 1, replicas.Raw
	if number != nil {
		n, isNumber := number.(float64)
		if !isNumber {
			return 0, false
		}
		total = int(n)
	}
	missing, known := share(unavailable, total, 0)
	more, alsoKnown := share(surge, total, 99)
	if more == 0 && missing == 0 {
		missing = 1
	}
	return total - missing, known && alsoKnown
}

// share is a number or a percentage of a total, with what is added to round it.
func share(v plan.Value, total, round int) (n int, ok bool) {
	text := "25%"
	if v.Raw != nil {
		text = v.ID()
	}
	digits, percent := strings.CutSuffix(text, "%")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || n > 1<<20 {
		return 0, false
	}
	if percent {
		n = (n*total + round) / 100
	}
	return n, true
}
