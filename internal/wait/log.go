package wait

import (
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// log writes a line if the state has changed. The lock is held.
func (w *waiter) log(text string, status *kuscia.ServingStatusDetail) {
	if text == w.logged {
		return
	}
	w.logged = text
	if w.target.Progress != nil {
		w.target.Progress(text)
	}
	w.writeLine(text, status)
}

// logHeartbeat writes a line if there was none for options.heartbeat, and returns the
// time until the next call.
func (w *waiter) logHeartbeat() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if since := now.Sub(w.loggedAt); since < w.options.heartbeat {
		return w.options.heartbeat - since
	}
	text := fmt.Sprintf("for %s now", round(now.Sub(w.began)))
	if missing := w.outcome.missing(); missing != "" {
		text += fmt.Sprintf("; %s for %s", missing, round(now.Sub(w.since)))
	}
	if w.logged != "" {
		text += "; last seen: " + w.logged
	} else {
		text += "; no response yet"
	}
	w.writeLine(text, w.last)
	return w.options.heartbeat
}

// writeLine writes one line of the log. The lock is held.
func (w *waiter) writeLine(text string, status *kuscia.ServingStatusDetail) {
	w.loggedAt = time.Now()
	fields := map[string]any{"serving_id": w.target.ServingID, "waited_ms": time.Since(w.began).Milliseconds()}
	if status != nil {
		fields["state"], fields["reason"], fields["message"] = status.State, status.Reason, status.Message
	}
	verb := "waiting until it runs"
	if w.forDeletion {
		verb = "waiting for its deletion"
	}
	tflog.Info(w.ctx, fmt.Sprintf("serving %s: %s: %s", w.target.ServingID, verb, text), fields)
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
		fmt.Fprintf(&b, ", %s: %d pods, %d updated, %d available", partyName(party.DomainID, party.Role),
			party.Replicas, party.UpdatedReplicas, party.AvailableReplicas)
	}
	return b.String()
}

// missing describes briefly what is missing; "" before the first status.
func (o Outcome) missing() string {
	party := "party " + o.Party
	switch o.Blocker {
	case NoStatus:
		return "no status"
	case FailedState, StaleFailed:
		return "state Failed"
	case DuplicateParty:
		return party + " is listed twice"
	case PartyMissing:
		return party + " has no status"
	case PodsOutdated:
		return party + " has fewer updated pods than desired"
	case PodCountDiffers:
		return party + " does not have the desired number of pods"
	case PodsUnavailable:
		return party + " has pods that are not available"
	case StateDiffers:
		return "all pods run and the state is not Available"
	case StaleDeployment:
		return party + " has a Deployment of an earlier serving"
	case NotObservedDone:
		return party + " has a Deployment that is not confirmed to be as configured"
	case RolloutStartNotObserved:
		return party + " has not been observed to start its rollout"
	}
	return ""
}
