package edgedeployment

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// rollout is what has to be observed before a deployment runs as specified.
// After a create every instance counts. After an update older instances still
// run for a while and have to be distinguished from new ones.
type rollout struct {
	// Changed are the attributes that the last update of the definition
	// changed, empty after a create.
	Changed []string `json:"changed,omitempty"`
	// Earlier are the attributes that previous updates changed and whose
	// rollout was not observed.
	Earlier []string `json:"earlier,omitempty"`
	// Before are the instances from before the last update of the definition.
	Before []string `json:"before,omitempty"`
	// Since is the time at which the last update was sent.
	Since time.Time `json:"since"`
}

// rollsOut reports whether a change affects instances. A change of the
// description does not.
func rollsOut(changed []path.Path) bool {
	return slices.ContainsFunc(changed, func(at path.Path) bool { return !at.Equal(path.Root("description")) })
}

// before remembers the instances before an update of their definition, which show whether
// it is complete.
func before(ctx context.Context, c *run.Run, change *crud.Change[object], diags *diag.Diagnostics) crud.Memory {
	update := rollout{Since: time.Now()}
	for _, at := range templateChanges(change.Sent) {
		update.Changed = append(update.Changed, at.String())
	}
	switch {
	case change.Before == nil:
		return crud.Remember(update)
	case !rollsOut(change.Sent):
		return change.Memory
	case len(update.Changed) > 0:
		pods, err := c.IEF.Client.Pods(ctx, scopeOf(change.Prior, c.IEF.Client), change.ID[1])
		if err != nil {
			message.AddError(diags, "Unable to update edge deployment",
				fmt.Errorf("nothing was sent: its instances, which show whether an update is complete, could not be listed: %w", err))
		}
		for _, pod := range pods {
			update.Before = append(update.Before, pod.ID)
		}
	}
	return crud.Remember(afterSecondUpdate(change.Prior, crud.Recall[rollout](change.Memory), update))
}

// current leaves out a template that may be from before the last update.
func current(found *object, memory crud.Memory) *object {
	return &object{scope: found.scope, found: crud.Recall[rollout](memory).withoutStaleTemplate(found.found, time.Now())}
}

// notAfterNow is rollout.notAfter for a memory.
func notAfterNow(memory crud.Memory) (corrected crud.Memory, differs bool) {
	r := crud.Recall[rollout](memory)
	if !r.notAfter(time.Now()) {
		return memory, false
	}
	return crud.Remember(r), true
}

// notAfter sets the time of the last update to now if it is later, and reports whether it
// was: the clock was set back since then, or was that of another machine, and nothing
// would be due until this one reaches it.
func (r *rollout) notAfter(now time.Time) (corrected bool) {
	if corrected = r.Since.After(now); corrected {
		r.Since = now
	}
	return corrected
}

// afterSecondUpdate returns what has to be observed after a second update. prior is the
// state before it. Without a wait it is unknown whether the first update was
// rolled out; its changes then only count if the second update does not change
// the definition.
func afterSecondUpdate(prior tftypes.Value, first, second rollout) rollout {
	waited := !definition.At(prior, definition.AttrRolloutComplete).IsNull()
	if definition.IsRolloutIncomplete(prior) || !waited && len(second.Changed) == 0 {
		return first.merge(second)
	}
	return second
}

// merge returns what has to be observed of two updates if the rollout of the
// first was not observed. An update that changes only the number of instances
// does not change their definition.
func (r rollout) merge(second rollout) rollout {
	if len(second.Changed) == 0 {
		r.Since = second.Since
		return r
	}
	second.Earlier = slices.Clone(r.Earlier)
	for _, at := range r.Changed {
		if !slices.Contains(second.Earlier, at) {
			second.Earlier = append(second.Earlier, at)
		}
	}
	return second
}

// settleTime is how long to wait for new instances if the older ones cannot
// show whether they have the new definition.
const settleTime = time.Minute

// notInInstances are the attributes that v3 does not return for an instance,
// and the version of a write-only value: the value is not in the Terraform state.
var notInInstances = []string{"run_as_user", "affinity", attrValueVersion}

const attrValueVersion = "value_wo_version"

// templateChanges returns the changes of the definition of instances.
func templateChanges(changed []path.Path) []path.Path {
	var out []path.Path
	for _, at := range changed {
		for _, field := range templateFields {
			if check.Within(at, path.Root(field.Name)) {
				out = append(out, at)
			}
		}
	}
	return out
}

// judge decides whether the instances of a deployment run as desired, and describes them.
func (r rollout) judge(desired tftypes.Value, d *ief.Deployment, pods []ief.Pod, now time.Time) (verdict judge.Verdict, text string) {
	workload, lines := r.stateOf(desired, d, pods)
	replicas, _ := definition.NumberOf(definition.At(desired, "replicas"))
	target := judge.Target{Workloads: []judge.Desired{{Pods: replicas}}}
	verdict, _ = judge.Judge(judge.State{Reported: true, Direct: true, Workloads: []judge.Workload{workload}}, target,
		judge.History{}.At(now, r.Since, r.Since, judge.Times{Start: settleTime}))
	return verdict, fmt.Sprintf("%d of %d instances run as configured: %s", workload.Updated, replicas, strings.Join(lines, "; "))
}

// stateOf compares the instances with the desired definition, and describes them. A failure is
// no reason to give up: a slow image pull is reported as a failure and recovers.
func (r rollout) stateOf(desired tftypes.Value, d *ief.Deployment, pods []ief.Pod) (shown judge.Workload, lines []string) {
	fields := definition.FieldsOf(desired)
	runsToCompletion := definition.StringOf(fields["restart_policy"]) != "Always"
	unobservable := r.changesUnobservable(fields)
	visible := append(observable(fields, r.Earlier), "image_url")
	for _, pod := range pods {
		if isTerminating(pod.State) {
			continue
		}
		shown.All++
		runs := pod.State == ief.StateRunning || runsToCompletion && pod.State == ief.StateSucceeded
		current := r.isCurrent(desired, pod)
		switch {
		case runs && current:
			shown.Updated++
		case runs && unobservable && r.matches(desired, pod, visible):
			shown.Unclear++
		}
		lines = append(lines, describe(pod, current))
	}
	if len(lines) == 0 {
		lines = []string{"no instance yet"}
	}
	shown.Available = shown.All
	if d.APIVersion != string(ief.V2) && !runsToCompletion { // v2 does not count the ready ones
		shown.Available = min(shown.All, int64(d.ReadyReplicas))
	}
	return shown, lines
}

// withoutStaleTemplate returns a response without its template as long as the
// template may be from before the update: v2 only returns the definition of the
// instances, which an edge node replaces with a delay.
func (r rollout) withoutStaleTemplate(d *ief.Deployment, now time.Time) *ief.Deployment {
	if d.APIVersion != string(ief.V2) || len(r.Before) == 0 || now.Sub(r.Since) >= settleTime {
		return d
	}
	for _, pod := range d.Instances {
		if !slices.Contains(r.Before, pod.ID) {
			return d
		}
	}
	unknown := *d
	unknown.Template = nil
	return &unknown
}

// isTerminating reports whether an instance is being deleted.
func isTerminating(state string) bool {
	return state == ief.StateTerminating || state == ief.StatePendingDelete
}

// changesUnobservable reports whether an instance from before the update may
// match the desired definition although it has another one: the last update
// changed only attributes that instances do not show, or an earlier update
// changed such attributes and the last one may have reverted its other changes.
func (r rollout) changesUnobservable(desired map[string]tftypes.Value) bool {
	return len(r.Changed) > 0 && (len(observable(desired, r.Changed)) == 0 || len(observable(desired, r.Earlier)) < len(r.Earlier))
}

// observable returns the changes that an instance shows.
func observable(desired map[string]tftypes.Value, changed []string) []string {
	hidden := notInInstances
	if definition.StringOf(desired["api_version"]) == string(ief.V2) {
		hidden = []string{attrValueVersion}
	}
	return slices.DeleteFunc(slices.Clone(changed), func(at string) bool {
		return slices.ContainsFunc(hidden, func(name string) bool { return at == name || strings.HasSuffix(at, "."+name) })
	})
}

// isCurrent reports whether an instance has the desired definition: it shows
// the changes, or it is new and has the desired images.
func (r rollout) isCurrent(desired tftypes.Value, pod ief.Pod) bool {
	if len(r.Changed) == 0 {
		return true
	}
	if !slices.Contains(r.Before, pod.ID) {
		return r.matches(desired, pod, []string{"image_url"})
	}
	fields := definition.FieldsOf(desired)
	return !r.changesUnobservable(fields) && r.matches(desired, pod, observable(fields, slices.Concat(r.Earlier, r.Changed)))
}

// matches reports whether an instance has the desired values of the attributes,
// each given by a path or its last name.
func (r rollout) matches(desired tftypes.Value, pod ief.Pod, attributes []string) bool {
	for _, at := range template.Differences(templateOf(desired), observedTemplate(desired, pod)) {
		different := at.String()
		for _, changed := range attributes {
			if strings.HasPrefix(different, changed) || strings.HasPrefix(changed, different) || strings.HasSuffix(different, "."+changed) {
				return false
			}
		}
	}
	return true
}

// observedTemplate returns the desired template with the values that an instance shows.
func observedTemplate(desired tftypes.Value, pod ief.Pod) tftypes.Value {
	shown := ief.Template{}
	if pod.Configs != nil {
		shown.Configs = *pod.Configs
	}
	for _, container := range pod.Containers {
		shown.Containers = append(shown.Containers, container.Container)
	}
	for _, container := range pod.InitContainers {
		shown.InitContainers = append(shown.InitContainers, container.Container)
	}
	fields := maps.Clone(definition.FieldsOf(template.FromServer(treeTemplate(&shown))))
	for _, field := range templateFields {
		if pod.Configs == nil && field.Type != definition.ObjectList || field.Name == "affinity" {
			fields[field.Name] = definition.At(desired, field.Name)
		}
	}
	return tftypes.NewValue(template.Type(), fields)
}

// templateOf returns the template of a deployment.
func templateOf(value tftypes.Value) tftypes.Value {
	fields := map[string]tftypes.Value{}
	for _, field := range templateFields {
		fields[field.Name] = definition.At(value, field.Name)
	}
	return tftypes.NewValue(template.Type(), fields)
}

// template is the definition of what an update replaces as a whole.
var template = definition.New(definition.Schema{Attributes: templateFields})

func describe(pod ief.Pod, current bool) string {
	text := fmt.Sprintf("%s is %s", httpapi.Text(pod.Name), httpapi.Text(pod.State))
	if !current {
		text += " with the previous definition"
	}
	reason, message := pod.Reason, pod.Message
	for _, container := range pod.Containers {
		if reason == "" {
			reason = container.Reason
		}
		if message == "" {
			message = container.Message
		}
	}
	for _, more := range []string{reason, message} {
		if more != "" {
			text += ": " + shortenedTo(more, 200)
		}
	}
	return text
}

func shortenedTo(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
