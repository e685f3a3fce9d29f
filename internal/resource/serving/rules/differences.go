package rules

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// difference is an attribute in which a serving on the server differs from the
// desired one.
type difference struct {
	attribute string
	// party is the party that has the attribute; nil for the serving itself.
	party *Party
	// desired and found are shown next to the name; "" if they may be secret or
	// are long.
	desired, found string
}

// String returns the name of the attribute.
func (d difference) String() string {
	if d.party == nil {
		return d.attribute
	}
	return fmt.Sprintf("%s of party %s", d.attribute, d.party.Key())
}

// path is the path of the attribute.
func (d difference) path() path.Path {
	if d.party == nil {
		return path.Root(d.attribute)
	}
	return d.party.Path().AtName(d.attribute)
}

// describe returns the name of the attribute with its values.
func (d difference) describe() string {
	if d.found == "" {
		return d.String()
	}
	return fmt.Sprintf("%s (%s, planned: %s)", d, d.found, d.desired)
}

// Differences lists the attributes in which a serving on the server differs from
// the desired one. It ignores what the API does not return, containers for which
// Kuscia stores no resources, resources that were read rather than configured,
// and a text that is only on the server.
func Differences(desired Serving, response *kuscia.Serving, private Private) (different []path.Path) {
	for _, d := range compareServing(desired, response, private) {
		different = append(different, d.path())
	}
	return different
}

func compareServing(desired Serving, response *kuscia.Serving, private Private) (different []difference) {
	if desired.Initiator().ValueString() != response.Initiator {
		different = append(different, difference{attribute: "initiator"})
	}
	if !desired.ConfigOnlyOnServer() && !tfvalue.ConfigTextEqual(desired.ServingInputConfig().ValueString(), response.ServingInputConfig) {
		different = append(different, difference{attribute: AttrConfig})
	}
	parties := desired.Parties().Items
	if len(parties) != len(response.Parties) {
		return append(different, difference{attribute: "parties"})
	}
	for _, p := range parties {
		wire := FindWire(response.Parties, p.Key())
		if wire == nil {
			different = append(different, difference{attribute: "parties"})
			continue
		}
		if private.ResourcesObserved(p.Key()) {
			p = p.WithResources(Resources{})
		}
		different = append(different, partyDifferences(p, *wire, private.ContainersOf(p.Key()))...)
	}
	return different
}

func partyDifferences(p Party, wire kuscia.ServingParty, stored []string) (different []difference) {
	note := func(attribute, desired, found string) {
		different = append(different, difference{attribute, &p, desired, found})
	}
	found := refreshParty(p, true, wire, Private{}, nil)
	for _, a := range partyAttributes {
		switch {
		case a.Presence == definition.Computed || a.Name == AttrResources || a.Name == AttrContainerResources || definition.Equal(p.At(a.Name), found.At(a.Name)):
		case a.Name == "app_image":
			note(a.Name, fmt.Sprintf("%q", p.AppImage().ValueString()), fmt.Sprintf("%.200q", httpapi.Text(wire.AppImage)))
		case a.Name == "replicas":
			note(a.Name, strconv.Itoa(int(p.Replicas().ValueInt32())), strconv.Itoa(int(found.Replicas().ValueInt32())))
		default:
			note(a.Name, "", "")
		}
	}
	// The response shows the app image's own values for a container that got
	// none, so only desired values can be compared.
	desired := p.Resources().Spec()
	for _, r := range wire.Resources {
		if len(stored) > 0 && !slices.Contains(stored, r.ContainerName) {
			continue
		}
		if set := desired.ForContainer(r.ContainerName); !set.Empty() && !set.Equal(AmountsOf(r)) {
			note("resources", "", "")
			break
		}
	}
	return different
}

// ChangedSincePlan lists what differs from a plan on the server and would still
// differ after the update.
func ChangedSincePlan(desired Serving, response *kuscia.Serving, request *kuscia.UpdateServingRequest, redeploy bool, private Private) (changed []string) {
	if request == nil {
		request = &kuscia.UpdateServingRequest{}
	}
	for _, d := range compareServing(desired, response, private) {
		if d.attribute == AttrConfig && (redeploy || request.ServingInputConfig != "") || d.party != nil && carries(request, d.party.Key(), d.attribute) {
			continue
		}
		changed = append(changed, d.describe())
	}
	return changed
}

// UnmanagedDifferences lists the parties of an existing serving with resources
// that are neither configured nor those of the app image: another client has
// stored them, and no later plan could detect that.
func UnmanagedDifferences(desired Serving, existing *kuscia.Serving, template TemplateLookup) (different []path.Path) {
	parties := desired.Parties().Items
	for _, p := range parties {
		wire := FindWire(existing.Parties, p.Key())
		if wire == nil {
			continue // already among the differences
		}
		configured := p.Resources().Spec()
		unset := slices.DeleteFunc(slices.Clone(wire.Resources), func(r kuscia.Resource) bool { return !configured.ForContainer(r.ContainerName).Empty() })
		if len(unset) == 0 {
			continue
		}
		var image ResourceSnapshot
		if t := template(*wire); t != nil {
			image = SnapshotOf(TemplateResources(t))
		}
		for name, has := range SnapshotOf(unset) {
			if given, known := image[name]; !known || given != has {
				different = append(different, p.Path().AtName(AttrResources))
				break
			}
		}
	}
	return different
}
