package rollout

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
)

// Limits of the CustomResourceDefinition for headers and parameters.
const (
	maxHeaders    = 16
	maxHeaderName = 256
	maxHeader     = 4096
	maxParameter  = 1024
	maxPath       = 1024
)

// headerNamePattern is the pattern of header names in the
// CustomResourceDefinition.
const headerNamePattern = "^[A-Za-z0-9!#$%&'*+\\-.^_\\x60|~]+$"

var headerName = regexp.MustCompile(headerNamePattern)

var (
	matchTypes = []string{"Exact", "RegularExpression"}
	pathTypes  = []string{"Exact", "PathPrefix", "RegularExpression"}
)

// checkRouting checks the traffic routing of a Service.
func checkRouting(c *check.Checker, at path.Path, routing kruise.TrafficRoutingRef) {
	if routing.Service == "" {
		c.Add(check.Refused, at.AtName(attrService), "", "Missing service", inItsWords("Set the name of the Service.", "TrafficRouting.Service cannot be empty"))
	}
	checkReference(c, at.AtName(attrService), routing.Service)
	switch grace := routing.GracePeriodSeconds; {
	case grace < 0:
		c.Add(check.Refused, at.AtName(attrGrace), strconv.Itoa(int(grace)), "Negative time", inItsWords(fmt.Sprintf("%d is negative. Use at least 1.", grace), "TrafficRouting.GracePeriodSeconds cannot be negative"))
	case grace == 0:
		// The controller respects 0, and loses it whenever it writes a finalizer.
		c.Add(check.Refused, at.AtName(attrGrace), "0", "Grace period of 0", fmt.Sprintf("The controller replaces 0 by the default, %d. Use at least 1.", defaultGrace))
	}
	if routing.Ingress == nil && routing.Gateway == nil && len(routing.CustomNetworkRefs) == 0 {
		c.Add(check.Refused, at, "", "Missing route", inItsWords("Set one of ingress, gateway and custom_network_refs.", "TrafficRoutings are not set"),
			at.AtName(attrIngress), at.AtName(attrGateway), at.AtName(attrNetworkRefs))
	}
	if routing.Ingress != nil && routing.Ingress.Name == "" {
		c.Add(check.Refused, at.AtName(attrIngress).AtName(attrName), "", "Missing Ingress", inItsWords("Set the name of the Ingress.", "TrafficRouting.Ingress.Ingress cannot be empty"))
	}
	if routing.Ingress != nil {
		checkReference(c, at.AtName(attrIngress).AtName(attrName), routing.Ingress.Name)
	}
	if routing.Gateway != nil {
		checkReference(c, at.AtName(attrGateway).AtName(attrRouteName), routing.Gateway.HTTPRouteName)
	}
	if routing.Gateway != nil && routing.Gateway.HTTPRouteName == "" {
		c.Add(check.Refused, at.AtName(attrGateway).AtName(attrRouteName), "", "Missing HTTPRoute", inItsWords("Set the name of the HTTPRoute.", "TrafficRouting.Gateway must set the name of HTTPRoute or HTTPsRoute"))
	}
}

// checkMatch checks the conditions of a match. twice is the severity of a name that is in
// a list of conditions twice: a Rollout cannot have such a list, traffic routing can.
func checkMatch(c *check.Checker, at path.Path, match kruise.Match, twice check.Severity) {
	if match.Path != nil {
		where := at.AtName(attrPath)
		c.OneOf(check.Refused, where.AtName(attrType), "", match.Path.Type, pathTypes, "")
		checkLength(c, where.AtName(attrValue), match.Path.Value, 0, maxPath)
		if match.Path.Type != matchTypes[1] {
			checkLiteralPath(c, where, match.Path.Value)
		}
	}
	checkValues(c, at.AtName(attrHeaders), match.Headers, maxHeader, nameRules{twice: twice, foldsCase: true})
	checkValues(c, at.AtName(attrQueryParams), match.QueryParams, maxParameter, nameRules{twice: twice})
}

// pathCharacters is the rule of the CustomResourceDefinition for literal paths.
var pathCharacters = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[-A-Za-z0-9/._~!$&'()*+,;=:@]|[%][0-9a-fA-F]{2})+$`)
})

// checkLiteralPath checks a path that is not a regular expression, by the rules
// of the CustomResourceDefinition.
func checkLiteralPath(c *check.Checker, at path.Path, text string) {
	refuse := func(rule string) {
		c.Add(check.Refused, at.AtName(attrValue), text, "Invalid path", fmt.Sprintf("%q is not a path: with the type \"Exact\" or \"PathPrefix\", it %s.", httpapi.Text(text), rule), at.AtName(attrType))
	}
	if !strings.HasPrefix(text, "/") {
		refuse("must be an absolute path and start with \"/\"")
	}
	for _, part := range []string{"//", "/./", "/../", "%2f", "%2F", "#"} {
		if strings.Contains(text, part) {
			refuse("must not contain \"" + part + "\"")
		}
	}
	if !pathCharacters().MatchString(text) {
		refuse("must have letters, digits and characters that a URL may contain only; write others as \"%\" with two hexadecimal digits")
	}
	for _, end := range []string{"/..", "/."} {
		if strings.HasSuffix(text, end) {
			refuse("must not end with \"" + end + "\"")
		}
	}
}

// checkValues checks match conditions for headers or query parameters.
func checkValues(c *check.Checker, at path.Path, values []kruise.ValueMatch, longest int, rules nameRules) {
	names := make([]string, len(values))
	for i, value := range values {
		where := at.AtListIndex(i)
		names[i] = value.Name
		c.OneOf(check.Refused, where.AtName(attrType), "", value.Type, matchTypes, "")
		checkLength(c, where.AtName(attrValue), value.Value, 1, longest)
	}
	checkNames(c, at, names, rules, func(i int) path.Path { return at.AtListIndex(i).AtName(attrName) })
}

func checkModifier(c *check.Checker, at path.Path, modifier *kruise.HeaderModifier) {
	if modifier == nil {
		return
	}
	if len(modifier.Set)+len(modifier.Add)+len(modifier.Remove) == 0 {
		addEmpty(c, at, attrSet, attrAdd, attrRemove)
	}
	checkHeaders(c, at.AtName(attrSet), modifier.Set)
	checkHeaders(c, at.AtName(attrAdd), modifier.Add)
	where := at.AtName(attrRemove)
	seen := map[string]bool{}
	for i, name := range modifier.Remove {
		if seen[name] {
			c.Add(check.Refused, where.AtListIndex(i), name, "Duplicate value", inItsWords(fmt.Sprintf("%q is in the list twice. Remove one of them.", name), "Duplicate value"))
		}
		seen[name] = true
	}
	checkCount(c, where, len(modifier.Remove))
}

// addEmpty reports an object without entries: the API server rejects an object
// that an update emptied.
func addEmpty(c *check.Checker, at path.Path, parts ...string) {
	needs := make([]path.Path, len(parts))
	for i, part := range parts {
		needs[i] = at.AtName(part)
	}
	c.Add(check.Unusable, at, "", "Empty value", "It has no entries; omit it.", needs...)
}

func checkHeaders(c *check.Checker, at path.Path, headers []kruise.Header) {
	names := make([]string, len(headers))
	for i, header := range headers {
		names[i] = header.Name
		checkLength(c, at.AtMapKey(header.Name), header.Value, 1, maxHeader)
	}
	checkNames(c, at, names, nameRules{foldsCase: true}, func(i int) path.Path { return at.AtMapKey(names[i]) })
}

// nameRules are the rules for the names in a list. The API compares them by their
// spelling, and HTTP the names of headers regardless of case.
type nameRules struct {
	// twice is the severity of a name that is in the list twice.
	twice     check.Severity
	foldsCase bool
}

// checkNames checks the names in a list.
func checkNames(c *check.Checker, list path.Path, names []string, rules nameRules, at func(i int) path.Path) {
	spelled, seen := map[string]bool{}, map[string]string{}
	for i, name := range names {
		folded := strings.ToLower(name)
		switch {
		case !headerName.MatchString(name) || len(name) > maxHeaderName:
			c.Add(check.Refused, at(i), name, "Invalid name", inItsWords(fmt.Sprintf("%q is not a valid name; use 1 to %d letters, digits and characters such as \"-\" and \"_\", without spaces, colons and slashes.", name, maxHeaderName),
				"should match '"+headerNamePattern+"'"))
		case spelled[name]:
			c.Add(rules.twice, at(i), name, "Duplicate name", inItsWords(fmt.Sprintf("%q is in the list twice, and which of the two has an effect depends on the gateway. Remove one of them.", name), "Duplicate value"))
		case rules.foldsCase && seen[folded] != "":
			c.Add(check.Doubtful, at(i), name, "Duplicate name", fmt.Sprintf("%q and %q are the same header to HTTP, and which of the two has an effect depends on the gateway. Remove one of them.", seen[folded], name))
		}
		spelled[name], seen[folded] = true, cmp.Or(seen[folded], name)
	}
	checkCount(c, list, len(names))
}

func checkCount(c *check.Checker, list path.Path, n int) {
	if n > maxHeaders {
		c.Add(check.Refused, list, strconv.Itoa(n), "Too many elements", fmt.Sprintf("There are %d; the list must have at most %d items. Remove the others.", n, maxHeaders))
	}
}

func checkLength(c *check.Checker, at path.Path, text string, least, most int) {
	if n := utf8.RuneCountInString(text); n < least || n > most {
		c.Add(check.Refused, at, strconv.Itoa(n), "Invalid length", fmt.Sprintf("It has %d characters; %d to %d are allowed.", n, least, most))
	}
}

var (
	labelName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$`)
	})
	labelValue = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$`) })
)

// checkMetadata checks labels and annotations. The cluster validates them only
// when it creates the canary Deployment.
func checkMetadata(c *check.Checker, at path.Path, metadata *kruise.PatchPodTemplateMetadata) {
	const consequence = "The webhook accepts it, but the extra Deployment cannot be created with it, and a release would hang."
	names := func(field string, entries map[string]string) {
		for _, name := range slices.Sorted(maps.Keys(entries)) {
			if where := at.AtName(field).AtMapKey(name); !labelName().MatchString(name) {
				c.Add(check.Unusable, where, name, "Invalid name", fmt.Sprintf("%q is not a valid name of a label or annotation. %s", name, consequence))
			} else if field == "labels" && !labelValue().MatchString(entries[name]) {
				c.Add(check.Unusable, where, name, "Invalid label", fmt.Sprintf("%q cannot be the value of a label. %s", entries[name], consequence))
			}
		}
	}
	if len(metadata.Labels)+len(metadata.Annotations) == 0 {
		addEmpty(c, at, "labels", "annotations")
	}
	names("labels", metadata.Labels)
	names("annotations", metadata.Annotations)
}

// checkTrafficRouting checks a traffic routing.
func checkTrafficRouting(c *check.Checker, o *routing) {
	refs := path.Root(attrObjectRef)
	if len(o.Spec.ObjectRef) == 0 {
		c.Add(check.Unusable, refs, "", "Nothing to route", "object_ref is empty, so the traffic routing has no effect. Set an entry with a service and its route.")
	}
	for i, ref := range o.Spec.ObjectRef {
		checkRouting(c, refs.AtListIndex(i), ref)
	}
	strategy := path.Root(attrStrategy)
	if weight := o.Spec.Strategy.Weight; weight != nil && (*weight < 0 || *weight > wholePercent) {
		c.Add(check.Unusable, strategy.AtName(attrWeight), strconv.Itoa(int(*weight)), "Weight out of range", fmt.Sprintf("%d is not a percentage; use 0 to 100.", *weight))
	}
	for i, match := range o.Spec.Strategy.Matches {
		checkMatch(c, strategy.AtName(attrMatches).AtListIndex(i), match, check.Doubtful)
	}
	checkModifier(c, strategy.AtName(attrHeaderModifier), o.Spec.Strategy.RequestHeaderModifier)
	if s := o.Spec.Strategy; s.Weight == nil && len(s.Matches) == 0 && s.RequestHeaderModifier == nil {
		c.Add(check.Unusable, strategy, "", "Nothing is routed", "Without weight, matches and request_header_modifier no request goes to the new version: set one of them.",
			strategy.AtName(attrWeight), strategy.AtName(attrMatches), strategy.AtName(attrHeaderModifier))
	}
}

// checkReference checks the name of another object, if it is set. The webhook accepts any,
// and the controller waits for that object forever.
func checkReference(c *check.Checker, at path.Path, name string) {
	if problem := nameProblem(name); name != "" && problem != "" {
		c.Add(check.Unusable, at, name, "Invalid name", "No object can have this name: "+problem)
	}
}

// inItsWords adds the words of the webhook of OpenKruise Rollouts, by which a user finds more.
func inItsWords(text, words string) string {
	return text + "\n\nThe webhook of OpenKruise Rollouts would refuse it: " + words + "."
}
