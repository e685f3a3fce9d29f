package review

import (
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
)

// Gate refuses plans.
type Gate struct {
	// FailOn are the categories that it refuses.
	FailOn []category.Category
	// Allow are addresses of objects to which anything may happen.
	Allow []string
}

// Refusals are the findings that a gate refuses.
func (g Gate) Refusals(r *Report) []Finding {
	var refused []Finding
	for _, f := range r.Findings {
		if slices.ContainsFunc(f.Categories, func(c category.Category) bool { return slices.Contains(g.FailOn, c) }) && !slices.Contains(g.Allow, f.Address) {
			refused = append(refused, f)
		}
	}
	if slices.Contains(g.FailOn, category.Changed) && len(refused) == 0 && r.changesBeside(g.Allow) {
		refused = append(refused, Finding{Categories: []category.Category{category.Changed}, Effect: r.Headline})
	}
	return refused
}

// text is the finding in one line.
func (f Finding) text(language *phrase.Language) string {
	line := category.Join(f.Categories) + ": "
	if f.Address != "" {
		line += phrase.Show(f.Address).Write(language, phrase.Text) + ": "
	}
	return line + f.Effect.Plain(language)
}
