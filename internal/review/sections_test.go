package review_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestSections: every review says what it does not show, what each domain has to do that the plan
// touches, and how to go back where anything changes beside the state.
func TestSections(t *testing.T) {
	t.Parallel()
	for name, plan := range allPlans(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := build(t, plan)
			text := report.Text()
			protocol.Says(t, "the review", text, "\nWhat this review does not show\n", "\n  In no review: ")
			if goesBack := strings.Contains(text, "\nIf the apply fails, or to go back\n"); goesBack != (report.Changes && !strings.HasPrefix(text, "Nothing changes but the state.")) {
				t.Errorf("how to go back is said: %t\n%s", goesBack, text)
			}
			if todo := strings.Contains(text, "\nWhat you have to do\n"); todo != (len(report.ToDos) > 0) {
				t.Errorf("what to do is said: %t\n%s", todo, text)
			}
			for _, domain := range report.Domains {
				of := report.For(domain)
				if len(of.ToDo) != len(report.ToDos[domain]) {
					t.Errorf("%s has to do %v, and alone %v", domain, report.ToDos[domain], of.ToDo)
				}
				for _, item := range of.ToDo {
					protocol.Says(t, "the review", text, item.Plain(phrase.English))
				}
			}
		})
	}
}

// TestDangerFirst: a review does not begin with nothing if anything waits, or others have changed it.
func TestDangerFirst(t *testing.T) {
	t.Parallel()
	danger := []category.Category{category.Drifted, category.Incomplete, category.Provisioned, category.Checked}
	for name, plan := range allPlans(t) {
		report := build(t, plan)
		isDangerous := false
		for _, f := range report.Findings {
			isDangerous = isDangerous || slices.ContainsFunc(f.Categories, func(c category.Category) bool { return slices.Contains(danger, c) })
		}
		if text := report.Text(); isDangerous && strings.HasPrefix(text, "Nothing changes") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// TestDangerBeforeHarmless: access and programs come before what is created.
func TestDangerBeforeHarmless(t *testing.T) {
	t.Parallel()
	report := build(t, planOf(t, nil,
		change("kuscia_domain.d", created, nil, attributes{"domain_id": "dave"}),
		change("kuscia_serving.glm", updated, glm(party("a", recreate)), glm(party("b", recreate))),
		change("kuscia_app_image.a", updated, container("./serve"), container("curl")),
		change("kuscia_domain_data_grant.b", created, nil, toBob),
		change("kuscia_domain_data_grant.c", forgotten, with(toBob, "grant_domain", "carol"), nil),
	))
	protocol.Says(t, "the review", report.Text(),
		`This plan begins the access of "bob" to "scores", changes what the app image "a" runs, gives up control of the access of "carol" to "scores", interrupts the serving "glm" and adds the domain "dave".`)
	lines := strings.Split(report.Text(), "\n")
	for i, begin := range []string{"- Gains access: ", "- Keeps access that ", "- Runs another program", "- Interrupted: "} {
		if !strings.HasPrefix(lines[i+1], begin) {
			t.Errorf("line %d is %s, want %s", i+1, lines[i+1], begin)
		}
	}
}
