package deployment

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// checkObject reports the issues of a planned deployment, in the order of the rules.
func checkObject(c *check.Checker, o *object) { (&checker{Checker: c}).deployment(o.planned) }

func (c *checker) deployment(root definition.Reader) {
	name, initiator := root.String(attrName), root.String(attrInitiator)
	c.name(name)
	c.OneOf(check.Refused, path.Root(attrAffinityMode), "", root.String(attrAffinityMode), []string{affinityNone, affinityPod, affinityAnti}, "Kuscia treats any other value as anti-affinity.")
	c.labels(root.StringMap(attrLabels))
	domains, needs, known := []string{}, []path.Path{partiesPath}, map[string]party.Key{}
	for key, p := range root.ObjectMap(attrParties) {
		at := partiesPath.AtMapKey(key)
		domains, needs = append(domains, p.String(attrDomainID)), append(needs, at.AtName(attrDomainID))
		if p.Known(attrDomainID) && p.Known(attrRole) {
			known[key] = party.Key{DomainID: p.String(attrDomainID), Role: p.String(attrRole)}
		}
		c.party(p, at, name)
	}
	c.duplicates(known)
	if len(domains) == 0 {
		c.Add(check.Refused, partiesPath, "", "Missing party", "Kuscia reports a KusciaDeployment without parties as Available, but runs nothing. Set at least one.")
	}
	if len(domains) > 0 && !slices.Contains(domains, initiator) {
		c.Add(check.Refused, initiatorPath, initiator, "Initiator is not a party", fmt.Sprintf(
			"%s is not the domain_id of any of the parties (%s). Kuscia refuses such a create, and silently ignores such an update. Set the domain_id of one of them, or add a party for it.", tfvalue.Quote(initiator), httpapi.QuoteAll(domains)), needs...)
	}
}

// duplicates refuses parties that a map has under two keys.
func (c *checker) duplicates(parties map[string]party.Key) {
	duplicates := party.Duplicates(parties)
	for _, key := range slices.Sorted(maps.Keys(duplicates)) {
		p := parties[key]
		c.Add(check.Refused, partiesPath.AtMapKey(key), p.String(), "Duplicate party", fmt.Sprintf(
			"Domain %s with role %q is %s already. Kuscia would create one Deployment for both and never report it as Available. Remove one of them, or set another domain_id or role.",
			tfvalue.Quote(p.DomainID), p.Role, partiesPath.AtMapKey(duplicates[key])))
	}
}

// name checks the name of the deployment. Kuscia names Deployments and Services after
// it; the name of a Service must begin with a letter, so Kuscia puts "svc-" before a
// digit.
func (c *checker) name(name string) {
	if len(validation.IsDNS1123Label(name)) == 0 || !objectName(name) {
		return // fine, or refused by nameProblem
	}
	c.Add(check.Unusable, path.Root(attrName), name, "Invalid name", fmt.Sprintf(
		"%s is not a valid name, since Kuscia uses it for Deployments and Services: at most %d lower-case letters, digits and hyphens, beginning and ending with a letter or digit; no dots.", tfvalue.Quote(name), longestName))
}

// objectName reports whether a KusciaDeployment with this name may exist: KusciaAPI and
// the cluster accept dots, with which Kuscia then fails to create Services.
func objectName(name string) bool {
	return len(name) <= longestName && len(validation.IsDNS1123Subdomain(name)) == 0
}

// nameHints tell what the names in a party refer to.
var nameHints = map[string]string{
	attrDomainID: "It is the ID of a Kuscia domain, such as \"alice\"; if it is not set, it is the key of the party.",
	attrAppImage: "It is the name of an app image, such as that of a kuscia_app_image, not the reference of a container image.",
}

func (c *checker) party(party definition.Reader, at path.Path, name string) {
	role := party.String(attrRole)
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
		c.Add(check.Refused, at, at.String(), "Invalid number of replicas", fmt.Sprintf("%s is %d; it must be a whole number from 0.", attrReplicas, n))
	case n == 0:
		c.Add(check.Doubtful, at, at.String(), "Zero replicas", "With 0 replicas no pod runs, and Kuscia reports the phase Progressing forever. An apply succeeds anyway.")
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
				c.Add(check.Refused, at.AtName(name), at.String(), "Attribute not used with Recreate", name+" must not be set with Recreate: Kubernetes refuses the Deployment.", at.AtName("type"))
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
		c.Add(check.Refused, at.AtName(attrMaxUnavailable), at.String(), "Rolling update cannot proceed", "max_surge and max_unavailable are both 0, so no pod could ever be replaced. Kubernetes refuses that.", at.AtName(attrMaxSurge))
	}
}

func (c *checker) containers(party definition.Reader, at path.Path) {
	for name, container := range party.ObjectMap(attrContainers) {
		at := at.AtName(attrContainers).AtMapKey(name)
		if name == "" {
			c.Add(check.Refused, at, at.String(), "Empty value", "The key is the name of a container and must not be empty.")
		}
		c.checkResources(container.StringMap(attrRequests), container.StringMap(attrLimits), at)
	}
}
