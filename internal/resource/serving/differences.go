package serving

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// difference is an attribute in which a serving on the server is not what is
// wanted.
type difference struct {
	attribute string
	// party is the party that has the attribute; nil for the serving itself.
	party *partyKey
	// wanted and found are shown beside the name; "" for what may be secret or
	// is long.
	wanted, found string
}

// String names the attribute.
func (d difference) String() string {
	if d.party == nil {
		return d.attribute
	}
	return fmt.Sprintf("%s of party %s", d.attribute, d.party)
}

// describe names the attribute with its values.
func (d difference) describe() string {
	if d.found == "" {
		return d.String()
	}
	return fmt.Sprintf("%s (%s, and the plan has %s)", d, d.found, d.wanted)
}

// carriedBy reports whether an update sets the attribute.
func (d difference) carriedBy(request *kuscia.UpdateServingRequest) bool {
	if d.party == nil {
		return false
	}
	wire := findWire(request.Parties, *d.party)
	if wire == nil {
		return false
	}
	switch d.attribute {
	case "app_image":
		return wire.AppImage != ""
	case "replicas":
		return wire.Replicas != nil
	case "update_strategy":
		return wire.UpdateStrategy != nil
	case "resources":
		return len(wire.Resources) > 0
	}
	return false
}

// differences lists the attributes in which a serving on the server is not
// what is wanted. What the API does not return cannot differ, and neither do
// containers that Kuscia stores no resources for, nor resources that were read
// rather than asked for, nor a text that is nowhere but on the server.
func differences(wanted model, answer *kuscia.Serving, private privateData) (different []string) {
	for _, d := range compareServing(wanted, answer, private) {
		different = append(different, d.String())
	}
	return different
}

func compareServing(wanted model, answer *kuscia.Serving, private privateData) (different []difference) {
	if wanted.Initiator.ValueString() != answer.Initiator {
		different = append(different, difference{attribute: "initiator"})
	}
	if !wanted.configTextUnread() && !tfvalue.ConfigTextEqual(wanted.ServingInputConfig.ValueString(), answer.ServingInputConfig) {
		different = append(different, difference{attribute: attrConfig})
	}
	parties := wanted.Parties.items
	if len(parties) != len(answer.Parties) {
		return append(different, difference{attribute: "parties"})
	}
	for _, p := range parties {
		wire := findWire(answer.Parties, p.key())
		if wire == nil {
			different = append(different, difference{attribute: "parties"})
			continue
		}
		if private.observed(p.key()) {
			p.resources = resourceList{}
		}
		different = append(different, partyDifferences(p, *wire, private.containers(p.key()))...)
	}
	return different
}

func findWire(parties []kuscia.ServingParty, key partyKey) *kuscia.ServingParty {
	for i := range parties {
		if (partyKey{parties[i].DomainID, parties[i].Role}) == key {
			return &parties[i]
		}
	}
	return nil
}

func partyDifferences(p party, wire kuscia.ServingParty, stored []string) (different []difference) {
	key := p.key()
	note := func(attribute, wanted, found string) {
		different = append(different, difference{attribute, &key, wanted, found})
	}
	if p.appImage.ValueString() != wire.AppImage {
		note("app_image", fmt.Sprintf("%q", p.appImage.ValueString()), fmt.Sprintf("%.200q", httpapi.Text(wire.AppImage)))
	}
	if wire.Replicas != nil && p.replicas.ValueInt32() != *wire.Replicas {
		note("replicas", strconv.Itoa(int(p.replicas.ValueInt32())), strconv.Itoa(int(*wire.Replicas)))
	}
	if p.serviceNamePrefix.ValueString() != wire.ServiceNamePrefix {
		note("service_name_prefix", "", "")
	}
	if !sameStrategy(p.strategy, readStrategy(wire.UpdateStrategy)) {
		note("update_strategy", "", "")
	}
	// The answer shows the app image's own values for a container that got
	// none, so only what is wanted can be compared.
	wanted := p.resources.form()
	for _, r := range wire.Resources {
		if len(stored) > 0 && !slices.Contains(stored, r.ContainerName) {
			continue
		}
		if asked := wanted.of(r.ContainerName); !asked.empty() && !asked.equal(wireAmounts(r)) {
			note("resources", "", "")
			break
		}
	}
	return different
}

func joined(texts []string) string { return strings.Join(texts, ", ") }
