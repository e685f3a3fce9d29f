package deployment

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

type checker struct {
	*check.Checker
	// inheritsNothing is set for the resources of an app image. Limits that a party does not
	// set are those of the app image.
	inheritsNothing bool
}

// standardResources are the resource names that need no domain prefix.
var standardResources = []string{tfvalue.CPU, tfvalue.Memory, "ephemeral-storage"}

// checkResources checks requests and limits against the validation rules of
// Deployments. Kubernetes does not validate a KusciaDeployment against them:
// Kuscia fails only when it writes the Deployment, and reports that failure
// only for a create.
func (c *checker) checkResources(requests, limits map[string]string, at path.Path) {
	for _, side := range []struct {
		name    string
		amounts map[string]string
	}{{attrRequests, requests}, {attrLimits, limits}} {
		for _, name := range slices.Sorted(maps.Keys(side.amounts)) {
			c.amount(at.AtName(side.name).AtMapKey(name), name, side.amounts[name])
		}
	}
	c.hugePages(requests, limits, at)
	for _, conflict := range compare(requests, limits, len(limits) > 0 || c.inheritsNothing) {
		c.Add(check.Unusable, at.AtName(attrRequests).AtMapKey(conflict.resource), conflict.resource, conflict.summary, conflict.detail, at.AtName(attrLimits))
	}
}

// conflict is a request that does not fit its limit.
type conflict struct{ resource, summary, detail string }

// compare compares requests with limits, as far as both are valid. Without complete, a
// missing limit may be that of the app image.
func compare(requests, limits map[string]string, complete bool) (conflicts []conflict) {
	for _, name := range slices.Sorted(maps.Keys(requests)) {
		limit, limited := limits[name]
		request := requests[name]
		requested, err := tfvalue.ParseQuantity(request)
		limitAmount, limitErr := tfvalue.ParseQuantity(limit)
		switch {
		case err != nil || limited && limitErr != nil:
		case limited && requested.Cmp(limitAmount) > 0:
			conflicts = append(conflicts, conflict{name, "Request above limit", fmt.Sprintf(
				"The request of %s is above its limit of %s. Kubernetes refuses the Deployment; an update of a running deployment would be silently ignored.", tfvalue.Quote(request), tfvalue.Quote(limit))})
		case complete && notOvercommitted(name) && (!limited || requested.Cmp(limitAmount) != 0):
			conflicts = append(conflicts, conflict{name, "Request without its limit", fmt.Sprintf(
				"%s needs a limit equal to the request: Kubernetes does not overcommit extended resources and huge pages.", tfvalue.Quote(name))})
		}
	}
	return conflicts
}

// hugePages checks that a container with huge pages also has cpu or memory. A side that
// is not set is that of the app image.
func (c *checker) hugePages(requests, limits map[string]string, at path.Path) {
	if len(requests) == 0 || len(limits) == 0 {
		return
	}
	pages, other := "", false
	for _, amounts := range []map[string]string{requests, limits} {
		for _, name := range slices.Sorted(maps.Keys(amounts)) {
			other = other || name == tfvalue.CPU || name == tfvalue.Memory
			if strings.HasPrefix(name, hugePagesPrefix) {
				pages = name
			}
		}
	}
	if pages != "" && !other {
		at := at.AtName(attrLimits)
		c.Add(check.Unusable, at, pages, "Huge pages without CPU or memory", fmt.Sprintf(
			"%s needs a request or a limit of cpu or memory in the same container. Kubernetes refuses the Deployment otherwise.", tfvalue.Quote(pages)), at, at.ParentPath().AtName(attrRequests))
	}
}

const hugePagesPrefix = "hugepages-"

// notOvercommitted reports whether a resource is only available in whole units that are
// not overcommitted.
func notOvercommitted(name string) bool {
	return strings.Contains(name, "/") || strings.HasPrefix(name, hugePagesPrefix)
}

func (c *checker) amount(at path.Path, name, text string) {
	if !slices.Contains(standardResources, name) && !strings.HasPrefix(name, hugePagesPrefix) && (!strings.Contains(name, "/") || strings.HasPrefix(name, "requests.") || len(validation.IsQualifiedName(name)) > 0) {
		c.Add(check.Unusable, at, name, "Unknown resource", fmt.Sprintf(
			"%s is not a Kubernetes resource: use cpu, memory, ephemeral-storage, or one with its domain such as nvidia.com/gpu. Kuscia fails to create a Deployment with it.", tfvalue.Quote(name)))
	}
	amount, err := tfvalue.ParseQuantity(text)
	if err != nil {
		c.Add(check.Refused, at, name, "Invalid quantity", tfvalue.InvalidQuantity(text)+".")
		return
	}
	switch problem, impossible := tfvalue.QuantityOutOfRange(name, text); {
	case amount.Sign() < 0:
		c.Add(check.Unusable, at, name, "Negative quantity", fmt.Sprintf("%s is below zero. Kubernetes refuses the Deployment; use zero or more.", tfvalue.Quote(text)))
	case notOvercommitted(name) && !strings.HasPrefix(name, hugePagesPrefix) && amount.MilliValue()%1000 != 0:
		c.Add(check.Unusable, at, name, "Invalid number", fmt.Sprintf("%s: the quantity of %s must be a whole number.", tfvalue.Quote(text), tfvalue.Quote(name)))
	case impossible:
		c.Add(check.Unusable, at, name, "Quantity too large", problem)
	case problem != "":
		c.Add(check.Doubtful, at, name, "Quantity too small", problem)
	}
}

// reservedLabels are the labels that Kuscia sets and uses to identify a deployment.
var reservedLabels = []string{kube.LabelKDName, kube.LabelKDUID}

func (c *checker) labels(labels map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		at := path.Root(attrLabels).AtMapKey(name)
		if len(validation.IsQualifiedName(name)) > 0 {
			c.Add(check.Refused, at, name, "Invalid label", fmt.Sprintf(
				"%s is not a name of a label: use at most 63 letters, digits, \"-\", \"_\" and \".\", with a letter or digit at both ends, and before them a domain and \"/\" if needed, for example \"example.com/team\".", tfvalue.Quote(name)))
		}
		if len(validation.IsValidLabelValue(labels[name])) > 0 {
			c.Add(check.Refused, at, name, "Invalid label", fmt.Sprintf(
				"%s is not a value of a label: use at most 63 letters, digits, \"-\", \"_\" and \".\", with a letter or digit at both ends.", tfvalue.Quote(labels[name])))
		}
		if slices.Contains(reservedLabels, name) {
			c.Add(check.Refused, at, name, "Reserved label", "Kuscia uses this label to identify its own objects. Remove it.")
		}
	}
}

// checkInherited checks the resources of the containers for which a party sets none, and
// which therefore have those of the app image.
func checkInherited(template *kube.DeployTemplate, p definition.Reader, at path.Path, diags *diag.Diagnostics) {
	if !p.FullyKnown(attrContainers) {
		return
	}
	sets := map[string]bool{}
	for name, container := range p.ObjectMap(attrContainers) {
		if len(container.StringMap(attrRequests))+len(container.StringMap(attrLimits)) > 0 {
			sets[name] = true
		}
	}
	at = at.AtName(attrAppImage)
	for _, container := range template.Spec.Containers {
		if sets[container.Name] {
			continue
		}
		c := &checker{Checker: &check.Checker{}, inheritsNothing: true}
		c.checkResources(plain(container.Resources.Requests), plain(container.Resources.Limits), path.Empty())
		for _, problem := range c.IndependentOf(nil) {
			if problem.Severity != check.Doubtful {
				diags.AddAttributeError(at, "Invalid resources in the app image", check.WithPath(at, fmt.Sprintf(
					"container %s of app image %s, %s: %s Correct the app image, or set requests and limits of this container here.",
					tfvalue.Quote(httpapi.Text(container.Name)), tfvalue.Quote(p.String(attrAppImage)), problem.At, problem.Detail)))
			}
		}
	}
}

// checkAmounts compares requests of a container with limits of the app image,
// and limits with requests. If a container sets any requests, they replace all
// requests of the app image, and the same holds for limits. The side that is
// not set is inherited.
func checkAmounts(image kube.Resources, container definition.Reader, at path.Path, diags *diag.Diagnostics) {
	if !container.FullyKnown(attrRequests) || !container.FullyKnown(attrLimits) {
		return
	}
	requests, limits := container.StringMap(attrRequests), container.StringMap(attrLimits)
	side, other := attrLimits, "request"
	switch {
	case len(requests) == 0 && len(limits) > 0:
		requests = plain(image.Requests)
	case len(limits) == 0 && len(requests) > 0:
		side, other, limits = attrRequests, "limit", plain(image.Limits)
	default:
		return // the app image does not matter
	}
	for _, conflict := range compare(requests, limits, true) {
		at, cause := at.AtName(side).AtMapKey(conflict.resource), "This is with the "+other+" of the app image"
		if notOvercommitted(conflict.resource) {
			cause = "The app image has another one, or none"
		}
		diags.AddAttributeError(at, conflict.summary, check.WithPath(at, conflict.detail+" "+cause+": set requests and limits here."))
	}
}
