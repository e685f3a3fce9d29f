package review

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/warnings"
)

// AddLog adds what the log of a plan says. That of another plan, or a part of one, is an error: it would
// not have the warnings.
func (r *Report) AddLog(log warnings.Log, of *plan.Plan) error {
	var planned []warnings.Change
	for _, change := range of.ResourceChanges {
		if change == nil || change.Change == nil {
			continue
		}
		c := change.Change
		action := warnings.Other
		switch {
		case c.Actions.Read():
			action = "read"
		case c.Actions.NoOp():
			isMoved := change.PreviousAddress != "" && change.PreviousAddress != change.Address
			if c.Importing == nil && !isMoved {
				continue
			}
		default:
			kind := plan.ActionOf(c.Actions)
			if slices.Contains([]plan.Action{plan.Create, plan.Update, plan.Replace, plan.Delete}, kind) {
				action = string(kind)
			}
		}
		planned = append(planned, warnings.Change{Address: change.Address, Action: action})
	}
	if err := log.Check(planned, of.Errored); err != nil {
		return err
	}
	r.AddDiagnostics(log.Diagnostics)
	return nil
}

// AddDiagnostics adds what the log of plan -json says. Without it a review has no warnings.
func (r *Report) AddDiagnostics(all []warnings.Diagnostic) {
	r.hasLog = true
	// The log has them as they come from objects that are planned at the same time.
	all = slices.SortedStableFunc(slices.Values(all), func(x, y warnings.Diagnostic) int {
		return cmp.Or(cmp.Compare(x.Address, y.Address), cmp.Compare(x.Summary, y.Summary), cmp.Compare(x.Detail, y.Detail))
	})
	for _, d := range all {
		if d.IsError {
			r.Errors = append(r.Errors, d)
			continue
		}
		r.Warnings = append(r.Warnings, d)
		if d.LimitsPlan() && !r.isPart {
			r.isPart = true
			r.Findings = append(r.Findings, partial())
		}
		f := Finding{Address: d.Address, Categories: []category.Category{category.Warned}, Effect: phrase.Say("a warning: {}", phrase.Show(d.Summary)), kind: providerWarns}
		if d.MissesReference() {
			r.Verdict.MissingReferences++
			if strings.Contains(d.Detail, refusal) {
				r.refusedUnless++
			}
			f.Categories = category.Add(f.Categories, category.Reference)
			category.Sort(f.Categories)
		}
		r.Findings = append(r.Findings, f)
	}
	r.Headline = r.headline()
}

// refusal is what the provider says of an apply that it refuses while something does not exist.
const refusal = "The apply is refused unless"

// needsLog reports whether a category is only known by the log of plan -json.
func needsLog(c category.Category) bool { return c == category.Warned || c == category.Reference }

// firstSentences are the first sentences of a text that a cell shows as a whole, at least one.
func firstSentences(text string) string {
	end := 0
	for {
		next := strings.Index(text[end:], ". ")
		if next < 0 || end > 0 && utf8.RuneCountInString(text[:end+next+1]) > phrase.MaxShown {
			break
		}
		end += next + 2
	}
	if end == 0 || utf8.RuneCountInString(text) <= phrase.MaxShown {
		return text
	}
	return strings.TrimSpace(text[:end])
}

func diagnosticTable(title phrase.Words, all []warnings.Diagnostic) table {
	t := table{title: title, columns: []phrase.Words{"Object", "What", "Details"}, one: "And {} more warning.", many: "And {} more warnings."}
	for _, d := range all {
		object := phrase.Say("the configuration")
		if d.Address != "" {
			object = phrase.Show(d.Address)
		}
		t.rows = append(t.rows, []phrase.Phrase{object, phrase.Show(d.Summary), phrase.Show(firstSentences(d.Detail))})
		t.whole = append(t.whole, d.Detail)
	}
	return t
}
