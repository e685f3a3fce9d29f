package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
)

// Gate refuses plans.
type Gate struct {
	// FailOn are the categories that it refuses.
	FailOn []Category
	// Allow are addresses of objects to which anything may happen.
	Allow []string
}

// ParseCategories reads lists with commas.
func ParseCategories(lists ...string) ([]Category, error) {
	var all []Category
	for _, name := range strings.Split(strings.Join(lists, ","), ",") {
		category := Category(strings.TrimSpace(name))
		if category == "" {
			continue
		}
		if !slices.Contains(Categories(), category) {
			return nil, fmt.Errorf("-fail-on has no %q; it has %s", phrase.Text(name), joinCategories(Categories()))
		}
		all = append(all, category)
	}
	return all, nil
}

func joinCategories(categories []Category) string {
	var names []string
	for _, c := range categories {
		names = append(names, string(c))
	}
	return strings.Join(names, ", ")
}

// Refusals are the findings that a gate refuses.
func (g Gate) Refusals(r *Report) []Finding {
	var refused []Finding
	for _, f := range r.Findings {
		if slices.ContainsFunc(f.Categories, func(c Category) bool { return slices.Contains(g.FailOn, c) }) && !slices.Contains(g.Allow, f.Address) {
			refused = append(refused, f)
		}
	}
	if slices.Contains(g.FailOn, Changed) && len(refused) == 0 && r.changesBeside(g.Allow) {
		refused = append(refused, Finding{Categories: []Category{Changed}, Effect: r.Headline})
	}
	return refused
}

// String is the finding in one line.
func (f Finding) String() string {
	line := joinCategories(f.Categories) + ": "
	if f.Address != "" {
		line += phrase.Text(f.Address) + ": "
	}
	return line + f.Effect.Plain()
}
