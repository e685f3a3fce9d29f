package party

import (
	"fmt"
	"slices"
	"strings"

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

// ApplicationText is the configuration text in a configuration.
type ApplicationText struct {
	// At is its attribute.
	At path.Path
	// Secret is set for a text of which nothing is shown.
	Secret bool
	// AppImage returns the attribute with the app image of a domain.
	AppImage func(domain string) path.Path
}

// The titles of what CheckApplication reports.
const (
	wouldNotStart = "SecretFlow-Serving would not start"
	mayNotStart   = "SecretFlow-Serving may not start"
)

// maxAnswer bounds what is shown of the application's own message, in characters.
const maxAnswer = 300

// CheckApplication returns why SecretFlow-Serving would not start in the parties of a serving. What
// no version starts with is an error for an object that is new or changes (isChanged), everything
// else a warning.
func CheckApplication(s secretflow.Serving, text ApplicationText, isChanged bool) []check.Issue {
	var issues []check.Issue
	for _, p := range secretflow.Check(s) {
		issue := check.Issue{At: text.at(p), Summary: mayNotStart, Severity: check.Doubtful, Detail: text.describe(p, s)}
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

// at is the attribute that a problem is reported on.
func (t ApplicationText) at(p secretflow.Problem) path.Path {
	if p.Place == secretflow.InText {
		return t.At
	}
	return t.AppImage(p.Parties[0])
}

// describe says where a problem is, what is wrong and allowed, whom it stops, and what the
// application says.
func (t ApplicationText) describe(p secretflow.Problem, s secretflow.Serving) string {
	at := t.pathOf(p, s)
	what := p.What
	if p.Quote != "" && !t.Secret {
		what = strings.TrimSuffix(what, ".") + " (" + tfvalue.Quote(cut(p.Quote)) + ")."
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
	if !p.Versions().IsAll() {
		stops += " with SecretFlow-Serving " + p.Versions().String()
	}
	sentences := []string{at + what, stops + "."}
	if p.Allowed != "" {
		sentences = append(sentences, p.Allowed)
	}
	out := strings.Join(sentences, " ")
	if says := p.Answers[0].Text; says != "" && !t.Secret {
		out += "\n\nThe application would say: " + httpapi.Text(cut(says))
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
func (t ApplicationText) pathOf(p secretflow.Problem, s secretflow.Serving) string {
	switch p.Place {
	case secretflow.InText:
		inside := p.Path
		if t.Secret {
			inside = namedPath(p, s)
		}
		if inside == "" {
			return ""
		}
		return t.At.String() + "." + httpapi.Text(cut(inside)) + ": "
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
func namedPath(p secretflow.Problem, s secretflow.Serving) string {
	if slices.ContainsFunc(s.Parties, func(known secretflow.Party) bool { return known.Domain == p.Part }) {
		return strings.Replace(p.Named, "*", p.Part, 1)
	}
	return p.Named
}
