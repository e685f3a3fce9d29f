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

type checker struct{ check.Checker }

var (
	prefixFormat  = party.ServiceNamePrefixPattern
	longestName   = validation.DNS1123LabelMaxLength
	partiesPath   = path.Root(attrParties)
	initiatorPath = path.Root(attrInitiator)
)

func (c *checker) deployment(root definition.Reader) {
	name, initiator := root.String(attrName), root.String(attrInitiator)
	parties := root.Objects(attrParties)
	c.name(name, parties)
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

// name checks the name of the deployment. Kuscia names Services after it unless
// a party sets service_name_prefix, and the name of a Service must begin with a
// letter.
func (c *checker) name(name string, parties []definition.Reader) {
	at := path.Root(attrName)
	switch {
	case len(validation.IsDNS1123Label(name)) > 0:
		severity := check.Refused
		if objectName(name) {
			severity = check.Unusable // it may exist
		}
		c.Add(severity, at, name, "Invalid name", fmt.Sprintf(
			"%s is not a valid name, since Kuscia uses it for Deployments and Services: at most %d lower-case letters, digits and hyphens, beginning with a letter and ending with a letter or digit; no dots.", tfvalue.Quote(name), longestName))
	case name[0] >= '0' && name[0] <= '9' && slices.ContainsFunc(parties, func(p definition.Reader) bool { return p.String(attrPrefix) == "" }):
		c.Add(check.Unusable, at, name, "Invalid name", fmt.Sprintf(
			"%s begins with a digit, which the name of a Service must not: Kuscia fails with CreateServiceFailed. Begin it with a letter, or set service_name_prefix for every party.", tfvalue.Quote(name)), partiesPath)
	}
}

// objectName reports whether a KusciaDeployment with this name may exist: KusciaAPI and
// the cluster accept dots, with which Kuscia then fails to create Services.
func objectName(name string) bool {
	return len(name) <= longestName && len(validation.IsDNS1123Subdomain(name)) == 0
}

func (c *checker) party(party definition.Reader, at path.Path, name string, seen map[string]int, index int) {
	domainID, role := party.String(attrDomainID), party.String(attrRole)
	for _, attribute := range []string{attrDomainID, attrAppImage} {
		if party.String(attribute) == "" {
			c.Add(check.Refused, at.AtName(attribute), at.String(), "Empty value", attribute+" must not be empty.")
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
