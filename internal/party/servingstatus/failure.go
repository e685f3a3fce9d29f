package servingstatus

import (
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// failure counts consecutive observations of the same failure of a new serving.
// Kuscia briefly reports a failure if it reconciles the serving before an object
// to which it refers, such as its app image.
type failure struct {
	text  string
	since time.Time
	count int
}

// record records an observation, with "" for no failure, and reports whether the
// failure has been the same for failedFor.
func (f *failure) record(at time.Time, text string) bool {
	if text == "" {
		*f = failure{}
		return false
	}
	if f.count == 0 || text != f.text {
		*f = failure{text: text, since: at}
	}
	f.count++
	return f.count >= wait.MinFailures && at.Sub(f.since) >= failedFor
}

// failureOf returns a text that identifies the failure in a status, "" if there
// is none.
func failureOf(status *kuscia.ServingStatusDetail, verdict judge.Verdict) string {
	if verdict.Is != judge.Stands {
		return ""
	}
	return status.State + "\n" + status.Reason + "\n" + status.Message
}
