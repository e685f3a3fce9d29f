// Package category says what a gate may refuse: the categories of a change, and those of each
// attribute of each resource.
package category

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
)

// Category is what a gate refuses with -fail-on.
type Category string

// The categories.
const (
	Interrupted Category = "interrupted" // a running serving or deployment stops
	Destroy     Category = "destroy"     // an object ceases to exist
	Replaced    Category = "replace"     // an object is destroyed and created again
	Forgotten   Category = "forget"      // an object stays and is no longer managed
	Granted     Category = "grant"       // a domain may see data, other data, or in another way
	Revoked     Category = "revoke"      // a domain may no longer see data
	Code        Category = "code"        // another program runs, or in another way
	Routed      Category = "route"       // a route opens, closes or changes
	Secret      Category = "credentials" // a token, certificate or secret changes
	Restarted   Category = "restart"     // a serving restarts in place
	Released    Category = "release"     // a release goes on, stops or takes another way
	Provisioned Category = "provisioner" // a program beside the resources runs
	Unknown     Category = "unknown"     // a value is known after apply, or this program does not know what changes
	Reference   Category = "reference"   // an object that is referred to does not exist
	Warned      Category = "warning"     // the provider warns
	Drifted     Category = "drift"       // an object was changed without Terraform
	Checked     Category = "check"       // a check fails
	Incomplete  Category = "incomplete"  // changes are left for another plan
	Changed     Category = "change"      // anything changes
)

// All are all categories.
func All() []Category {
	return []Category{
		Interrupted, Destroy, Replaced, Forgotten, Granted, Revoked, Code, Routed, Secret, Restarted, Released, Provisioned,
		Unknown, Reference, Warned, Drifted, Checked, Incomplete, Changed,
	}
}

// Parse reads lists with commas.
func Parse(lists ...string) ([]Category, error) {
	var all []Category
	for name := range strings.SplitSeq(strings.Join(lists, ","), ",") {
		c := Category(strings.TrimSpace(name))
		if c == "" {
			continue
		}
		if !slices.Contains(All(), c) {
			return nil, fmt.Errorf("-fail-on has no %q; it has %s", phrase.Text(string(c)), Join(All()))
		}
		all = append(all, c)
	}
	return all, nil
}

// Join lists categories with commas.
func Join(categories []Category) string {
	var names []string
	for _, c := range categories {
		names = append(names, string(c))
	}
	return strings.Join(names, ", ")
}

// Sort puts categories in the order of All.
func Sort(list []Category) {
	slices.SortFunc(list, func(x, y Category) int { return slices.Index(All(), x) - slices.Index(All(), y) })
}

// Add adds categories to a list that does not have them.
func Add(list []Category, more ...Category) []Category {
	for _, c := range more {
		if !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}
