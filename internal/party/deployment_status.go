package party

import (
	"cmp"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// DeploymentStatus is the rollout status of the Deployment of a party. Its texts may contain
// text from a server, which is not masked.
type DeploymentStatus struct {
	judge.Verdict
	// Workload is what the Deployment shows to the judge; nil if there is none.
	Workload *judge.Workload
	// replicas is the desired number of pods.
	replicas int64
	// Failed is the message of ProgressDeadlineExceeded; "" if the deadline is
	// not exceeded, the pods run or the spec is not as expected.
	Failed string
	// DeadlineExceededAt is when the deadline was exceeded, by the clock of the cluster,
	// whatever the spec is; "" if it is not. Kubernetes keeps that condition
	// until a replica count changes, even after another change of the spec.
	DeadlineExceededAt string
	// NoPods is set if the Deployment has 0 replicas.
	NoPods bool
	// ReleasedBy is the name of the OpenKruise Rollout that releases the Deployment
	// step by step; "" if there is none.
	ReleasedBy string
	// Text describes the status, for messages.
	Text string
}

// SpecAsExpected reports whether the spec of the Deployment is as expected, whether its
// pods run or not.
func (s DeploymentStatus) SpecAsExpected() bool {
	return s.Workload != nil && (s.Workload.Spec == judge.AsDesired || s.Workload.Spec == judge.NotTakenUp)
}

// OtherOwner reports whether the Deployment was created for another KusciaDeployment.
// Only Text and DeadlineExceededAt may be set then.
func (s DeploymentStatus) OtherOwner() bool {
	return s.Workload != nil && s.Workload.Spec == judge.OfOther
}

// Judge sets the verdict, with the history of earlier states, and returns that with this one.
func (s *DeploymentStatus) Judge(history judge.History) (next judge.History) {
	state, target := judge.State{Direct: true}, judge.Target{Workloads: []judge.Desired{{Pods: s.replicas}}}
	if s.Workload != nil {
		state.Reported, state.Workloads = true, []judge.Workload{*s.Workload}
	}
	s.Verdict, next = judge.Judge(state, target, history)
	return next
}

// envInputConfig is Kuscia's environment variable for the input_config.
const envInputConfig = "INPUT_CONFIG"

// CheckDeployment compares the Deployment of a party, nil if there is none, with
// the expected one. A Deployment from before an update is detected by its spec
// and its observedGeneration, never by its replica counts alone.
func CheckDeployment(e DesiredDeployment, d *kube.Deployment) DeploymentStatus {
	if d == nil {
		v := DeploymentStatus{Text: "there is no Deployment yet"}
		v.Judge(judge.History{})
		return v
	}
	v := compare(e, d)
	v.Judge(judge.History{})
	for _, c := range d.Status.Conditions {
		switch {
		case c.Type == "Progressing" && c.Reason == "ProgressDeadlineExceeded":
			v.DeadlineExceededAt = c.LastUpdateTime
			if v.Workload.Spec == judge.AsDesired && !v.Runs() {
				v.Failed = c.Message
				v.Workload.DeadlineExceeded = v.ReleasedBy == "" // a release may take longer
			}
		case c.Type == "ReplicaFailure" && c.Status == "True" && v.Workload.Spec == judge.AsDesired && !v.Runs():
			v.Text += ": " + c.Message
		}
	}
	v.Judge(judge.History{})
	return v
}

func compare(e DesiredDeployment, d *kube.Deployment) DeploymentStatus {
	if owner := d.Metadata.Labels[kube.LabelKDName]; e.Owner != "" && owner != "" && owner != e.Owner {
		return DeploymentStatus{Workload: &judge.Workload{Spec: judge.OfOther}, Text: fmt.Sprintf("the Deployment is one of KusciaDeployment %q", httpapi.Text(owner))}
	}
	if uid := d.Metadata.Labels[kube.LabelKDUID]; e.UID != "" && uid != "" && uid != e.UID {
		return DeploymentStatus{Workload: &judge.Workload{Spec: judge.OfOther}, Text: "the Deployment is one of another KusciaDeployment of this name"}
	}
	if difference := specDifference(e, d); difference != "" {
		return DeploymentStatus{Workload: &judge.Workload{Spec: judge.Differs}, Text: "the Deployment still has " + difference}
	}
	shown, s := stateOf(d), d.Status
	v := DeploymentStatus{Workload: &shown, replicas: 1, ReleasedBy: Workload(d).ReleasedBy()}
	if d.Spec.Replicas != nil {
		v.replicas = *d.Spec.Replicas
	}
	v.NoPods = v.replicas == 0
	v.Text = fmt.Sprintf("%d of %d pods updated, %d available", s.UpdatedReplicas, v.replicas, s.AvailableReplicas)
	switch {
	case shown.Spec == judge.NotTakenUp:
		v.Text = "Kubernetes has not observed the change of the Deployment yet"
	case s.Replicas > s.UpdatedReplicas:
		v.Text += fmt.Sprintf(", %d old pods left", s.Replicas-s.UpdatedReplicas)
	}
	if shown.Paused {
		v.Text += fmt.Sprintf("; the Deployment is paused (spec.paused), and no Rollout releases it: \"kubectl rollout resume deployment/%s -n %s\" continues it", httpapi.Text(d.Metadata.Name), httpapi.Text(d.Metadata.Namespace))
	}
	return v
}

// stateOf is what a Deployment with the expected spec shows.
func stateOf(d *kube.Deployment) judge.Workload {
	spec := judge.AsDesired
	if d.Status.ObservedGeneration < d.Metadata.Generation {
		spec = judge.NotTakenUp
	}
	return judge.Workload{
		Spec: spec, Paused: d.Spec.Paused && !Workload(d).IsReleased(),
		Pods: judge.Pods{All: d.Status.Replicas, Updated: d.Status.UpdatedReplicas, Available: d.Status.AvailableReplicas},
	}
}

// specDifference describes the first field of the spec that is not as expected;
// "" if there is none. The text contains no value of input_config.
func specDifference(e DesiredDeployment, d *kube.Deployment) string {
	for _, c := range d.Spec.Template.Spec.Containers {
		if difference := podDifference(e, c); difference != "" {
			return difference
		}
		if slices.ContainsFunc(c.Env, func(v kube.EnvVar) bool { return v.Name == envInputConfig && v.Value != e.InputConfig }) {
			return "another input_config"
		}
	}
	switch {
	case e.Replicas != nil && (d.Spec.Replicas == nil || *d.Spec.Replicas != *e.Replicas):
		return fmt.Sprintf("a number of replicas other than %d", *e.Replicas)
	case e.Strategy != nil && !Workload(d).IsReleased() && !sameStrategy(*e.Strategy, d.Spec.Strategy):
		return "another update strategy"
	}
	return ""
}

// podDifference describes how the image or the resources of a container are not as expected; "" if
// they are.
func podDifference(e DesiredDeployment, c kube.Container) string {
	if e.Image != "" && c.Image != e.Image {
		return fmt.Sprintf("the image %s in container %q, expected %s", httpapi.Text(c.Image), httpapi.Text(c.Name), httpapi.Text(e.Image))
	}
	for _, desired := range e.Containers {
		if desired.Name == c.Name && !sameResources(desired.Resources, c.Resources) {
			return fmt.Sprintf("other resources in container %q", httpapi.Text(c.Name))
		}
	}
	return ""
}

// sameResources compares resources; with a limit and no request, Kubernetes sets
// the request to the limit.
func sameResources(desired, has kube.Resources) bool {
	if !sameAmounts(desired.Limits, has.Limits) {
		return false
	}
	requests := map[string]kube.IntOrString{}
	for name, amount := range desired.Limits {
		if _, shown := has.Requests[name]; shown {
			requests[name] = amount
		}
	}
	for name, amount := range desired.Requests {
		requests[name] = amount
	}
	return sameAmounts(requests, has.Requests)
}

func sameAmounts(desired, has map[string]kube.IntOrString) bool {
	if len(desired) != len(has) {
		return false
	}
	for name, amount := range desired {
		other, ok := has[name]
		if !ok || !tfvalue.QuantityEqual(roundedUp(string(amount)), roundedUp(string(other))) {
			return false
		}
	}
	return true
}

// roundedUp returns an amount as Kubernetes stores it in a pod template: rounded
// up to thousandths. KusciaDeployments and app images keep smaller amounts.
func roundedUp(amount string) string {
	quantity, err := tfvalue.ParseQuantity(amount)
	if err != nil {
		return amount
	}
	quantity.RoundUp(resource.Milli)
	return quantity.String()
}

// sameStrategy compares two strategies with the defaults of Kubernetes, which
// are also those of Kuscia.
func sameStrategy(a, b kube.Strategy) bool {
	left, right := strategyOf(a), strategyOf(b)
	return left.Type == right.Type &&
		tfvalue.CountOrPercentEqual(left.MaxSurge, right.MaxSurge) && tfvalue.CountOrPercentEqual(left.MaxUnavailable, right.MaxUnavailable)
}

// strategyOf returns the strategy of a Deployment, with its defaults, in the form
// of the KusciaAPI.
func strategyOf(s kube.Strategy) kuscia.UpdateStrategy {
	complete := kuscia.UpdateStrategy{Type: cmp.Or(s.Type, kuscia.StrategyRollingUpdate)}
	if complete.Type != kuscia.StrategyRollingUpdate {
		return complete
	}
	if r := s.RollingUpdate; r != nil && r.MaxSurge != nil {
		complete.MaxSurge = string(*r.MaxSurge)
	}
	if r := s.RollingUpdate; r != nil && r.MaxUnavailable != nil {
		complete.MaxUnavailable = string(*r.MaxUnavailable)
	}
	complete.MaxSurge = cmp.Or(complete.MaxSurge, kuscia.DefaultMaxSurge)
	complete.MaxUnavailable = cmp.Or(complete.MaxUnavailable, kuscia.DefaultMaxUnavailable)
	return complete
}

// Workload returns what OpenKruise Rollouts has set on a Deployment.
func Workload(d *kube.Deployment) kruise.Workload {
	return kruise.Workload{Paused: d.Spec.Paused, Labels: d.Metadata.Labels, Annotations: d.Metadata.Annotations}
}
