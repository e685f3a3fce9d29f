package serving_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

type attrs = map[string]any

// servingHCL is a resource kuscia_serving as configuration text. Every field
// is an HCL expression; an empty one leaves the attribute out.
type servingHCL struct {
	label, id, count, each      string
	initiator, config, affinity string
	hidden, version             string // the write-only form of config
	partiesExpr                 string // instead of parties
	parties                     []partyHCL
	triggers, wait, timeouts    string
	replace, deadline, follow   string
	lifecycle                   string
}

// partyHCL is one element of parties. Its key is its domain, if no other party has
// that and it is a plain string. resources are the lines of both attributes.
type partyHCL struct {
	key, domain, role, image, replicas, prefix, strategy, resources string
}

// full are resources with all four values for all containers.
const full = `resources = { min_cpu = "0.5", max_cpu = "2", min_memory = "1Gi", max_memory = "2Gi" }`

// quote returns an HCL string of a text without interpolation.
func quote(text string) string { return fmt.Sprintf("%q", text) }

// alone is a serving of alice only, with the required attributes only.
func alone(e *acctest.Env, label, image string) servingHCL {
	return servingHCL{
		label: label, id: quote(e.Name(label)), initiator: `"alice"`,
		parties: []partyHCL{{domain: `"alice"`, image: quote(image)}},
	}
}

// address is the resource's address in the root module.
func (s servingHCL) address() string { return "kuscia_serving." + s.label }

// servingID is the id if it is a plain string.
func (s servingHCL) servingID() string { return strings.Trim(s.id, `"`) }

// with returns a changed copy.
func (s servingHCL) with(change func(*servingHCL)) servingHCL {
	s.parties = append([]partyHCL(nil), s.parties...)
	if change != nil {
		change(&s)
	}
	return s
}

// String is the resource block.
func (s servingHCL) String() string {
	parties := expr(s.partiesExpr)
	if parties == nil {
		byKey := map[string]any{}
		for i, p := range s.parties {
			byKey[s.keyOf(i)] = map[string]any{
				"domain_id": s.domainOf(i), "role": expr(p.role), "app_image": expr(p.image), "replicas": expr(p.replicas),
				"service_name_prefix": expr(p.prefix), "update_strategy": expr(p.strategy), "resources": acctest.Lines(p.resources),
			}
		}
		parties = byKey
	}
	attributes := map[string]any{
		"count": expr(s.count), "for_each": expr(s.each), "serving_id": expr(s.id), "initiator": expr(s.initiator), "parties": parties,
		"serving_input_config": expr(s.config), "serving_input_config_wo": expr(s.hidden), "serving_input_config_wo_version": expr(s.version),
		"affinity_mode": expr(s.affinity), "redeploy_triggers": expr(s.triggers), "replace_triggers": expr(s.replace),
		"follow_app_image": expr(s.follow), "wait_for_rollout": expr(s.wait), "progress_deadline": expr(s.deadline), "timeouts": expr(s.timeouts),
	}
	if s.lifecycle != "" {
		attributes["lifecycle"] = acctest.Nested{"": acctest.Lines(s.lifecycle)}
	}
	return acctest.Block("kuscia_serving", s.label, attributes)
}

// keyOf is the key of a party.
func (s servingHCL) keyOf(i int) string {
	domain, literal := strings.CutPrefix(s.parties[i].domain, `"`)
	domain = strings.TrimSuffix(domain, `"`)
	twice := slices.ContainsFunc(s.parties[:i], func(p partyHCL) bool { return p.domain == s.parties[i].domain })
	switch {
	case s.parties[i].key != "":
		return s.parties[i].key
	case !literal || twice:
		return fmt.Sprintf("party %d", i)
	}
	return domain
}

// domainOf is the domain of a party, nil if it is the key.
func (s servingHCL) domainOf(i int) any {
	if s.parties[i].domain == quote(s.keyOf(i)) {
		return nil
	}
	return expr(s.parties[i].domain)
}

// expr is an HCL expression, nil if it is empty.
func expr(expression string) any {
	if expression == "" {
		return nil
	}
	return acctest.Reference(expression)
}
