package podstatus

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/printable"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

const (
	// MaxLines limits the lines of a report about pods, and maxLine the length of each.
	MaxLines = 12
	maxLine  = 200
	// maxReasons limits the reasons that are named before the lines.
	maxReasons = 5
)

// Party is a party that does not run as desired, with the pods of its Deployment.
type Party struct {
	// Name is how the party is called, and Deployment the name of its Deployment.
	Name, Deployment string
	Pods             []kube.Pod
	// Unlisted is why the pods could not be listed; nil if they were.
	Unlisted error
}

// Report tells why pods do not run. The zero value tells nothing.
type Report struct {
	// Why has the reasons, and what to do, as sentences; "" if no pod is known that does not run.
	Why string
	// Lines are the details.
	Lines []string
}

// Text is the report as a whole.
func (r Report) Text() string {
	return strings.Trim(r.Why+"\n\n"+strings.Join(r.Lines, "\n"), "\n")
}

// AfterWarning is the report as a paragraph after a warning; "" if no pod is known that does not run.
func (r Report) AfterWarning() string {
	if r.Why == "" {
		return ""
	}
	return "\n\n" + r.Text()
}

// told is a failure of a party.
type told struct {
	failure

	party *Party
	// lines are those of its message.
	lines []string
}

// Of reports on the pods of parties, with each party before a second failure of any.
func Of(parties []Party, masker httpapi.Masker) Report {
	var all []told
	var unlisted []string
	byParty := make([][]failure, len(parties))
	most := 0
	for i := range parties {
		if p := &parties[i]; p.Unlisted != nil {
			text := strings.TrimRight(masker.Text(p.Unlisted.Error()), ".")
			unlisted = append(unlisted, cut(fmt.Sprintf("  %s: the pods could not be listed: %s", p.Name, oneLine(text)), maxLine))
		}
		byParty[i] = failing(parties[i].Pods)
		most = max(most, len(byParty[i]))
	}
	for round := range min(most, MaxLines) {
		for i := range parties {
			if round < len(byParty[i]) {
				f := byParty[i][round]
				all = append(all, told{f, &parties[i], essence(messageLines(f.message, masker))})
			}
		}
	}
	r := Report{Why: why(all, masker)}
	if len(all) == 0 {
		r.Lines = firstLines(unlisted, MaxLines)
		return r
	}
	unlisted = firstLines(unlisted, 1)
	r.Lines = append(layout(all, MaxLines-len(unlisted), masker), unlisted...)
	return r
}

// layout gives each failure a line, and its message those that are left.
func layout(all []told, most int, masker httpapi.Masker) (lines []string) {
	if 2*len(all) > most {
		for _, f := range all {
			head := f.head(masker)
			if len(f.lines) > 0 {
				head += ": " + f.lines[len(f.lines)-1]
			}
			lines = append(lines, cut(head, maxLine))
		}
		return firstLines(lines, most)
	}
	share := shares(all, most-len(all))
	for i, f := range all {
		lines = append(append(lines, cut(f.head(masker), maxLine)), lastLines(f.lines, share[i])...)
	}
	return lines
}

// shares are the numbers of lines that the messages get, as equal as they need.
func shares(all []told, left int) []int {
	share := make([]int, len(all))
	for added := true; added && left > 0; {
		added = false
		for i, f := range all {
			if left > 0 && share[i] < len(wrapped(f.lines)) {
				share[i]++
				left--
				added = true
			}
		}
	}
	return share
}

// firstLines are the first of several lines, with the number of those that are not shown.
func firstLines(lines []string, most int) []string {
	if len(lines) <= most {
		return lines
	}
	if most == 1 {
		return []string{cut(lines[0], maxLine-len("; 99 more")) + fmt.Sprintf("; %d more", len(lines)-1)}
	}
	return append(slices.Clone(lines[:most-1]), fmt.Sprintf("  and %d more", len(lines)-most+1))
}

// head is the line about a failure.
func (f *told) head(masker httpapi.Masker) string {
	text := "  " + f.party.Name + ": pod " + f.podName(masker)
	if f.pods > 1 {
		text += fmt.Sprintf(" and %d more", f.pods-1)
	}
	if f.container != "" {
		text += ", container " + oneLine(masker.Text(f.container))
	}
	return text + ": " + oneLine(masker.Text(f.text()))
}

// podName is the name of a pod. That of its Deployment is known, and may be in a configuration
// whose texts are masked.
func (f *told) podName(masker httpapi.Masker) string {
	if suffix, of := strings.CutPrefix(f.pod, f.party.Deployment); of && f.party.Deployment != "" {
		return f.party.Deployment + oneLine(masker.Text(suffix))
	}
	return oneLine(masker.Text(f.pod))
}

var inOneLine = strings.NewReplacer("\n"+printable.Prefix, " ", "\n", " ", "\t", " ")

// oneLine is a text that was made printable, in one line.
func oneLine(text string) string { return inOneLine.Replace(text) }

// why tells the reasons, each with its parties and then what to do.
func why(all []told, masker httpapi.Masker) string {
	if len(all) == 0 {
		return ""
	}
	var reasons, hints []string
	parties := map[string][]string{}
	for _, f := range all {
		state := cut(oneLine(masker.Text(f.state)), maxLine)
		if parties[state] == nil {
			reasons = append(reasons, state)
		}
		if !slices.Contains(parties[state], f.party.Name) {
			parties[state] = append(parties[state], f.party.Name)
		}
		hint := wait.PodHint(f.state)
		if hint == "" && f.ended != nil {
			hint = wait.PodHint("CrashLoopBackOff")
		}
		if hint != "" && !slices.Contains(hints, hint) {
			hints = append(hints, hint)
		}
	}
	for i, reason := range reasons {
		reasons[i] = reason + " (" + strings.Join(parties[reason], ", ") + ")"
	}
	if more := len(reasons) - maxReasons; more > 0 {
		reasons = append(reasons[:maxReasons], fmt.Sprintf("%d more", more))
	}
	return strings.TrimSpace("Pods do not run: " + strings.Join(reasons, ", ") + ". " + strings.Join(hints, " "))
}
