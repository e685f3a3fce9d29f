package rollout

import (
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// warnDeployment warns of what the Rollout would not do with its Deployment as it is now. A
// Deployment that does not exist or cannot be read causes no warning.
func (g *guardRun) warnDeployment() {
	if g.change.Desired.Spec.Disabled {
		return
	}
	d, err := readDeployment(g.ctx, g.client, g.change.Desired)
	if err != nil || d == nil {
		return
	}
	g.warnLetThrough(d)
	g.warnSteps(d)
	if before := g.change.Before; before == nil || before.Spec.Disabled || before.Spec.WorkloadRef != g.change.Desired.Spec.WorkloadRef {
		g.warnPaused(d)
	}
}

// warnSteps warns of the first step that replaces all pods although its number or
// percentage does not say so: one with more pods than the Deployment has, which the webhook
// accepts, and in place any percentage of a single pod.
func (g *guardRun) warnSteps(d *kube.Deployment) {
	replicas, at := int64(1), canaryPath
	if d.Spec.Replicas != nil {
		replicas = *d.Spec.Replicas
	}
	if g.change.Desired.Spec.Strategy.BlueGreen != nil {
		at = blueGreenPath
	}
	at = at.AtName(attrSteps)
	if replicas == 0 || !g.known(at) {
		return
	}
	canary := g.change.Desired.Spec.Strategy.Canary
	inPlace := canary != nil && !canary.EnableExtraWorkloadForCanary
	namespace, name := httpapi.Text(d.Metadata.Namespace), httpapi.Text(d.Metadata.Name)
	for i, step := range g.change.Desired.Spec.Strategy.Steps() {
		if step.Replicas == nil {
			continue
		}
		at := at.AtListIndex(i).AtName(attrReplicas)
		number, is := step.Replicas.Number()
		if is && int64(number) == replicas && inPlace {
			return // the configuration says so
		}
		if is && int64(number) > replicas {
			g.diags.AddAttributeWarning(at, "Step with more pods than the Deployment", fmt.Sprintf(
				"Step %d has %d pods of the new version, and Deployment %q has %d in all: this step replaces all of them. Set fewer, or a percentage.",
				i+1, number, namespace+"/"+name, replicas))
			return
		}
		if percent, is := step.Replicas.Percent(); is && percent < wholePercent && replicas == 1 && inPlace {
			g.diags.AddAttributeWarning(at, "Step with the only pod of the Deployment", fmt.Sprintf(
				"Deployment %q has one pod, so step %d with %d%% replaces it: no pod of the old version is left. Use more pods, or enable_extra_workload_for_canary.",
				namespace+"/"+name, i+1, percent))
			return
		}
	}
}

// warnPaused warns of a Deployment that another client has paused, which a new Rollout does not
// resume.
func (g *guardRun) warnPaused(d *kube.Deployment) {
	if !d.Spec.Paused || party.Workload(d).IsReleased() {
		return
	}
	g.diags.AddAttributeWarning(refPath, "Deployment is paused", fmt.Sprintf(
		"Deployment %q is paused, and no Rollout releases it. A new Rollout does not resume it: if not all of its pods have the current version, they get it only with the next release. %s resumes it now.",
		httpapi.Text(d.Metadata.Namespace+"/"+d.Metadata.Name), resumeCommand(g.change.Desired)))
}

// warnLetThrough warns of a Deployment for whose changes the webhook does not ask a Rollout.
func (g *guardRun) warnLetThrough(d *kube.Deployment) {
	if !party.Workload(d).IsLetThrough() {
		return
	}
	namespace, name := httpapi.Text(d.Metadata.Namespace), httpapi.Text(d.Metadata.Name)
	g.diags.AddAttributeWarning(refPath, "Changes of the Deployment are not released step by step", fmt.Sprintf(
		"Deployment %q has the annotation %s. OpenKruise Rollouts then releases only a change of this annotation step by step; all pods get any other change at once, and this provider refuses to send it.\n\n"+
			"If no other client uses it, remove it with \"kubectl annotate deployment/%s -n %s %s-\".",
		namespace+"/"+name, kruise.RolloutIDAnnotation, name, namespace, kruise.RolloutIDAnnotation))
}
