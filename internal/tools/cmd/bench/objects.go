//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// objectFamily is a kind of object without a rollout, many of which are planned
// without changes.
type objectFamily struct {
	// name is the name of the rows.
	name string
	// typeName is the resource type, body contains the values that a resource
	// and a terraform_data have in common, and before contains the
	// prerequisites.
	typeName, body, before string
	// requests is the maximum number of requests of a plan; 0 for no goal.
	requests int
}

// The families. The data are in ten domains, all grants are of one domain, and
// the routes are between 40 domains and 40 others.
var objectFamilies = []objectFamily{
	{
		name: "app images", typeName: "kuscia_app_image",
		body: `
    name             = "image-${count.index}"
    image            = { name = "registry.example/serving", tag = "1.0" }
    config_templates = { "serving.conf" = jsonencode({ serving_id = "{{.SERVING_ID}}", input = "{{.INPUT_CONFIG}}" }) }
    deploy_templates = [{
      name       = "serving"
      replicas   = 1
      containers = [{
        name            = "serving"
        command         = ["sh", "-c"]
        args            = ["./serving --config=/etc/serving.conf"]
        ports           = [{ name = "service", protocol = "HTTP", scope = "Cluster" }, { name = "health", protocol = "HTTP", scope = "Domain" }]
        env             = [{ name = "LOG_LEVEL", value = "info" }]
        resources       = { requests = { cpu = "500m", memory = "1Gi" }, limits = { cpu = "2", memory = "2Gi" } }
        readiness_probe = { http_get = { path = "/health", port = "health" } }
      }]
    }]
`,
	},
	{
		name: "domain data", typeName: "kuscia_domain_data", requests: 50,
		body: `
    domain_id     = "d${count.index % 10}"
    domaindata_id = "table-${count.index}"
    type          = "table"
    relative_uri  = "dir/table-${count.index}.csv"
    attributes    = { source = "bench" }
    columns       = [{ name = "id", type = "str" }, { name = "x", type = "float", comment = "a number" }]
`,
	},
	{
		name: "grants", typeName: "kuscia_domain_data_grant", requests: 50,
		before: "resource \"kuscia_domain_data\" \"one\" {\n  domain_id     = \"alice\"\n  domaindata_id = \"table\"\n  type          = \"table\"\n  relative_uri  = \"table.csv\"\n}\n",
		body: `
    domain_id          = "alice"
    domaindatagrant_id = "grant-${count.index}"
    domaindata_id      = "table"
    grant_domain       = "bob"
    limit              = { expiration_time = "2100-01-31T00:00:00Z", use_count = 3, components = ["psi"] }
    description        = { why = "bench" }
`,
	},
	{
		// No API returns many domains with all of their fields.
		name: "domains", typeName: "kuscia_domain",
		body: `
    domain_id   = "many-${count.index}"
    auth_center = { authentication_type = "Token", token_gen_method = "RSA-GEN" }
`,
	},
	{
		// No API returns many routes with all of their fields.
		name: "routes", typeName: "kuscia_domain_route",
		body: `
    source              = "from-${floor(count.index / 40) % 40}"
    destination         = "to-${count.index % 40}"
    authentication_type = "Token"
    endpoint            = { host = "gateway.example", ports = [{ name = "http", port = 1080, protocol = "HTTP", is_tls = true }] }
`,
	},
	{
		name: "configuration", typeName: "kuscia_config",
		body: `
    key   = "bench-${count.index}"
    value = jsonencode({ endpoint = "https://oss.example", bucket = "models" })
`,
	},
}

// domains are the domains that exist from the start.
func domains() string {
	names := []string{"alice", "bob"}
	for i := range 40 {
		names = append(names, fmt.Sprint("d", i), fmt.Sprint("from-", i), fmt.Sprint("to-", i))
	}
	return strings.Join(names, ",")
}

// objects measures plans without changes of each family, alternating with the
// same number of terraform_data.
func (b *bench) objects(ctx context.Context) error {
	for _, family := range objectFamilies {
		if err := b.family(ctx, family); err != nil {
			return fmt.Errorf("%s: %w", family.name, err)
		}
	}
	return nil
}

func (b *bench) family(ctx context.Context, family objectFamily) (err error) {
	n := b.servings
	box, err := startSandbox(ctx, b.path("kuscia-sandbox"), b.path(family.name+" certs"), podStart, "--domains", domains())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, box.Close()) }()
	b.ws.Setenv("KUSCIA_ENDPOINT", box.Endpoint)
	b.ws.Setenv("KUSCIA_CERTS_DIR", box.CertsDir)
	return b.compare(ctx, n,
		subject{name: family.row(), requests: box, text: family.configuration(n)},
		subject{name: family.row() + ", terraform_data", text: family.idle(n)})
}

func (f objectFamily) row() string { return "plan, " + f.name }

func (f objectFamily) configuration(n int) string {
	after := ""
	if f.before != "" {
		after = "  depends_on = [" + resourceAddress(f.before) + "]\n"
	}
	return fmt.Sprintf(requiredProvider, "kuscia") + f.before + fmt.Sprintf("\nresource %q \"all\" {\n  count = %d\n%s%s}\n", f.typeName, n, f.body, after)
}

// resourceAddress returns the address of the first resource in a text.
func resourceAddress(text string) string {
	var typeName, name string
	_, _ = fmt.Sscanf(text, "resource %q %q", &typeName, &name)
	return typeName + "." + name
}

func (f objectFamily) idle(n int) string {
	return fmt.Sprintf("resource \"terraform_data\" \"all\" {\n  count = %d\n  input = {\n%s  }\n}\n", n, f.body)
}

// checkObjectGoals compares the families with their goals.
func (b *bench) checkObjectGoals() {
	r := &b.report
	for _, family := range objectFamilies {
		plan, measured := r.row(family.row())
		if !measured {
			continue
		}
		r.atMost("provider CPU, "+family.name, plan.PerItem.Seconds()*1000, objectCPULimit.Seconds()*1000, "ms")
		if family.requests > 0 {
			r.atMost("requests of a plan, "+family.name, float64(plan.Requests.total()), float64(family.requests), "calls")
		}
	}
}
