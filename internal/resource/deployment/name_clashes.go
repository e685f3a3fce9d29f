package deployment

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// checkNames records the parties of a planned deployment, and reports two of them whose Services
// would have the same names: Kuscia fails to create the second one. images returns app images as
// planned, nil if they are not known.
func checkNames(c *run.Run, planned definition.Value, images party.ImageLookup, diags *diag.Diagnostics) {
	root, _ := definition.Read(planned, definition.Value{})
	name := root.String(attrName)
	earlier := map[string][]definition.Reader{}
	for key, p := range root.ObjectMap(attrParties) {
		deployment, prefix := "", p.String(attrPrefix)
		if name != "" && p.Known(attrRole) {
			deployment = party.DeploymentName(name, p.String(attrRole))
		}
		if prefix == "" && p.Known(attrPrefix) {
			prefix = deployment
		}
		domain := p.String(attrDomainID)
		if domain == "" {
			continue
		}
		c.PlannedParties.Record(domain, deployment, prefix)
		same := domain + "/" + prefix
		for _, other := range earlier[same] {
			if prefix == "" || other.String(attrRole) == p.String(attrRole) {
				continue
			}
			summary, detail, certain := (party.ServiceClash{
				DomainID: domain, Prefix: prefix, Owner: fmt.Sprintf("KusciaDeployment %q", name),
				Template: images.Template(p.String(attrAppImage), p.String(attrRole)), OtherTemplate: images.Template(other.String(attrAppImage), other.String(attrRole)),
			}).Describe()
			check.AddClash(diags, partiesPath.AtMapKey(key).AtName(attrPrefix), summary, detail, certain)
		}
		earlier[same] = append(earlier[same], p)
	}
}

// checkServiceNames rejects names of Services that are too long.
func checkServiceNames(image *kuscia.AppImage, p definition.Reader, at path.Path, diags *diag.Diagnostics) {
	template := templateOf(image, p)
	if template == nil {
		return
	}
	at = at.AtName(attrPrefix)
	for _, detail := range party.LongServiceNames(template, p.String(attrPrefix)) {
		diags.AddAttributeError(at, "Service name too long", check.WithPath(at, detail+" Kuscia would fail to create it (CreateServiceFailed)."))
	}
}

// warnOfConfig warns of what is doubtful in an input_config.
func warnOfConfig(config definition.Value, diags *diag.Diagnostics) {
	for _, attribute := range []string{attrInputConfig, attrInputConfig + "_wo"} {
		issues := party.CheckConfigText(attribute, definition.StringAt(config, attribute), attribute == attrInputConfig)
		diags.Append(check.Plan(issues, nil)...)
	}
}
