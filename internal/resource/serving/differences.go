package serving

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// differences lists the attributes in which a serving on the server is not
// what is wanted. What the API does not return cannot differ, and neither do
// containers that Kuscia stores no resources for, nor resources that were read
// rather than asked for, nor a text that is nowhere but on the server.
func differences(wanted model, answer *kuscia.Serving, private privateData) (different []string) {
	if wanted.Initiator.ValueString() != answer.Initiator {
		different = append(different, "initiator")
	}
	if !wanted.configTextUnread() && !tfvalue.ConfigTextEqual(wanted.ServingInputConfig.ValueString(), answer.ServingInputConfig) {
		different = append(different, attrConfig)
	}
	parties, _ := decodeParties(wanted.Parties)
	if len(parties) != len(answer.Parties) {
		return append(different, "parties")
	}
	for _, p := range parties {
		wire := findWire(answer.Parties, p.key())
		if wire == nil {
			different = append(different, "parties")
			continue
		}
		if private.observed(p.key()) {
			p.resources = resourceList{}
		}
		for _, attribute := range partyDifferences(p, *wire, private.containers(p.key())) {
			different = append(different, fmt.Sprintf("%s of party %s", attribute, p.key()))
		}
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

func partyDifferences(p party, wire kuscia.ServingParty, stored []string) (different []string) {
	if p.appImage.ValueString() != wire.AppImage {
		different = append(different, "app_image")
	}
	if wire.Replicas != nil && p.replicas.ValueInt32() != *wire.Replicas {
		different = append(different, "replicas")
	}
	if p.serviceNamePrefix.ValueString() != wire.ServiceNamePrefix {
		different = append(different, "service_name_prefix")
	}
	if !sameStrategy(p.strategy, readStrategy(wire.UpdateStrategy)) {
		different = append(different, "update_strategy")
	}
	// The answer shows the app image's own values for a container that got
	// none, so only what is wanted can be compared.
	wanted := p.resources.form()
	for _, r := range wire.Resources {
		if len(stored) > 0 && !slices.Contains(stored, r.ContainerName) {
			continue
		}
		if asked := wanted.of(r.ContainerName); !asked.empty() && !asked.equal(wireAmounts(r)) {
			different = append(different, "resources")
			break
		}
	}
	return different
}

func joined(texts []string) string { return strings.Join(texts, ", ") }
