package rolloutstatus

import (
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// staleDeadline is for how long a progress deadline that was exceeded before the
// first read says nothing, as long as no number moves: it may be about what was
// wanted before a change, and what was amiss may have been repaired. Kubelets try
// again to pull an image after five minutes at the latest.
const staleDeadline = 6 * time.Minute

// deadline is what was known of a Deployment.
type deadline struct {
	// exceeded is its Verdict.Exceeded at the first read.
	exceeded string
	// text is that of the last read, and since is when it came to say so.
	text  string
	since time.Time
}

// doubt drops the failure of a party whose deadline was exceeded at the first read
// already.
func (w *Reader) doubt(p *Party) {
	known, again := w.deadlines[p.Key]
	if !again {
		known.exceeded = p.Exceeded
	}
	if !again || known.text != p.Text {
		known.text, known.since = p.Text, time.Now()
	}
	if w.deadlines == nil {
		w.deadlines = map[party.Key]deadline{}
	}
	w.deadlines[p.Key] = known
	if p.Failed != "" && p.Exceeded == known.exceeded && time.Since(known.since) < staleDeadline {
		p.Text += "; its progress deadline was exceeded before: " + p.Failed
		p.Failed = ""
	}
}
