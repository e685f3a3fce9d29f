package edgedeployment

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// issue is an issue of a definition.
type issue struct {
	at              path.Path
	summary, detail string
	// needs are the values that must be known for the check, besides the one at
	// the path.
	needs []path.Path
}

// text returns the detail. The CLI only points to the top-level attribute, so
// that the text has the full path.
func (i issue) text() string {
	if len(i.at.Steps()) < 2 {
		return i.detail
	}
	return i.at.String() + ": " + i.detail
}

// validate reports values that the API documentation does not allow.
func validate(config tftypes.Value) diag.Diagnostics {
	return issuesAsErrors(deployment.MarkUnsetSecretsUnknown(config))
}

// checkUnsetSecrets reports the errors of a plan that depend on whether an import has
// read a string that the configuration does not set.
func checkUnsetSecrets(config tftypes.Value) diag.Diagnostics {
	if len(deployment.UnsetSecrets(config)) == 0 {
		return nil
	}
	return issuesAsErrors(config)
}

func issuesAsErrors(config tftypes.Value) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, found := range issues(config) {
		diags.AddAttributeError(found.at, found.summary, found.text())
	}
	return diags
}

// issues returns all issues of a configuration, in the order of the rules. An
// unknown value raises no issue yet.
func issues(config tftypes.Value) []issue {
	value := deployment.Plan(fillVolumes(config), deployment.Null(), definition.PlanOptions{}).Planned
	value = deployment.WithSecrets(value, config, deployment.Null(), deployment.Null())
	request, unconvertible := toWire(value, config)
	c := &checker{fields: definition.FieldsOf(value), config: definition.FieldsOf(config)}
	for _, problem := range deployment.Problems(config) {
		c.add(problem.Path, problem.Summary, problem.Detail)
	}
	for _, at := range unconvertible.Null {
		c.add(at, "Null element", "An element of a list or map must not be null. Remove it, or set a value.")
	}
	for _, at := range unconvertible.OutOfRange {
		c.add(at, "Not a whole number", "A whole number is needed, no fraction and at most 2147483647.")
	}
	if !c.fields["api_version"].IsKnown() {
		unconvertible.Unknown = append(unconvertible.Unknown, versionPath)
	}
	certain := len(c.found)
	c.version = ief.Version(definition.StringOf(c.fields["api_version"]))
	c.deployment(request)

	reported := slices.DeleteFunc(c.found[certain:], func(i issue) bool {
		return slices.ContainsFunc(append(i.needs, i.at), func(need path.Path) bool {
			return slices.ContainsFunc(unconvertible.All(), func(at path.Path) bool { return check.Within(need, at) })
		})
	})
	return c.found[:certain+len(reported)]
}

type checker struct {
	fields, config map[string]tftypes.Value
	version        ief.Version
	found          []issue
}

func (c *checker) add(at path.Path, summary, detail string, needs ...path.Path) {
	c.found = append(c.found, issue{at: at, summary: summary, detail: detail, needs: needs})
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
	c.add(at, "Invalid name", fmt.Sprintf("IEF does not accept the name %q: at most %d lower-case letters, digits and hyphens, beginning and ending with a letter or digit (version %s of the API).",
		shortened(name), c.maxName(), c.version), versionPath)
}

// oneOf checks that a string has one of the allowed values.
func (c *checker) oneOf(at path.Path, text string, allowed ...string) {
	if !slices.Contains(allowed, text) {
		c.add(at, "Invalid value", fmt.Sprintf("%q is not allowed here; use one of \"%s\".", shortened(text), strings.Join(allowed, `", "`)))
	}
}

// v3Only rejects attributes that v2 does not support.
func (c *checker) v3Only(at path.Path, given bool) {
	if given && c.version == ief.V2 {
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
		c.add(at, "Invalid number of replicas", fmt.Sprintf("%d is outside 1 to %d.", replicas, maxReplicas))
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
		c.add(at, "Description too long", fmt.Sprintf("It has %d characters; IEF allows at most %d.", n, maxDescription))
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
		c.add(nodes, "No edge node", "Set node_ids to the ID of an edge node, or group_id to that of a group of nodes.", group)
	case len(r.NodeIDs) > 1:
		c.add(nodes, "More than one node", fmt.Sprintf("IEF accepts exactly one edge node here, but %d are set. Use group_id for a group of nodes, or one resource for each node.", len(r.NodeIDs)))
	}
	for i, id := range r.NodeIDs {
		if id == "" {
			c.add(nodes.AtListIndex(i), "Empty ID", "The ID of an edge node must not be empty.")
		}
	}
	if id := definition.StringOf(c.fields["instance_id"]); !instanceText.MatchString(id) {
		c.add(path.Root("instance_id"), "Invalid instance ID", "The ID of a service instance has letters, digits, - and _ only.")
	}
}

func (c *checker) tags(tags []ief.Tag) {
	at := path.Root("tags")
	c.v3Only(at, len(tags) > 0)
	for _, tag := range tags {
		if !tagText.MatchString(tag.Key) || len(tag.Key) > maxTagKey {
			c.add(at.AtMapKey(tag.Key), "Invalid tag", fmt.Sprintf("The key %q must have 1 to %d letters, digits, _ and -.", shortened(httpapi.Text(tag.Key)), maxTagKey))
		}
		if !tagText.MatchString(tag.Value) || len(tag.Value) > maxTagValue {
			c.add(at.AtMapKey(tag.Key), "Invalid tag", fmt.Sprintf("The value %q must have 1 to %d letters, digits, _ and -.", shortened(httpapi.Text(tag.Value)), maxTagValue))
		}
	}
}

func (c *checker) origin(source string) {
	at := path.Root("source")
	if configured := c.config["source"]; source == "" && (configured.IsNull() || !configured.IsKnown()) {
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

// valueAt returns the value at a path, or a value without a type.
func (c *checker) valueAt(at path.Path) tftypes.Value {
	fields := c.fields
	var value tftypes.Value
	for _, step := range at.Steps() {
		switch step := step.(type) {
		case path.PathStepAttributeName:
			value = fields[string(step)]
		case path.PathStepElementKeyInt:
			elements := definition.ElementsOf(value)
			if int(step) >= len(elements) {
				return tftypes.Value{}
			}
			value = elements[step]
		}
		if value.Type() == nil || !value.IsKnown() {
			return tftypes.NewValue(tftypes.String, nil)
		}
		fields = definition.FieldsOf(value)
	}
	return value
}
