package review

import (
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
)

// drift reports what others have changed. It has the categories that a plan of it would have.
func (b *builder) drift(from *plan.Plan) {
	d := newBuilder(b.blocks, b.provider)
	d.isDrift = true
	for _, change := range from.ResourceDrift {
		d.add(change)
	}
	d.analyse()
	for _, o := range d.objects {
		other := newOther(o)
		b.report.Drift = append(b.report.Drift, other)
		byOthers := func(f Finding) bool { return f.Address == o.Address }
		if !slices.ContainsFunc(d.report.Findings, byOthers) {
			d.find(Finding{Address: o.Address, Effect: other.phrase()})
		}
	}
	b.report.DriftAccess, b.report.DriftValues = d.report.Access, d.report.Values
	for _, f := range d.report.Findings {
		f.Categories = category.Add([]category.Category{category.Drifted}, f.Categories...)
		f.kind, f.Effect = objectDrifted, phrase.Say("without Terraform: {}", f.Effect)
		b.find(f)
	}
}
