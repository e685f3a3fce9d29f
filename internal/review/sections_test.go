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
			if todo := strings.Contains(text, "\nWhat you have to do\n"); todo != (len(report.ToDos)+len(report.ToDosOfOthers) > 0) {
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

// TestValuesOfOthers: values that others have changed are below a title of their own, in every format and language, and
// so are long ones.
func TestValuesOfOthers(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 300)
	limit := func(uses int) attributes { return with(toBob, "limit", attributes{"use_count": uses}) }
	input := planOf(t, attributes{"resource_drift": []any{
		change("kuscia_domain_data_grant.g", updated, limit(5), limit(0)), change("kuscia_app_image.a", updated, container("./serve"), container(long+"evil")),
	}}, change("kuscia_domain_data_grant.g", updated, limit(0), limit(5)), change("kuscia_app_image.b", updated, container(long), container(long+"good")))
	for _, test := range []struct{ format, language, values, ofOthers, after string }{
		{"text", "en", "\nValues\n", "\nValues changed outside of this plan\n", "\nWhat this review does not show\n"},
		{"text", "zh", "\n变化的值\n", "\n在此计划之外变化的值\n", "\n此评审不显示的内容\n"},
		{"markdown", "en", "\n### Values\n", "\n### Values changed outside of this plan\n", "\n### What this review does not show\n"},
		{"markdown", "zh", "\n### 变化的值\n", "\n### 在此计划之外变化的值\n", "\n### 此评审不显示的内容\n"},
	} {
		stdout, _ := program(t, 0, input, "-format", test.format, "-lang", test.language)
		_, planned, hasValues := strings.Cut(stdout, test.values)
		planned, others, hasOthers := strings.Cut(planned, test.ofOthers)
		others, _, ends := strings.Cut(others, test.after)
		if !hasValues || !hasOthers || !ends {
			t.Errorf("a title is not in\n%s", stdout)
		}
		for _, both := range []struct{ name, text, has, lacks, from, to string }{
			{"the plan", planned, "aagood", "evil", "0", "5"}, {"others", others, "aaevil", "good", "5", "0"},
		} {
			row := strings.NewReplacer("`", "", `"`, "", "|", "").Replace(both.text)
			protocol.Says(t, "the values of "+both.name, strings.Join(strings.Fields(row), " "), "limit.use_count "+both.from+" "+both.to)
			if !strings.Contains(both.text, both.has) || strings.Contains(both.text, both.lacks) {
				t.Errorf("%s, %s: %q is not, or %q is among the values of %s:\n%s", test.format, test.language, both.has, both.lacks, both.name, both.text)
			}
		}
	}
}

// TestSensitivePart: a part that is sensitive hides nothing else of an object that begins, changes or ends.
func TestSensitivePart(t *testing.T) {
	t.Parallel()
	marks := func(before, after any) attributes {
		return attributes{"before_sensitive": before, "after_sensitive": after}
	}
	image := with(container("./serve"), "deploy_templates", []any{attributes{"containers": []any{attributes{"command": []any{"./serve"}, "env": []any{attributes{"name": "A", "value": "PLANT"}}}}}})
	env := attributes{"deploy_templates": []any{attributes{"containers": []any{attributes{"env": []any{attributes{"value": true}}}}}}}
	database := attributes{"domain_id": "alice", "datasource_id": "db", "type": "mysql", "database": attributes{"endpoint": "db.example:3306", "user": "u", "password": "PLANT"}}
	replicas := attributes{"parties": attributes{"alice": attributes{"replicas": true}}}
	keyed := attributes{"serving_id": "glm", "parties": attributes{"alice": attributes{"app_image": "a", "replicas": 1}, "bob": attributes{"app_image": "a", "replicas": 1}}}
	more := with(keyed, "parties", attributes{"alice": attributes{"app_image": "a", "replicas": 2}, "bob": attributes{"app_image": "b", "replicas": 1}})
	for name, test := range map[string]struct {
		change attributes
		says   []string
	}{
		"a new data source": {
			change("kuscia_domain_data_source.d", created, nil, database, marks(false, attributes{"database": attributes{"password": true}})),
			[]string{"| `database.endpoint` | none | `db.example:3306` |", "| `database.password` | none | (sensitive) |"},
		},
		"a removed data source": {
			change("kuscia_domain_data_source.d", deleted, database, nil, marks(attributes{"database": attributes{"password": true}}, false)),
			[]string{"| `database.endpoint` | `db.example:3306` | none |", "| `database.password` | (sensitive) | none |"},
		},
		"a new app image": {
			change("kuscia_app_image.a", created, nil, image, marks(false, env)),
			[]string{"| `deploy_templates.0.containers.0.command.0` | none | `./serve` |", "| `deploy_templates.0.containers.0.env.0.value` | none | (sensitive) |"},
		},
		"a serving that ends": {
			change("kuscia_serving.glm", deleted, keyed, nil, marks(replicas, false)),
			[]string{"| `alice` | Tell those who use the serving `glm`: the pods of `alice` stop for good |", "| `bob` | Tell those who use the serving `glm`: the pods of `bob` stop for good |", "| `glm` | `alice` |", "|  | `bob` |"},
		},
		"a serving that changes": {
			change("kuscia_serving.glm", updated, keyed, more, marks(replicas, replicas)),
			[]string{"| `bob` | Have the image of the app image `b` in the cluster of `bob`, which this plan does not name |", "| `glm` | `alice` |", "|  | `bob` |"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdout, _ := program(t, 0, planOf(t, nil, test.change))
			protocol.Says(t, "the review", stdout, test.says...)
			if strings.Contains(stdout, "PLANT") {
				t.Errorf("a secret is in\n%s", stdout)
			}
		})
	}
}
