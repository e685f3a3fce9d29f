package appimage

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Kuscia applies two parts of an app image to running servings: the image
// reference and the containers' resources. It uses the rest only when a serving
// is created. Therefore there are two revisions (observed on Kuscia v1.1).

// Computed attributes for the revisions.
const (
	attrRolloutRevision    = "rollout_revision"
	attrDefinitionRevision = "definition_revision"
)

// revisions returns the revisions of an app image. A revision is unknown while
// a value that it depends on is unknown. A revision whose inputs have not
// changed since the prior state keeps its value, even if another version of the
// provider computed it: a new algorithm must not trigger rollouts of servings.
func revisions(value, prior definition.Value) map[string]definition.Value {
	reader, unconvertible := definition.Read(value, definition.Value{})
	image := toWire(reader)
	reader, _ = definition.Read(prior, definition.Value{})
	before, stored := toWire(reader), definition.FieldsOf(prior)
	revision := func(name string, of func(*kuscia.AppImage) string) definition.Value {
		for _, at := range unconvertible.Unknown {
			if slices.Contains(affected(at), name) {
				return definition.UnknownString()
			}
		}
		now := of(image)
		if earlier := definition.StringOf(stored[name]); earlier != "" && of(before) == now {
			now = earlier
		}
		return definition.StringValue(now)
	}
	return map[string]definition.Value{
		attrRolloutRevision:    revision(attrRolloutRevision, rolloutRevision),
		attrDefinitionRevision: revision(attrDefinitionRevision, definitionRevision),
	}
}

// rolloutRevision returns a hash of the parts that Kuscia applies to running
// servings. Other changes do not affect it: the spelling of quantities, a
// template for an additional role, or an order of the templates that selects
// the same template for every role.
func rolloutRevision(image *kuscia.AppImage) string {
	return hash(struct {
		Image [2]string
		Roles map[string]resourcesByContainer
	}{
		Image: [2]string{image.Image.Name, image.Image.Tag},
		Roles: resourcesByRole(image.DeployTemplates),
	})
}

// definitionRevision returns a hash of the parts that only new servings use:
// everything that is not in the rollout revision, except the name.
func definitionRevision(image *kuscia.AppImage) string {
	templates := make([]kuscia.DeployTemplate, len(image.DeployTemplates))
	for i, template := range image.DeployTemplates {
		template.Containers = slices.Clone(template.Containers)
		for j := range template.Containers {
			template.Containers[j].Resources = nil
		}
		templates[i] = template
	}
	return hash(kuscia.AppImage{
		Image:           kuscia.AppImageInfo{ID: image.Image.ID, Sign: image.Image.Sign},
		ConfigTemplates: image.ConfigTemplates,
		DeployTemplates: templates,
	})
}

// resourcesByRole returns the container resources of the parties, by role. A
// template may serve several roles, separated by commas. The first template
// with a role serves it, a template without a role serves all other roles, and
// a party without a role falls back to the first template. Roles that have the
// same resources without a template of their own are omitted, so that a
// template for an additional role does not trigger rollouts.
func resourcesByRole(templates []kuscia.DeployTemplate) map[string]resourcesByContainer {
	byRole := map[string]resourcesByContainer{}
	for _, template := range templates {
		for _, role := range roles(template.Role) {
			if _, served := byRole[role]; !served {
				byRole[role] = containerResources(template.Containers)
			}
		}
	}
	others := byRole[""]
	for role, resources := range byRole {
		if role != "" && reflect.DeepEqual(resources, others) || len(resources) == 0 && len(others) == 0 {
			delete(byRole, role)
		}
	}
	if _, served := byRole[""]; !served && len(templates) > 0 {
		if first := containerResources(templates[0].Containers); len(first) > 0 {
			byRole[""] = first
		}
	}
	return byRole
}

// resourcesByContainer are the resources of the containers that have any. A
// container without resources is equivalent to a missing one: the controller
// compares only containers of the running pods.
type resourcesByContainer map[string]kuscia.ResourceRequirements

// roles returns the roles of a template; "" is the template for all other
// roles.
func roles(role string) []string {
	return strings.Split(strings.Trim(role, ","), ",")
}

func containerResources(containers []kuscia.Container) resourcesByContainer {
	out := resourcesByContainer{}
	for _, container := range containers {
		if container.Resources == nil {
			continue
		}
		out[container.Name] = kuscia.ResourceRequirements{
			Limits:   canonicalSpec(container.Resources.Limits),
			Requests: canonicalSpec(container.Resources.Requests),
		}
	}
	return out
}

func canonicalSpec(spec *kuscia.ResourceSpec) *kuscia.ResourceSpec {
	if spec == nil {
		return nil
	}
	return &kuscia.ResourceSpec{CPU: canonicalQuantity(spec.CPU), Memory: canonicalQuantity(spec.Memory)}
}

// canonicalQuantity returns the same text for all spellings of an amount. In
// Kubernetes' canonical form 1024 and 1Ki are different.
func canonicalQuantity(text string) string {
	amount, err := tfvalue.ParseQuantity(text)
	if err != nil {
		return text
	}
	return resource.NewDecimalQuantity(*amount.AsDec(), resource.DecimalSI).String()
}

// hash is short enough to be compared by eye in a plan.
func hash(v any) string {
	// Encoding plain structs cannot fail, and maps are encoded in key order.
	encoded, _ := json.Marshal(v)
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:4])
}

// affected returns the revisions that depend on the value at a path.
func affected(at path.Path) []string {
	name := indexes.ReplaceAllString(at.String(), "")
	switch {
	case name == "name":
		return nil
	case name == "image.name", name == "image.tag", strings.HasPrefix(name, "deploy_templates.containers.resources"):
		return []string{attrRolloutRevision}
	case name == "image", name == "deploy_templates", name == "deploy_templates.role",
		name == "deploy_templates.containers", name == "deploy_templates.containers.name":
		return []string{attrRolloutRevision, attrDefinitionRevision}
	default:
		return []string{attrDefinitionRevision}
	}
}

var indexes = regexp.MustCompile(`\[[^\]]*\]`)
