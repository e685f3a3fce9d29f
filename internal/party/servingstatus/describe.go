package servingstatus

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/podstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// describe returns the text of a NotRunningError.
func describe(e *NotRunningError) string {
	var b strings.Builder
	switch report := e.pods(); {
	case report.Why != "":
		b.WriteString(report.Text() + "\n\n")
	case e.Observation != nil && e.Observation.PodsFail != "":
		text := e.Observation.PodsFail
		b.WriteString(strings.ToUpper(text[:1]) + text[1:] + ".\n\n")
	}
	cause := causeText(e)
	if b.Len() > 0 {
		cause = strings.ToUpper(cause[:1]) + cause[1:]
	}
	b.WriteString(cause + ".\n")
	describeStatus(&b, e)
	return strings.TrimRight(b.String(), "\n")
}

// pods is why pods do not run: as the cluster shows it, or otherwise as Kuscia reports it.
func (e *NotRunningError) pods() podstatus.Report {
	report := e.Pods
	if report.Why == "" && e.Last != nil && e.Cause != CauseDeleted {
		reported := e.Reported.Told(e.Last.Reason, e.Last.Message, httpapi.Masker{})
		report.Why, report.Lines = reported.Why, append(reported.Lines, report.Lines...)
	}
	return report
}

// causeText describes why the wait ended.
func causeText(e *NotRunningError) string {
	waited := round(e.Waited)
	state := fmt.Sprintf("does not run as configured after %s", waited)
	if e.StartNotObserved() {
		state = fmt.Sprintf("has the desired replica counts after %s, but the start of the rollout of party %s was not observed", waited, e.Verdict.Of)
	}
	switch e.Cause {
	case CauseFailed:
		return fmt.Sprintf("serving %q failed after %s", e.ServingID, waited)
	case CauseDeleted:
		return fmt.Sprintf("serving %q no longer exists: it was deleted while this run waited for it (%s)", e.ServingID, waited)
	case CauseRefused:
		return fmt.Sprintf("the status of serving %q could not be queried: %v", e.ServingID, e.Err)
	case CauseCanceled:
		return fmt.Sprintf("the wait for serving %q was canceled after %s, before it ran as configured", e.ServingID, waited)
	case CauseOtherCluster:
		return fmt.Sprintf("it cannot be determined whether serving %q runs: kubernetes in the provider block does not refer to the cluster of this Kuscia", e.ServingID)
	case CausePodsFail:
		return fmt.Sprintf("pods of serving %q have not started for %s: the wait ended after %s", e.ServingID, round(wait.PodFailureTimeout), waited)
	case CauseNoProgress:
		return fmt.Sprintf("the rollout of serving %q has made no progress for %s (progress_deadline): it %s",
			e.ServingID, round(e.Target.ProgressDeadline), state)
	}
	return fmt.Sprintf("serving %q %s", e.ServingID, state)
}

// describeStatus describes the last status, and what is known of the cluster.
func describeStatus(b *strings.Builder, e *NotRunningError) {
	if e.Last != nil {
		fmt.Fprintf(b, "\nKuscia reports: state %s", e.Last.State)
		if reasonHint(e.Last) == "" { // otherwise the message begins with it
			b.WriteString(reported(", ", e.Last, ""))
		}
		b.WriteString("\n")
	}
	if e.Last != nil && (len(e.Last.PartyStatuses) > 0 || len(e.Target.Parties) > 0) {
		b.WriteString("\n")
		b.WriteString(partyTable(e.Last, e.Target))
	}
	if text := explain(e); text != "" {
		fmt.Fprintf(b, "\n%s\n", text)
	}
	if e.Stuck != nil && e.Last != nil && e.pods().Why == "" && e.Cause != CauseDeleted {
		fmt.Fprintf(b, "\n%s after the start of the wait, Kuscia reported%s\n", round(e.StuckAt), reported(": ", e.Stuck, ". "+reasonHint(e.Stuck)))
	}
	if e.Observation != nil {
		fmt.Fprintf(b, "\nIn the cluster: %s.\n", strings.TrimRight(e.Observation.Text, "."))
	}
	switch report := e.pods(); {
	case report.Why == "" && len(report.Lines) > 0:
		b.WriteString("\n" + report.Text() + "\n")
	case report.Why != "" && e.Target.Observer == nil:
		b.WriteString("\nKuscia tells this of one party at a time. With kubernetes in the provider block, the pods of all parties are shown.\n")
	}
	if e.ObservationErr != nil && e.Cause != CauseRefused {
		fmt.Fprintf(b, "\nThe last query of the Deployments failed: %v\n", e.ObservationErr)
	}
	if e.StatusErr != nil && e.Cause != CauseRefused {
		fmt.Fprintf(b, "\nThe last status query failed: %v\n", e.StatusErr)
	}
}

// partyTable lists desired and reported parties. Its lines are indented, so that
// terminals do not wrap them as running text.
func partyTable(status *kuscia.ServingStatusDetail, target Target) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(cells ...string) { _, _ = fmt.Fprintln(w, "  "+strings.Join(cells, "\t")) }
	row("DOMAIN", "ROLE", "STATE", "DESIRED", "UPDATED", "AVAILABLE", "UNAVAILABLE")

	desired := make(map[partyKey]string, len(target.Parties))
	for _, party := range target.Parties {
		desired[partyKey{party.DomainID, party.Role}] = strconv.Itoa(int(party.Replicas))
	}
	shown := map[partyKey]bool{}
	for _, party := range sortedParties(status) {
		key := partyKey{party.DomainID, party.Role}
		shown[key] = true
		row(party.DomainID, orDash(party.Role), orDash(party.State), orDash(desired[key]), strconv.Itoa(int(party.UpdatedReplicas)),
			strconv.Itoa(int(party.AvailableReplicas)), strconv.Itoa(int(party.UnavailableReplicas)))
	}
	for _, party := range target.Parties {
		if key := (partyKey{party.DomainID, party.Role}); !shown[key] {
			row(party.DomainID, orDash(party.Role), "no status", desired[key], "-", "-", "-")
		}
	}
	_ = w.Flush()
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func orDash(text string) string { return cmp.Or(text, "-") }

// sortedParties returns the parties by domain and role; the server's order is
// random.
func sortedParties(status *kuscia.ServingStatusDetail) []kuscia.PartyStatus {
	out := slices.Clone(status.PartyStatuses)
	slices.SortStableFunc(out, func(a, b kuscia.PartyStatus) int {
		return cmp.Or(cmp.Compare(a.DomainID, b.DomainID), cmp.Compare(a.Role, b.Role))
	})
	return out
}

// explain describes the likely cause and what to check.
func explain(e *NotRunningError) string {
	switch {
	case e.Cause == CauseDeleted, e.Cause == CauseRefused, e.Cause == CausePodsFail, e.Observation != nil && e.Observation.Stopped:
		return "" // the message has the cause
	case e.Cause == CauseCanceled:
		return "" // nothing is known to be wrong
	case e.Cause == CauseOtherCluster:
		return otherClusterHint(e) + " Correct kubernetes, or remove it from the provider block of this Kuscia."
	case !e.Listed && e.StatusErr == nil:
		return "Kuscia has not listed the serving yet."
	case !e.Listed:
		return ""
	case e.Last == nil:
		return fmt.Sprintf("Kuscia reports no status for it (for %s), and no reason: no party has a Deployment. Likely an app image or a domain does not exist, "+
			"an app image has no deploy template for the role, another serving has a Service of this name (service_name_prefix), or a port of an app image has no number (Kuscia %s). "+
			"The status of the KusciaDeployment in the namespace cross-domain, and the log of the Kuscia controller, show it.", round(e.Since), versions.PortAllocation.Before())
	}
	switch e.Verdict.Reason {
	case judge.PodsOutdated, judge.PodCountDiffers, judge.PodsUnavailable:
		if e.pods().Why != "" {
			return "" // the message begins with the reason
		}
	}
	return blockerHint(e)
}

// reported is the reason and the message of a status, between two texts; "" if it has none. A long
// message follows in lines of its own.
func reported(before string, status *kuscia.ServingStatusDetail, after string) string {
	text, lines := podstatus.Kuscia(status.Reason, status.Message, httpapi.Masker{})
	if text != "" {
		text = before + strings.TrimRight(text, ".") + after
	}
	return strings.Join(append([]string{text}, lines...), "\n")
}

// reasonHint explains the reason in a status for pods that do not start; "" if
// the status has none.
func reasonHint(status *kuscia.ServingStatusDetail) string {
	if status == nil {
		return ""
	}
	return wait.PodHint(status.Reason + " " + status.Message)
}

func blockerHint(e *NotRunningError) string {
	since := round(e.Since)
	switch e.Verdict.Reason {
	case judge.PodsOutdated:
		if e.Last.State == kuscia.StateAvailable {
			return fmt.Sprintf("The state is Available, but party %s has fewer updated pods than desired (for %s): pods of the old version still serve. "+
				"Either the new pods do not start (look at their events), or another controller has paused the rollout: a Kruise Rollout, for example, "+
				"pauses the Deployment, while the serving stays Available. "+
				"It is also possible that Kuscia could not apply the update to the Deployment; it then keeps the old state.", e.Verdict.Of, since)
		}
		return fmt.Sprintf("Party %s has fewer updated pods than desired (for %s): the new pods are not created, or they do not start. "+newPodsHint, e.Verdict.Of, since)
	case judge.PodCountDiffers:
		return podsDifferHint(e)
	case judge.PodsUnavailable:
		return fmt.Sprintf("Pods of party %s do not become available (for %s). Look at their events, their log and the readiness probe of the app image.", e.Verdict.Of, since)
	case judge.Missing:
		return fmt.Sprintf("Kuscia reports nothing for party %s (for %s). Check that its domain exists and its node is connected, and that its app image has a deploy template for the role.",
			e.Verdict.Of, since)
	case judge.Twice:
		return fmt.Sprintf("Kuscia reports party %s twice, so its status is ambiguous.", e.Verdict.Of)
	case judge.PhaseDiffers:
		return fmt.Sprintf("All pods run, but Kuscia's state is %s (for %s).", e.Last.State, since)
	case judge.OldWorkload:
		return fmt.Sprintf("The Deployment of party %s is older than the serving: it is left over from an earlier serving with the same ID and is being removed.", e.Verdict.Of)
	case judge.StartNotObserved:
		return startNotObservedHint(e)
	case judge.Unproven:
		return notConfirmedHint(e)
	case judge.MaybeStale, judge.StaleFailed:
		return "The status may still be from before the update."
	case judge.FailedPhase:
		return "Kuscia does not retry: correct the cause, then change or replace the serving."
	}
	return ""
}

// startNotObservedHint is about pods that may be those from before an update.
func startNotObservedHint(e *NotRunningError) string {
	text := fmt.Sprintf("The running pods may be those from before the update (for %s). "+
		"Either the rollout was too short to be observed, or the controllers of Kuscia or Kubernetes are behind, or Kuscia could not apply the update to the Deployment, or nothing of it reached the pods. "+
		"Check the Deployment in the namespace of that domain: its image, and the environment variable INPUT_CONFIG.", round(e.Since))
	if e.Target.Observer != nil {
		return text
	}
	return text + fmt.Sprintf("\n\nWith kubernetes in the provider block, the provider reads the Deployments and needs no start. Without it, the replica counts are accepted after %s: "+
		"a shorter time limit (timeouts, progress_deadline) ends the wait before.", StartTimeout)
}

// notConfirmedHint is about a party whose replica counts are as desired but whose
// Deployment was not confirmed to be as specified.
func notConfirmedHint(e *NotRunningError) string {
	if e.Observation == nil {
		return "All replica counts are as configured, but they may be from before the update: the Deployments could not be read from the cluster."
	}
	if !e.Observation.isOf(e.Last) {
		return "All replica counts are as configured, but they may be from before the update: kubernetes in the provider block does not seem to refer to the cluster of this Kuscia. " + otherClusterHint(e)
	}
	return fmt.Sprintf("All replica counts are as configured, but the Deployment of party %s is not (for %s). "+
		"Either the controllers of Kuscia or Kubernetes are behind, or Kuscia could not apply the change to the Deployment, or it has not applied the changed app image yet, which it does with the next change of the serving.", e.Verdict.Of, round(e.Since))
}

// otherClusterHint describes how the cluster differs from that of this Kuscia.
func otherClusterHint(e *NotRunningError) string {
	switch {
	case e.Observation.Missing:
		return "It has no KusciaDeployment of this name, although Kuscia shows the serving that belongs to it."
	case e.Last == nil:
		return "Its KusciaDeployment of this name was created at a different time than the serving."
	}
	return fmt.Sprintf("Its KusciaDeployment of this name was created at %s, and the serving at %s.", e.Observation.Created.UTC().Format(time.RFC3339), e.Last.CreateTime)
}

// newPodsHint describes what to check if new pods do not start.
const newPodsHint = "Look at their events and logs in the namespace of that domain: an image that cannot be pulled, a container that exits, a failing readiness probe, no node with enough free resources."

// podsDifferHint is about a party that does not have the desired number of pods.
// Old pods are kept until new ones become available.
func podsDifferHint(e *NotRunningError) string {
	since, unavailable, names := round(e.Since), int32(0), []string{}
	for _, party := range e.Last.PartyStatuses {
		if party.UnavailableReplicas > 0 {
			unavailable += party.UnavailableReplicas
			names = append(names, PartyName(party.DomainID, party.Role))
		}
	}
	if subject := "Party " + e.Verdict.Of + " does"; len(names) > 1 || slices.Contains(names, e.Verdict.Of) {
		if len(names) > 1 {
			subject = "Parties " + strings.Join(names, ", ") + " do"
		}
		return fmt.Sprintf("%s not run the desired number of pods, %d not available (for %s): most likely the new pods do not start, and the old ones are kept until they do. "+newPodsHint, subject, unavailable, since)
	}
	return fmt.Sprintf("Party %s does not run the desired number of pods (for %s). Either the new pods do not start (look at their events), or old pods are not removed yet, "+
		"or another client scales the Deployment, or Kuscia could not apply the update to it; it then keeps the old state.", e.Verdict.Of, since)
}
