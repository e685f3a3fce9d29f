package serving_test

import (
	"fmt"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// servingHCL is a resource kuscia_serving as configuration text. Every field
// is an HCL expression; an empty one leaves the attribute out.
type servingHCL struct {
	label, id                   string
	initiator, config, affinity string
	hidden, version             string // the write-only form of config
	partiesExpr                 string // in place of parties
	parties                     []partyHCL
	triggers, wait, timeouts    string
	replace, deadline           string
	lifecycle                   string
}

// partyHCL is one element of parties.
type partyHCL struct {
	domain, role, image, replicas, prefix, strategy, resources string
}

// full are resources with all four values for all containers.
const full = `[{ min_cpu = "0.5", max_cpu = "2", min_memory = "1Gi", max_memory = "2Gi" }]`

// quote makes an HCL string of a text without interpolation.
func quote(text string) string { return fmt.Sprintf("%q", text) }

// alone is a serving of alice alone with nothing but what is required.
func alone(e *acctest.Env, label, image string) servingHCL {
	return servingHCL{
		label: label, id: quote(e.Name(label)), initiator: `"alice"`,
		parties: []partyHCL{{domain: `"alice"`, image: quote(image)}},
	}
}

// address is the resource's address in the root module.
func (s servingHCL) address() string { return "kuscia_serving." + s.label }

// servingID is the id where it is written as a plain text.
func (s servingHCL) servingID() string { return strings.Trim(s.id, `"`) }

// with is a changed copy.
func (s servingHCL) with(change func(*servingHCL)) servingHCL {
	s.parties = append([]partyHCL(nil), s.parties...)
	if change != nil {
		change(&s)
	}
	return s
}

// String is the resource block.
func (s servingHCL) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "resource \"kuscia_serving\" %q {\n", s.label)
	attribute(&b, "  ", "serving_id", s.id)
	attribute(&b, "  ", "initiator", s.initiator)
	attribute(&b, "  ", "serving_input_config", s.config)
	attribute(&b, "  ", "serving_input_config_wo", s.hidden)
	attribute(&b, "  ", "serving_input_config_wo_version", s.version)
	attribute(&b, "  ", "affinity_mode", s.affinity)
	attribute(&b, "  ", "parties", s.partiesExpr)
	if s.partiesExpr == "" {
		b.WriteString("  parties = [\n")
		for _, p := range s.parties {
			b.WriteString(p.String())
		}
		b.WriteString("  ]\n")
	}
	attribute(&b, "  ", "redeploy_triggers", s.triggers)
	attribute(&b, "  ", "replace_triggers", s.replace)
	attribute(&b, "  ", "wait_for_rollout", s.wait)
	attribute(&b, "  ", "progress_deadline", s.deadline)
	attribute(&b, "  ", "timeouts", s.timeouts)
	if s.lifecycle != "" {
		fmt.Fprintf(&b, "  lifecycle {\n    %s\n  }\n", s.lifecycle)
	}
	b.WriteString("}\n")
	return b.String()
}

// String is the party as an element of a list.
func (p partyHCL) String() string {
	var b strings.Builder
	b.WriteString("    {\n")
	attribute(&b, "      ", "domain_id", p.domain)
	attribute(&b, "      ", "role", p.role)
	attribute(&b, "      ", "app_image", p.image)
	attribute(&b, "      ", "replicas", p.replicas)
	attribute(&b, "      ", "service_name_prefix", p.prefix)
	attribute(&b, "      ", "update_strategy", p.strategy)
	attribute(&b, "      ", "resources", p.resources)
	b.WriteString("    },\n")
	return b.String()
}

func attribute(b *strings.Builder, indent, name, expression string) {
	if expression != "" {
		fmt.Fprintf(b, "%s%s = %s\n", indent, name, expression)
	}
}

// join is a configuration of several blocks.
func join[T fmt.Stringer](blocks []T) string {
	var b strings.Builder
	for _, block := range blocks {
		b.WriteString(block.String())
	}
	return b.String()
}
