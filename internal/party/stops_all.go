package party

import (
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/rollingupdate"
)

// StopsAll reports whether an update strategy lets so many of the desired pods of a party be missing,
// as Kubernetes computes it, that at least a number of them may be. Surge and unavailable are numbers or
// percentages.
func StopsAll(kind, surge, unavailable string, desired, least int32) bool {
	if kind == kuscia.StrategyRecreate {
		return true
	}
	missing, _ := rollingupdate.MayMiss(int(desired), surge, unavailable)
	return missing >= int(least)
}

// StopsAllSummary is the title of the warning of an update of such a party.
const StopsAllSummary = "All pods of a party stop first"

// DescribeStopsAll completes that warning; key is that of the party.
func DescribeStopsAll(key string) string {
	return fmt.Sprintf("The update strategy of party %q lets all of its pods stop before new ones run, so that it does not answer meanwhile, unless an OpenKruise Rollout releases it. "+
		"With type = %q, max_surge = 1 and max_unavailable = 0 there is no gap.", key, kuscia.StrategyRollingUpdate)
}
