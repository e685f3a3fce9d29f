package rolloutstatus

import (
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// staleDeadlineTimeout is how long a progress deadline that was exceeded before the
// first read is ignored, as long as no replica count changes: it may be about
// the specification before a change, and its cause may have been fixed. Kubelets
// retry to pull an image after at most five minutes.
const staleDeadlineTimeout = 6 * time.Minute

// deadline is the recorded status of a Deployment.
type deadline struct {
	// exceeded is its DeploymentStatus.Exceeded at the first read.
	exceeded string
	// text is DeploymentStatus.Text at the last read; since is when it last changed.
	text  string
	since time.Time
}

// ignoreStaleDeadline drops the failure of a party whose deadline was already exceeded at the
// first read.
func (r *Reader) ignoreStaleDeadline(p *Party) {
	recorded, again := r.deadlines[p.Key]
	if !again {
		recorded.exceeded = p.DeadlineExceededAt
	}
	if !again || recorded.text != p.Text {
		recorded.text, recorded.since = p.Text, time.Now()
	}
	if r.deadlines == nil {
		r.deadlines = map[party.Key]deadline{}
	}
	r.deadlines[p.Key] = recorded
	if p.Failed != "" && p.DeadlineExceededAt == recorded.exceeded && time.Since(recorded.since) < staleDeadlineTimeout {
		p.Text += "; its progress deadline was exceeded before: " + p.Failed
		p.Failed, p.Workload.DeadlineExceeded = "", false
	}
}
