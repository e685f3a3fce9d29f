package deployment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// validate reports issues that do not depend on the state.
func validate(config definition.Value) diag.Diagnostics {
	diags := check.Validate(issues(config))
	for _, p := range deployment.Problems(config) {
		diags.AddAttributeError(p.Path, p.Summary, check.WithPath(p.Path, p.Detail))
	}
	return diags
}

// checkDefinition reports the issues of a plan. An issue that the prior state has too is
// a warning.
func checkDefinition(config, prior definition.Value) diag.Diagnostics {
	return check.Plan(issues(config), func() []check.Issue {
		if prior.IsNull() {
			return nil
		}
		return issues(prior)
	})
}

// issues returns all issues of a configuration or a state, in the order of the
// rules. An unknown value raises no issue yet.
func issues(config definition.Value) []check.Issue {
	root, unconvertible := definition.Read(deployment.Sendable(deployment.Complete(config)), definition.Value{})
	c := &checker{}
	c.deployment(root)
	found := c.IndependentOf(unconvertible.All())
	always := &check.Checker{}
	for _, at := range unconvertible.Null {
		always.Add(check.Refused, at, at.String(), "Null element", "An element of a list or map must not be null. Remove it, or set a value.")
	}
	for _, at := range unconvertible.OutOfRange {
		always.Add(check.Refused, at, at.String(), "Not a whole number", "A whole number is needed, no fraction and at most 2147483647.")
	}
	return append(found, always.IndependentOf(nil)...)
}

type checker struct {
	check.Checker
	// inheritsNothing is set for the resources of an app image. Limits that a party does not
	// set are those of the app image.
	inheritsNothing bool
}

var (
	prefixFormat  = party.ServiceNamePrefixPattern
	longestName   = validation.DNS1123LabelMaxLength
	partiesPath   = path.Root(attrParties)
	initiatorPath = path.Root(attrInitiator)
)

func (c *checker) deployment(root definition.Reader) {
	name, initiator := root.String(attrName), root.String(attrInitiator)
	parties := root.Objects(attrParties)
	c.name(name)
	c.OneOf(check.Refused, path.Root(attrAffinityMode), "", root.String(attrAffinityMode), []string{affinityNone, affinityPod, affinityAnti}, "Kuscia treats any other value as anti-affinity.")
	c.labels(root.StringMap(attrLabels))
	root.String(attrInputConfig)
	if len(parties) == 0 {
		c.Add(check.Refused, partiesPath, "", "No parties", "Kuscia reports a KusciaDeployment without parties as Available, but runs nothing. Set at least one.")
	}
	seen := map[string]int{}
	domains, needs := []string{}, []path.Path{partiesPath}
	for i, party := range parties {
		at := partiesPath.AtListIndex(i)
		domains, needs = append(domains, party.String(attrDomainID)), append(needs, at.AtName(attrDomainID))
		c.party(party, at, name, seen, i)
	}
	if len(parties) > 0 && !slices.Contains(domains, initiator) {
		c.Add(check.Refused, initiatorPath, initiator, "Initiator is not a party", fmt.Sprintf(
			"%s is not the domain_id of any of the parties (%s). Kuscia refuses such a create, and silently ignores such an update.", tfvalue.Quote(initiator), quotedNames(domains)), needs...)
	}
}

func quotedNames(names []string) string {
	const most = 10
	var out []string
	for _, name := range names[:min(len(names), most)] {
		out = append(out, tfvalue.Quote(name))
	}
	return strings.Join(out, ", ")
}

// name checks the name of the deployment. Kuscia names Deployments and Services after
// it; the name of a Service must begin with a letter, so Kuscia puts "svc-" before a
// digit.
func (c *checker) name(name string) {
	if len(validation.IsDNS1123Label(name)) == 0 {
		return
	}
	severity := check.Refused
	if objectName(name) {
		severity = check.Unusable // it may exist
	}
	c.Add(severity, path.Root(attrName), name, "Invalid name", fmt.Sprintf(
		"%s is not a valid name, since Kuscia uses it for Deployments and Services: at most %d lower-case letters, digits and hyphens, beginning and ending with a letter or digit; no dots.", tfvalue.Quote(name), longestName))
}

// objectName reports whether a KusciaDeployment with this name may exist: KusciaAPI and
// the cluster accept dots, with which Kuscia then fails to create Services.
func objectName(name string) bool {
	return len(name) <= longestName && len(validation.IsDNS1123Subdomain(name)) == 0
}

// nameHints tell what the names in a party refer to.
var nameHints = map[string]string{
	attrDomainID: "It is the ID of a Kuscia domain, such as \"alice\".",
	attrAppImage: "It is the name of an app image, such as that of a kuscia_app_image, not the reference of a container image.",
}

func (c *checker) party(party definition.Reader, at path.Path, name string, seen map[string]int, index int) {
	domainID, role := party.String(attrDomainID), party.String(attrRole)
	for _, attribute := range []string{attrDomainID, attrAppImage} {
		switch value := party.String(attribute); {
		case value == "":
			c.Add(check.Refused, at.AtName(attribute), at.String(), "Empty value", attribute+" must not be empty.")
		case len(validation.IsDNS1123Subdomain(value)) > 0:
			c.Add(check.Unusable, at.AtName(attribute), value, "Invalid name", fmt.Sprintf(
				"%s cannot be the name of an object: use lower-case letters, digits, hyphens and dots. %s", tfvalue.Quote(value), nameHints[attribute]))
		}
	}
	if role != "" && (len(validation.IsDNS1123Label(role)) > 0 || len(name)+1+len(role) > longestName) {
		c.Add(check.Refused, at.AtName(attrRole), role, "Invalid role", fmt.Sprintf(
			"The Deployment is named NAME-ROLE, %s, which must be at most %d lower-case letters, digits and hyphens.", tfvalue.Quote(name+"-"+role), longestName), path.Root(attrName))
	}
	if prefix := party.String(attrPrefix); !prefixFormat.MatchString(prefix) {
		c.Add(check.Refused, at.AtName(attrPrefix), prefix, "Invalid prefix", fmt.Sprintf(
			"%s must have at most 48 lower-case letters, digits and hyphens, beginning with a letter and ending with a letter or digit. Kuscia refuses others (ValidateFailed).", tfvalue.Quote(prefix)))
	}
	key := domainID + "/" + role
	if first, twice := seen[key]; twice && domainID != "" {
		c.Add(check.Refused, at.AtName(attrDomainID), key, "Duplicate party", fmt.Sprintf(
			"Domain %s with role %q is %s already. Kuscia would create one Deployment for both and never report it as Available.", tfvalue.Quote(domainID), role, partiesPath.AtListIndex(first)),
			at.AtName(attrRole), partiesPath.AtListIndex(first).AtName(attrDomainID), partiesPath.AtListIndex(first).AtName(attrRole))
	}
	seen[key] = index
	c.replicas(party, at)
	c.strategy(party, at)
	c.containers(party, at)
}

func (c *checker) replicas(party definition.Reader, at path.Path) {
	if !party.Has(attrReplicas) {
		return
	}
	switch n, at := party.Int32(attrReplicas), at.AtName(attrReplicas); {
	case n < 0:
		c.Add(check.Refused, at, at.String(), "Invalid number of replicas", fmt.Sprintf("%d is below 0.", n))
	case n == 0:
		c.Add(check.Doubtful, at, at.String(), "No pods", "With 0 replicas no pod runs, and Kuscia reports the phase Progressing forever. An apply succeeds anyway.")
	}
}

func (c *checker) strategy(party definition.Reader, at path.Path) {
	strategy, ok := party.Object(attrStrategy)
	if !ok {
		return
	}
	at = at.AtName(attrStrategy)
	kind := strategy.String("type")
	c.OneOf(check.Refused, at.AtName("type"), "", kind, []string{rollingUpdate, recreate}, "Kuscia cannot create a Deployment with another type, and silently ignores it in an update.")
	if kind == recreate {
		for _, name := range []string{attrMaxSurge, attrMaxUnavailable} {
			if strategy.String(name) != "" {
				c.Add(check.Refused, at.AtName(name), at.String(), "Only with RollingUpdate", name+" must not be set with Recreate: Kubernetes refuses the Deployment.", at.AtName("type"))
			}
		}
		return
	}
	zeros := 0
	for _, name := range []string{attrMaxSurge, attrMaxUnavailable} {
		text := strategy.String(name)
		n, percent, valid := tfvalue.ParseCountOrPercent(text)
		if text != "" && (!valid || percent && n > 100 && name == attrMaxUnavailable) {
			c.Add(check.Refused, at.AtName(name), at.String(), "Invalid number or percentage", fmt.Sprintf(
				"%s must be a whole number such as \"1\" or a percentage such as \"25%%\" (max_unavailable: up to 100%%).", tfvalue.Quote(text)))
		}
		if text != "" && valid && n == 0 {
			zeros++
		}
	}
	if zeros == 2 {
		c.Add(check.Refused, at.AtName(attrMaxUnavailable), at.String(), "No pod can be replaced", "max_surge and max_unavailable are both 0, so no pod could ever be replaced. Kubernetes refuses that.", at.AtName(attrMaxSurge))
	}
}

func (c *checker) containers(party definition.Reader, at path.Path) {
	seen := map[string]bool{}
	for i, container := range party.Objects(attrContainers) {
		at := at.AtName(attrContainers).AtListIndex(i)
		name := container.String(attrName)
		if name == "" {
			c.Add(check.Refused, at.AtName(attrName), at.String(), "Empty value", "name must not be empty.")
		} else if seen[name] {
			c.Add(check.Refused, at.AtName(attrName), name, "Duplicate container", tfvalue.Quote(name)+" is already in the list.")
		}
		seen[name] = true
		c.checkResources(container.StringMap(attrRequests), container.StringMap(attrLimits), at)
	}
}
