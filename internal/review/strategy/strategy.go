// Package strategy computes what an update strategy leaves running, as Kubernetes does.
package strategy

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/rollingupdate"
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

// leastAvailable is the number of pods that Kubernetes keeps during an update.
func leastAvailable(replicas, surge, unavailable plan.Value) (left int, ok bool) {
	total, number := 1, replicas.Raw
	if number != nil {
		n, isNumber := number.(float64)
		if !isNumber {
			return 0, false
		}
		total = int(n)
	}
	missing, known := rollingupdate.MayMiss(total, bound(surge), bound(unavailable))
	return total - missing, known
}

// bound is the text of a bound, by default that of Kuscia and Kubernetes.
func bound(v plan.Value) string {
	if v.Raw == nil {
		return "25%"
	}
	return v.ID()
}
