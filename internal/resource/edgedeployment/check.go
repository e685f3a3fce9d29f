package edgedeployment

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// checkObject reports the values that the API documentation does not allow, in the order of
// the rules.
func checkObject(to *check.Checker, o *object) {
	c := &checker{Checker: to, planned: o.planned, version: ief.Version(o.planned.String("api_version"))}
	c.deployment(o.request)
}

type checker struct {
	*check.Checker

	planned definition.Reader
	version ief.Version
}

func (c *checker) add(at path.Path, summary, detail string, needs ...path.Path) {
	c.Add(check.Refused, at, at.String(), summary, detail, needs...)
}

var (
	versionPath = path.Root("api_version")

	label        = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	appVersion   = regexp.MustCompile(`^[a-z0-9][-.a-z0-9]*$`)
	tagText      = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
	instanceText = regexp.MustCompile(`^[A-Za-z0-9_-]*$`)
)

const (
	maxDescription   = 255
	notInDescription = "^~#$%&*<>()[]{}'\"\\"
	maxTagKey        = 128
	maxTagValue      = 256
	maxReplicas      = 99
	ringController   = "ascend-1980"
)

// maxName returns the maximum length of the name of a deployment and of a
// container.
func (c *checker) maxName() int {
	if c.version == ief.V2 {
		return 64
	}
	return 32
}

// name checks the name of a deployment or a container.
func (c *checker) name(at path.Path, name string) {
	if label.MatchString(name) && len(name) <= c.maxName() {
		return
	}
	c.add(at, "Invalid name", fmt.Sprintf("IEF does not accept the name %q. Use at most %d lower-case letters, digits and hyphens, with a letter or digit at both ends (version %s of the API).",
		shortened(name), c.maxName(), c.version), versionPath)
}

// oneOf checks that a string has one of the allowed values.
func (c *checker) oneOf(at path.Path, text string, allowed ...string) {
	if !slices.Contains(allowed, text) {
		c.add(at, tfvalue.ValueNotAllowed, tfvalue.NotAllowed(text, allowed))
	}
}

// v3Only rejects attributes that v2 does not support.
func (c *checker) v3Only(at path.Path, isSet bool) {
	if isSet && c.version == ief.V2 {
		c.add(at, "Not in version v2 of the API", fmt.Sprintf("%s exists only in version v3 of the deployment API: requests of v2 have no field for it. Omit it, or set api_version = \"v3\".", at), versionPath)
	}
}

func (c *checker) deployment(r *ief.CreateRequest) {
	c.oneOf(versionPath, string(c.version), string(ief.V3), string(ief.V2))
	c.name(path.Root("name"), r.Name)
	c.description(r.Description)
	c.placement(r)
	c.tags(r.Tags)
	c.origin(r.Source)

	replicas := r.Deployment.Replicas
	switch at := path.Root("replicas"); {
	case replicas < 1 || replicas > maxReplicas:
		c.add(at, "Invalid number of replicas", fmt.Sprintf("replicas is %d; it must be a number from 1 to %d.", replicas, maxReplicas))
	case c.version == ief.V2 && replicas != 1:
		c.add(at, "Not in version v2 of the API", "A deployment of version v2 has exactly one instance. Omit replicas, or set api_version = \"v3\".", versionPath)
	}
	if a := r.Deployment.Annotations; a != nil {
		at := path.Root("annotations")
		c.v3Only(at, true)
		if a.RingController != "" {
			c.oneOf(at.AtName("ring_controller"), a.RingController, ringController)
		}
	}
	c.template(r.Deployment.Template)
}

func (c *checker) description(text string) {
	at := path.Root("description")
	if n := utf8.RuneCountInString(text); n > maxDescription {
		c.add(at, "Description too long", fmt.Sprintf("It has %d characters; IEF allows at most %d. Shorten it.", n, maxDescription))
	}
	if i := strings.IndexAny(text, notInDescription); i >= 0 {
		c.add(at, "Invalid description", fmt.Sprintf("IEF does not allow the character %q in a description, nor any other of %s.", text[i:i+1], notInDescription))
	}
}

func (c *checker) placement(r *ief.CreateRequest) {
	nodes, group := path.Root("node_ids"), path.Root("group_id")
	switch {
	case len(r.NodeIDs) > 0 && r.GroupID != "":
		c.add(group, "Conflicting attributes", "Both node_ids and group_id are set. A deployment runs on one edge node or on one group of nodes; keep one of the two.", nodes)
	case len(r.NodeIDs) == 0 && r.GroupID == "":
		c.add(nodes, "Missing edge node", "Set node_ids to the ID of an edge node, or group_id to that of a group of nodes.", group)
	case len(r.NodeIDs) > 1:
		c.add(nodes, "More than one edge node", fmt.Sprintf("IEF accepts exactly one edge node here, but %d are set. Use group_id for a group of nodes, or one resource for each node.", len(r.NodeIDs)))
	}
	for i, id := range r.NodeIDs {
		if id == "" {
			c.add(nodes.AtListIndex(i), "Empty ID", "The ID of an edge node must not be empty. Set it, or remove the element.")
		}
	}
}

func (c *checker) tags(tags []ief.Tag) {
	at := path.Root("tags")
	c.v3Only(at, len(tags) > 0)
	for _, tag := range tags {
		if !tagText.MatchString(tag.Key) || len(tag.Key) > maxTagKey {
			c.add(at.AtMapKey(tag.Key), "Invalid tag", fmt.Sprintf("The key %q is not allowed: use 1 to %d letters, digits, \"_\" and \"-\".", shortened(httpapi.Text(tag.Key)), maxTagKey))
		}
		if !tagText.MatchString(tag.Value) || len(tag.Value) > maxTagValue {
			c.add(at.AtMapKey(tag.Key), "Invalid tag", fmt.Sprintf("The value %q is not allowed: use 1 to %d letters, digits, \"_\" and \"-\".", shortened(httpapi.Text(tag.Value)), maxTagValue))
		}
	}
}

func (c *checker) origin(source string) {
	at := path.Root("source")
	if source == "" && !c.planned.Configured("source") {
		return
	}
	c.v3Only(at, true)
	if !sameSource(source, sourceUser) {
		c.oneOf(at, source, sourceUser, "iem")
	}
}

// shortened truncates text for a message.
func shortened(text string) string {
	const most = 60
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}
