package podstatus

import (
	"maps"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// Reported is what Kuscia has reported of pods in the statuses of a wait. A status is about one
// container, and has the message of one that has ended only until its next restart is put off: then
// it says how long. So the messages of earlier ones are kept. The zero value is ready for use.
type Reported struct{ ended map[string]string }

// maxReported limits the messages that are kept.
const maxReported = 6

// Record records the reason and the message of a status.
func (r *Reported) Record(reason, message string) {
	if !wait.IsEnded(reason) || message == "" {
		return
	}
	if r.ended == nil {
		r.ended = map[string]string{}
	}
	if _, known := r.ended[reason]; known || len(r.ended) < maxReported {
		r.ended[reason] = message
	}
}

// Told reports what a status says of pods that do not run, with its whole message, and how their
// containers have ended before. It reports nothing if the reason of the status is another one.
func (r Reported) Told(reason, message string, masker httpapi.Masker) Report {
	hint := wait.PodHint(reason + " " + message)
	if hint == "" {
		return Report{}
	}
	text, lines := Kuscia(reason, message, masker)
	for _, before := range slices.Sorted(maps.Keys(r.ended)) {
		if before == reason && r.ended[before] == message {
			continue
		}
		text, more := Kuscia(before, r.ended[before], masker)
		lines = append(append(lines, "  Kuscia said before: "+text), more...)
	}
	return Report{Why: "Pods do not run: " + strings.TrimRight(text, ".") + ". " + hint, Lines: lines}
}

// Kuscia describes the reason and the message of a status of Kuscia: a message of several lines
// follows in lines of its own, as a whole.
func Kuscia(reason, message string, masker httpapi.Masker) (text string, lines []string) {
	var parts []string
	switch reason = oneLine(masker.Text(reason)); {
	case strings.Contains(reason, "reason: "):
		parts = append(parts, reason)
	case reason != "":
		parts = append(parts, "reason: "+reason)
	}
	switch all := messageLines(message, masker); {
	case len(all) == 1 && len(all[0]) <= maxLine:
		parts = append(parts, "message: "+all[0])
	default:
		lines = wrapped(all)
	}
	return strings.Join(parts, ", "), lines
}
