package deployment

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Kuscia accepts a KusciaDeployment whose domains and app images do not exist,
// and says little or nothing about it; preflight asks for them. In a plan what is
// missing is a warning, since something else in the configuration may make it;
// before a request is sent it is an error. Who may not ask is told nothing.

// surroundings answer what the cluster has around a deployment.
type surroundings struct {
	// get asks for an object without a namespace.
	get func(kind kube.Kind, name string) (*unstructured.Unstructured, error)
	// plans reports whether this run is going to make or change an object, and
	// image what an app image is going to be, where that is known.
	plans func(kind kube.Kind, name string) bool
	image func(name string) *kuscia.AppImage
	// live is the deployment as it is; nil where there is none, or where the
	// cluster does not say.
	live *kube.KusciaDeployment
	// waits says that app images are needed to tell whether a deployment runs.
	waits bool
}

// current is an app image as it is; nil is not known.
func (a surroundings) current(name string) *kuscia.AppImage {
	if name == "" {
		return nil
	}
	found, err := a.get(kube.AppImages, name)
	if err != nil {
		return nil
	}
	return appImageOf(found)
}

// planned is an app image as it is going to be; nil is not known.
func (a surroundings) planned(name string) *kuscia.AppImage {
	if a.plans(kube.AppImages, name) {
		return a.image(name)
	}
	return a.current(name)
}

// inPlan are the surroundings of a plan: each object is asked for once a run.
func inPlan(ctx context.Context, c *clients.Clients, client *kube.Client, live *kube.KusciaDeployment) surroundings {
	return surroundings{
		live: live,
		get: func(kind kube.Kind, name string) (*unstructured.Unstructured, error) {
			return c.LookupKubernetes(ctx, client, kind, name)
		},
		image: func(name string) *kuscia.AppImage { return c.AppImages.Expected(ctx)(name) },
		plans: func(kind kube.Kind, name string) bool {
			switch kind {
			case kube.AppImages:
				return c.AppImages != nil && c.AppImages.IsPlanned(name)
			case kube.Domains:
				return c.Domains != nil && c.Domains.IsPlanned(name)
			}
			return false
		},
	}
}

// inApply are those of an apply: what is there now counts. Each app image is asked
// for once.
func inApply(ctx context.Context, client *kube.Client, live *kube.KusciaDeployment, waits bool) surroundings {
	type answer struct {
		object *unstructured.Unstructured
		err    error
	}
	known := map[string]answer{}
	return surroundings{
		live: live, waits: waits,
		get: func(kind kube.Kind, name string) (*unstructured.Unstructured, error) {
			key := kind.Resource + "/" + name
			if _, asked := known[key]; !asked {
				object, err := client.Get(ctx, kind, "", name)
				known[key] = answer{object, err}
			}
			return known[key].object, known[key].err
		},
		plans: func(kube.Kind, string) bool { return false },
	}
}

// preflight looks for what the parties need. missing reports what is not there.
func preflight(value definition.Value, around surroundings, missing func(at path.Path, summary, detail string), diags *diag.Diagnostics) {
	root, _ := definition.Read(value, definition.Value{})
	for i, party := range root.Objects(attrParties) {
		at := partiesPath.AtListIndex(i)
		if id := party.Text(attrDomainID); id != "" && !around.plans(kube.Domains, id) {
			if _, err := around.get(kube.Domains, id); errors.Is(err, apierror.ErrNotFound) {
				missing(at.AtName(attrDomainID), fmt.Sprintf("Domain %s does not exist", tfvalue.Quote(id)),
					fmt.Sprintf("%s: this control plane has no domain %s. Kuscia would leave the deployment without a word, and its status empty for ever. Check the id, or create the domain first, for example with kuscia_domain.", at.AtName(attrDomainID), tfvalue.Quote(id)))
			}
		}
		name := party.Text(attrAppImage)
		if name == "" {
			continue
		}
		checkPorts(around.planned(name), party, around.live, at, diags)
		if around.plans(kube.AppImages, name) {
			continue
		}
		found, err := around.get(kube.AppImages, name)
		switch {
		case errors.Is(err, apierror.ErrNotFound):
			missing(at.AtName(attrAppImage), fmt.Sprintf("App image %s does not exist", tfvalue.Quote(name)),
				fmt.Sprintf("%s: Kuscia fails to create a deployment without its app image (BuildPartyKitInfoFailed), does not try again when it appears, and ignores an update to it without a word. Check the name, or create it first, for example with kuscia_app_image.", at.AtName(attrAppImage)))
		case around.waits && errors.Is(err, apierror.ErrUnauthorized):
			clients.AddAttributeError(diags, at.AtName(attrAppImage), "The app image may not be read",
				fmt.Errorf("without it nobody can tell when the deployment runs; nothing was sent: %w", err))
		case err == nil:
			checkImage(found, party, at, diags)
		}
	}
}

// checkImage compares a party with its app image.
func checkImage(object *unstructured.Unstructured, party definition.Reader, at path.Path, diags *diag.Diagnostics) {
	image := &kube.AppImage{}
	if kube.Decode(object, image) != nil {
		return
	}
	if !party.Known(attrRole) {
		return
	}
	template := image.Template(party.Text(attrRole))
	if template == nil {
		diags.AddAttributeError(at.AtName(attrRole), "Role without a template", fmt.Sprintf(
			"%s: app image %s has no template for the role %s, and none for every role. Kuscia fails on that (BuildPartyKitInfoFailed).", at.AtName(attrRole), tfvalue.Quote(party.Text(attrAppImage)), tfvalue.Quote(party.Text(attrRole))))
		return
	}
	var names []string
	for _, c := range template.Spec.Containers {
		names = append(names, c.Name)
	}
	for i, container := range party.Objects(attrContainers) {
		name := container.Text(attrName)
		at := at.AtName(attrContainers).AtListIndex(i)
		if j := slices.Index(names, name); j >= 0 {
			checkAmounts(template.Spec.Containers[j].Resources, container, at, diags)
		} else if name != "" {
			diags.AddAttributeWarning(at.AtName(attrName), "Unknown container", fmt.Sprintf(
				"%s: app image %s has no container %s; it has %s. Kuscia stores resources of others and ignores them.", at.AtName(attrName), tfvalue.Quote(party.Text(attrAppImage)), tfvalue.Quote(name), quotedNames(names)))
		}
	}
}

// checkAmounts compares requests of the one with limits of the other: all
// requests, or all limits, of a container take the place of the app image's, and
// those that are left out stay.
func checkAmounts(image kube.Resources, container definition.Reader, at path.Path, diags *diag.Diagnostics) {
	if !container.FullyKnown(attrRequests) || !container.FullyKnown(attrLimits) {
		return
	}
	requests, limits := container.TextMap(attrRequests), container.TextMap(attrLimits)
	side, other := attrLimits, "request"
	switch {
	case len(requests) == 0 && len(limits) > 0:
		requests = plain(image.Requests)
	case len(limits) == 0 && len(requests) > 0:
		side, other, limits = attrRequests, "limit", plain(image.Limits)
	default:
		return // the configuration alone tells
	}
	for _, name := range slices.Sorted(maps.Keys(requests)) {
		limit, limited := limits[name]
		asked, err := tfvalue.ParseQuantity(requests[name])
		most, limitErr := tfvalue.ParseQuantity(limit)
		if !limited || err != nil || limitErr != nil || asked.Cmp(most) <= 0 {
			continue
		}
		at := at.AtName(side).AtMapKey(name)
		diags.AddAttributeError(at, "Request above the limit", fmt.Sprintf(
			"%s: with the %s of the app image, the request of %s is above the limit of %s. Kubernetes refuses the Deployment; an update of a deployment that runs would be ignored without a word. Give requests and limits here.",
			at, other, tfvalue.Quote(requests[name]), tfvalue.Quote(limit)))
	}
}
