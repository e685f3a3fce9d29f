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

// Kuscia carries two things of an app image to servings that run already: the
// image reference and the containers' resources. Everything else is used only
// when a serving is created. Hence two revisions (observed on Kuscia v1.1).

// The computed attributes with the revisions.
const (
	attrRolloutRevision    = "rollout_revision"
	attrDefinitionRevision = "definition_revision"
)

// revisions are the revisions of an app image. One is unknown as long as
// something that it depends on is. One whose inputs are those of the prior state
// stays what it was, even if another version of the provider wrote it: a new way
// to compute it must not roll a single serving.
func revisions(value, prior definition.Value) map[string]definition.Value {
	reader, gaps := definition.Read(value, definition.Value{})
	image := toWire(reader)
	reader, _ = definition.Read(prior, definition.Value{})
	before, stored := toWire(reader), definition.FieldsOf(prior)
	revision := func(name string, of func(*kuscia.AppImage) string) definition.Value {
		for _, at := range gaps.Unknown {
			if slices.Contains(affected(at), name) {
				return definition.UnknownText()
			}
		}
		now := of(image)
		if kept := definition.TextOf(stored[name]); kept != "" && of(before) == now {
			now = kept
		}
		return definition.TextValue(now)
	}
	return map[string]definition.Value{
		attrRolloutRevision:    revision(attrRolloutRevision, rolloutRevision),
		attrDefinitionRevision: revision(attrDefinitionRevision, definitionRevision),
	}
}

// rolloutRevision is a hash of what reaches running servings. It changes with
// nothing else: not with the spelling of a quantity, not with a template for a
// further role, not with the order of templates that leaves every role with
// what it had.
func rolloutRevision(image *kuscia.AppImage) string {
	return hash(struct {
		Image [2]string
		Roles map[string]resourcesByContainer
	}{
		Image: [2]string{image.Image.Name, image.Image.Tag},
		Roles: resourcesByRole(image.DeployTemplates),
	})
}

// definitionRevision is a hash of what only new servings get: everything that
// is not in the rollout revision, except the name.
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

// resourcesByRole says what the containers of a party of each role get. A
// template may serve several roles, separated by commas; the first one that
// names a role serves it, a template without a role serves all others, and a
// party without a role falls back to the first template. A role that gets what
// it would get without a template of its own is left out, so that a template
// for one more role rolls nobody.
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
// container without matters no more than one that does not exist: the
// controller compares only containers that the running pods have.
type resourcesByContainer map[string]kuscia.ResourceRequirements

// roles are the roles that a template names; "" is the template for all others.
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

// canonicalQuantity is one spelling for all that denote the same amount. In
// Kubernetes' own canonical form 1024 and 1Ki stay different.
func canonicalQuantity(text string) string {
	amount, err := tfvalue.ParseQuantity(text)
	if err != nil {
		return text
	}
	return resource.NewDecimalQuantity(*amount.AsDec(), resource.DecimalSI).String()
}

func hash(v any) string {
	// Encoding plain structs cannot fail, and maps are written in key order.
	encoded, _ := json.Marshal(v)
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:16])
}

// affected are the revisions that depend on the value at a path.
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
