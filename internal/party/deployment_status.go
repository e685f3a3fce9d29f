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
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// DeploymentStatus is the rollout status of the Deployment of a party. Its texts may contain
// text from a server, which is not masked.
type DeploymentStatus struct {
	// Done is set if all pods run as expected.
	Done bool
	// SpecAsExpected is set if the spec of the Deployment is as expected, whether its
	// pods run or not.
	SpecAsExpected bool
	// Failed is the message of ProgressDeadlineExceeded; "" if the deadline is
	// not exceeded or the spec is not as expected.
	Failed string
	// DeadlineExceededAt is when the deadline was exceeded, by the clock of the cluster,
	// whatever the spec is; "" if it is not. Kubernetes keeps that condition
	// until a replica count changes, even after another change of the spec.
	DeadlineExceededAt string
	// OtherOwner is set if the Deployment was created for another KusciaDeployment.
	// Only Text and DeadlineExceededAt may be set then.
	OtherOwner bool
	// NoPods is set if the Deployment has 0 replicas.
	NoPods bool
	// ReleasedBy is the name of the OpenKruise Rollout that releases the Deployment
	// step by step; "" if there is none.
	ReleasedBy string
	// Paused is set if the Deployment is paused and no OpenKruise Rollout releases it, so
	// that only a manual change continues its rollout.
	Paused bool
	// Text describes the status, for messages.
	Text string
}

// envInputConfig is Kuscia's environment variable for the input_config.
const envInputConfig = "INPUT_CONFIG"

// CheckDeployment compares the Deployment of a party, nil if there is none, with
// the expected one. A Deployment from before an update is detected by its spec
// and its observedGeneration, never by its replica counts alone.
func CheckDeployment(e DesiredDeployment, d *kube.Deployment) DeploymentStatus {
	if d == nil {
		return DeploymentStatus{Text: "there is no Deployment yet"}
	}
	v := compare(e, d)
	for _, c := range d.Status.Conditions {
		if exceedsDeadline(c) {
			v.DeadlineExceededAt = c.LastUpdateTime
		}
	}
	return v
}

func exceedsDeadline(c kube.Condition) bool {
	return c.Type == "Progressing" && c.Reason == "ProgressDeadlineExceeded"
}

func compare(e DesiredDeployment, d *kube.Deployment) DeploymentStatus {
	if owner := d.Metadata.Labels[kube.LabelKDName]; e.Owner != "" && owner != "" && owner != e.Owner {
		return DeploymentStatus{OtherOwner: true, Text: fmt.Sprintf("the Deployment is one of KusciaDeployment %q", httpapi.Text(owner))}
	}
	if uid := d.Metadata.Labels[kube.LabelKDUID]; e.UID != "" && uid != "" && uid != e.UID {
		return DeploymentStatus{OtherOwner: true, Text: "the Deployment is one of another KusciaDeployment of this name"}
	}
	if difference := specDifference(e, d); difference != "" {
		return DeploymentStatus{Text: "the Deployment still has " + difference}
	}
	workload := Workload(d)
	v := DeploymentStatus{SpecAsExpected: true, ReleasedBy: workload.ReleasedBy(), Paused: d.Spec.Paused && !workload.IsReleased()}
	desired := int64(1)
	if d.Spec.Replicas != nil {
		desired = *d.Spec.Replicas
	}
	v.NoPods = desired == 0
	s := d.Status
	isObserved := s.ObservedGeneration >= d.Metadata.Generation
	v.Text = fmt.Sprintf("%d of %d pods updated, %d available", s.UpdatedReplicas, desired, s.AvailableReplicas)
	switch {
	case !isObserved:
		v.Text = "Kubernetes has not observed the change of the Deployment yet"
	case s.Replicas > s.UpdatedReplicas:
		v.Text += fmt.Sprintf(", %d old pods left", s.Replicas-s.UpdatedReplicas)
	}
	if v.Paused {
		v.Text += fmt.Sprintf("; the Deployment is paused (spec.paused), and no Rollout releases it: \"kubectl rollout resume deployment/%s -n %s\" continues it", httpapi.Text(d.Metadata.Name), httpapi.Text(d.Metadata.Namespace))
	}
	if !isObserved {
		return v
	}
	v.Done = s.UpdatedReplicas == desired && s.Replicas == desired && s.AvailableReplicas == desired
	if !v.Done {
		v.conditions(s.Conditions)
	}
	return v
}

// conditions adds what the conditions of the Deployment report about pods that
// cannot be created or do not become available.
func (v *DeploymentStatus) conditions(all []kube.Condition) {
	for _, c := range all {
		switch {
		case exceedsDeadline(c):
			v.Failed = c.Message
		case c.Type == "ReplicaFailure" && c.Status == "True":
			v.Text += ": " + c.Message
		}
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
