package party

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secretflow"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// AttrCheckApplication turns the check of the application off.
const AttrCheckApplication = "check_application"

// CheckApplicationAttribute is that of servings and KusciaDeployments.
var CheckApplicationAttribute = definition.Attribute{
	Name: AttrCheckApplication, Type: definition.Bool, Presence: definition.Optional, Default: true, Local: true,
	Description: "Whether plans check what SecretFlow-Serving needs to start, if a party's app image starts it: its command, ports, mounts and config templates, and the configuration text. " +
		"What no version starts with is an error for a new or changed object, else a warning. Default `true`. `false` is for a fork of the application that starts with more.",
}

// Application is what is known of a serving or a KusciaDeployment whose parties may run
// SecretFlow-Serving.
type Application struct {
	ID string
	// Text is the configuration text, nil if it is not known, and At is its attribute.
	Text *string
	At   path.Path
	// Secret is set for a text of which nothing is shown.
	Secret bool
	// Parties are those that are known; Incomplete is set if there may be others.
	Parties    []ApplicationParty
	Incomplete bool
	Images     ImageLookup
	// RunsHere reports whether this control plane runs the pods of a domain, as far as that is
	// certain: an app image here is another one than that of the same name of a partner.
	RunsHere func(domain string) bool
}

// ApplicationParty is a party with an app image, "" if it is not known, and its attribute.
type ApplicationParty struct {
	Domain, Role, AppImage string
	At                     path.Path
}

// The titles of what is reported.
const (
	wouldNotStart = "SecretFlow-Serving would not start"
	mayNotStart   = "SecretFlow-Serving may not start"
)

// maxAnswer bounds what is shown of the application's own message, in characters.
const maxAnswer = 300

// CheckPlan reports why SecretFlow-Serving would not start in the parties of a plan. What no version
// starts with is an error for an object that is new, or of which what is checked changes
// (isChanged), everything else a warning: what runs can be scaled.
func (a Application) CheckPlan(isChanged bool) diag.Diagnostics {
	return check.Plan(a.issues(isChanged), nil)
}

// CheckApply is CheckPlan right before a request, with what the plan did not know. The plan has
// warned of all but a secret text.
func (a Application) CheckApply(isChanged bool) diag.Diagnostics {
	found := a.CheckPlan(isChanged)
	if a.Secret {
		return found
	}
	return found.Errors()
}

func (a Application) issues(isChanged bool) []check.Issue {
	known := secretflow.Serving{ID: a.ID, Text: a.Text, Incomplete: a.Incomplete}
	for _, p := range a.Parties {
		known.Parties = append(known.Parties, secretflow.Party{Domain: p.Domain, Role: p.Role, Image: a.imageOf(p)})
	}
	var issues []check.Issue
	for _, p := range secretflow.Check(known) {
		issue := check.Issue{At: a.at(p), Summary: mayNotStart, Severity: check.Doubtful, Detail: a.describe(p, tagsOf(p, known.Parties))}
		if p.Versions().IsAll() {
			issue.Summary = wouldNotStart
			if isChanged {
				issue.Severity = check.Unusable
			}
		}
		issues = append(issues, issue)
	}
	return issues
}

// imageOf is the app image of a party, nil if it is not known.
func (a Application) imageOf(p ApplicationParty) *secretflow.Image {
	if p.AppImage == "" {
		return nil
	}
	image := ApplicationImage(a.Images(p.AppImage), p.Role)
	if image != nil && secretflow.IsServing(image) && !a.RunsHere(p.Domain) {
		return nil
	}
	return image
}

// at is the attribute that a problem is reported on.
func (a Application) at(p secretflow.Problem) path.Path {
	i := slices.IndexFunc(a.Parties, func(known ApplicationParty) bool { return known.Domain == p.Parties[0] })
	if p.Place == secretflow.InText || i < 0 {
		return a.At
	}
	return a.Parties[i].At
}

// tagsOf are the tags that name the versions of the parties with a problem.
func tagsOf(p secretflow.Problem, parties []secretflow.Party) (tags []string) {
	for _, known := range parties {
		if slices.Contains(p.Parties, known.Domain) && known.Image != nil && known.Image.NamesVersion() && !slices.Contains(tags, known.Image.Tag) {
			tags = append(tags, known.Image.Tag)
		}
	}
	return tags
}

// describe says where a problem is, what is wrong and allowed, whom it stops, with which tags if
// that depends on the version, and what the application says.
func (a Application) describe(p secretflow.Problem, tags []string) string {
	at := a.pathOf(p)
	what := p.What
	if p.Quote != "" && !a.Secret {
		what = strings.TrimSuffix(what, ".") + " (" + httpapi.Text(p.Quote) + ")."
	}
	stops := "Party " + tfvalue.Quote(p.Parties[0]) + " would not start"
	if n := len(p.Parties); n > 1 {
		quoted := make([]string, min(n, maxParties))
		for i := range quoted {
			quoted[i] = tfvalue.Quote(p.Parties[i])
		}
		stops = "Parties " + strings.Join(quoted, ", ")
		if n > maxParties {
			stops += fmt.Sprintf(" and %d more", n-maxParties)
		}
		stops += " would not start"
	}
	switch versions := "SecretFlow-Serving " + p.Versions().String(); {
	case p.Versions().IsAll():
	case len(tags) == 0:
		stops += " with " + versions
	case len(tags) == 1:
		stops += " with the tag " + httpapi.Text(cut(tags[0])) + " (" + versions + ")"
	default:
		stops += " with the tags " + httpapi.Text(cut(strings.Join(tags, ", "))) + " (" + versions + ")"
	}
	sentences := []string{at + what, stops + "."}
	if p.Allowed != "" {
		sentences = append(sentences, p.Allowed)
	}
	out := strings.Join(sentences, " ")
	if says := cmp.Or(p.Answers[0].Shown, p.Answers[0].Text); says != "" && !a.Secret {
		out += "\n\nThe application would say: " + httpapi.Text(cut(strings.TrimSuffix(says, ". ")))
	}
	return out + "\n\nFor a fork that starts so, set check_application = false."
}

// maxParties bounds the parties in a message.
const maxParties = 5

// cut bounds a text that is shown.
func cut(text string) string {
	runes := []rune(text)
	if len(runes) <= maxAnswer {
		return text
	}
	return string(runes[:maxAnswer]) + "..."
}

// pathOf is the path to a problem inside of its place.
func (a Application) pathOf(p secretflow.Problem) string {
	switch p.Place {
	case secretflow.InText:
		inside := p.Path
		if a.Secret {
			inside = a.namedPath(p)
		}
		if inside == "" {
			return ""
		}
		return a.At.String() + "." + httpapi.Text(cut(inside)) + ": "
	case secretflow.InImage:
		return fmt.Sprintf("app image %s, %s: ", tfvalue.Quote(p.AppImage), httpapi.Text(cut(p.Path)))
	case secretflow.InStore:
		return fmt.Sprintf("entry %s of the configuration of domain %s: ", tfvalue.Quote(cut(p.Path)), tfvalue.Quote(p.Parties[0]))
	case secretflow.InParties:
	}
	return ""
}

// namedPath is the path in a text of which nothing may be shown: with the names of fields, and
// with those of parties.
func (a Application) namedPath(p secretflow.Problem) string {
	if slices.ContainsFunc(a.Parties, func(known ApplicationParty) bool { return known.Domain == p.Part }) {
		return strings.Replace(p.Named, "*", p.Part, 1)
	}
	return p.Named
}
