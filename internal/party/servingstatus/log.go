package servingstatus

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
)

// progressLog is the log of a wait.
type progressLog struct {
	ctx             context.Context
	servingID, what string
	interval        time.Duration
	report          func(text string)
	began           time.Time
	last            string
	// due fires when there was no line for the interval.
	due *time.Timer
}

// newProgressLog begins a log. what is waited for; report, if set, gets the lines.
func newProgressLog(ctx context.Context, servingID, what string, interval time.Duration, report func(text string)) *progressLog {
	return &progressLog{ctx: ctx, servingID: servingID, what: what, interval: interval, report: report, began: time.Now(), due: time.NewTimer(interval)}
}

// line writes a line if it differs from the last one.
func (l *progressLog) line(text string, status *kuscia.ServingStatusDetail) {
	if text == l.last {
		return
	}
	l.last = text
	if l.report != nil {
		l.report(text)
	}
	l.write(text, status)
}

// heartbeat writes that nothing has changed: what is missing, and since when.
func (l *progressLog) heartbeat(missing string, since time.Time, status *kuscia.ServingStatusDetail) {
	now := time.Now()
	text := fmt.Sprintf("for %s now", round(now.Sub(l.began)))
	if missing != "" {
		text += fmt.Sprintf("; %s for %s", missing, round(now.Sub(since)))
	}
	if l.last != "" {
		text += "; last seen: " + l.last
	} else {
		text += "; no response yet"
	}
	l.write(text, status)
}

func (l *progressLog) write(text string, status *kuscia.ServingStatusDetail) {
	l.due.Reset(l.interval)
	fields := map[string]any{"serving_id": l.servingID, "waited_ms": time.Since(l.began).Milliseconds()}
	if status != nil {
		fields["state"], fields["reason"], fields["message"] = status.State, status.Reason, status.Message
	}
	tflog.Info(l.ctx, fmt.Sprintf("serving %s: %s: %s", l.servingID, l.what, text), fields)
}

// summary describes a status in one line, independently of the order of parties.
func summary(status *kuscia.ServingStatusDetail) string {
	if status == nil {
		return "no status yet"
	}
	var b strings.Builder
	b.WriteString(status.State)
	if status.Reason != "" {
		fmt.Fprintf(&b, " (%s)", status.Reason)
	}
	for _, party := range sortedParties(status) {
		fmt.Fprintf(&b, ", %s: %d pods, %d updated, %d available", PartyName(party.DomainID, party.Role),
			party.Replicas, party.UpdatedReplicas, party.AvailableReplicas)
	}
	return b.String()
}

// missing describes briefly what is missing; "" before the first status.
func missing(verdict judge.Verdict) string {
	party := "party " + verdict.Of
	switch verdict.Reason {
	case judge.NoStatus:
		return "no status"
	case judge.FailedPhase, judge.StaleFailed:
		return "state Failed"
	case judge.Twice:
		return party + " is listed twice"
	case judge.Missing:
		return party + " has no status"
	case judge.PodsOutdated:
		return party + " has fewer updated pods than desired"
	case judge.PodCountDiffers:
		return party + " does not have the desired number of pods"
	case judge.PodsUnavailable:
		return party + " has pods that are not available"
	case judge.PhaseDiffers:
		return "all pods run and the state is not Available"
	case judge.OldWorkload:
		return party + " has a Deployment of an earlier serving"
	case judge.Unproven:
		return party + " has a Deployment that is not confirmed to be as configured"
	case judge.StartNotObserved:
		return party + " has not been observed to start its rollout"
	}
	return ""
}
