package review_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
)

// maxBody is the length of a comment on GitHub.
const maxBody = 65536

// granted is a new grant of data to a reader.
func granted(data, reader string) attributes {
	return change("kuscia_domain_data_grant."+data+reader, created, nil, with(with(toBob, "domaindata_id", data), "grant_domain", reader))
}

// TestRowsHiddenByPadding: no number of harmless changes, however long, hides a new reader.
func TestRowsHiddenByPadding(t *testing.T) {
	t.Parallel()
	wide := attributes{}
	for i := range 5 {
		wide[strings.Repeat("|", 118)+fmt.Sprint(i)] = 1
	}
	padding := func(n int) (changes []attributes) {
		for i := range n {
			s := with(glm(party("a")), "serving_id", fmt.Sprint("s", i))
			changes = append(changes, change(fmt.Sprint("kuscia_serving.s", i), updated, s, with(s, "serving_input_config", testjson.Encode(t, wide))))
		}
		return changes
	}
	grants := func(n int) (changes []attributes) {
		for i := range n {
			changes = append(changes, granted(fmt.Sprint("data", i), "bob"))
		}
		return append(changes, granted("salaries", "eve"))
	}
	for name, changes := range map[string][]attributes{
		"long keys of servings":     append(grants(10), padding(30)...),
		"51 grants":                 grants(51),
		"1000 grants":               grants(1000),
		"1000 grants and long keys": append(grants(1000), padding(300)...),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdout, _ := program(t, 0, planOf(t, nil, changes...))
			if len(stdout) > maxBody {
				t.Errorf("%d bytes", len(stdout))
			}
			protocol.Says(t, "the review", stdout, "`eve` (`salaries` of `alice`: no end date, `3` uses)")
			if strings.Contains(stdout, " more access") && !strings.Contains(stdout, "> Left out, since a comment is limited:") {
				t.Errorf("the review does not say at the top that it leaves something out:\n%s", stdout)
			}
		})
	}
}

// TestPlaceHiddenByPadding: no number of other attributes hides where granted data is, and its columns.
func TestPlaceHiddenByPadding(t *testing.T) {
	t.Parallel()
	pad := func(n int, value string) attributes {
		all := attributes{}
		for i := range n {
			all[fmt.Sprintf("a%04d", i)] = value
		}
		return all
	}
	elsewhere := func(padding attributes) attributes {
		return with(with(with(scores, "relative_uri", "hr/salaries.csv"), "attributes", padding), "columns", columns("id", "salary"))
	}
	bucket := attributes{"domain_id": "alice", "datasource_id": "ds", "type": "oss", "access_directly": false, "oss": attributes{"endpoint": "a", "bucket": "b", "prefix": "p", "storage_type": "oss", "virtualhost": false}}
	other := attributes{"domain_id": "alice", "datasource_id": "ds", "type": "oss", "access_directly": true, "oss": attributes{"endpoint": "a2", "bucket": "b2", "prefix": "hr", "storage_type": "minio", "virtualhost": true, "version": "2"}}
	moved := "the data changes: `relative_uri` `scores.csv` → `hr/salaries.csv`, new columns `salary`, `attributes.a0000` "
	for name, test := range map[string]struct {
		changes []attributes
		says    []string
	}{
		"data": {
			changes: []attributes{change("kuscia_domain_data.s", updated, with(with(scores, "relative_uri", "scores.csv"), "columns", columns("id")), elsewhere(pad(8, "x"))), change("kuscia_domain_data_grant.g", same, toBob, toBob)},
			says:    []string{"- Sees other data: `bob` (`scores` of `alice`: " + moved, "| `bob` | `scores` of `alice` | sees other data | no end date, `3` uses | no end date, `3` uses; " + moved, "| `alice` | Agree that `bob` may see `scores` of `alice`: no end date, `3` uses; " + moved},
		},
		"data with so many attributes that their values have no room": {
			changes: []attributes{change("kuscia_domain_data.s", updated, with(with(scores, "relative_uri", "scores.csv"), "columns", columns("id")), elsewhere(pad(1000, strings.Repeat("x", 200)))), change("kuscia_domain_data_grant.g", same, toBob, toBob)},
			says:    []string{"- Sees other data: `bob` (`scores` of `alice`: " + moved, "| sees other data | no end date, `3` uses | no end date, `3` uses; " + moved, "| `relative_uri` | `scores.csv` | `hr/salaries.csv` |"},
		},
		"data without a grant": {
			changes: []attributes{change("kuscia_domain_data.s", updated, with(scores, "relative_uri", "scores.csv"), with(elsewhere(pad(1000, strings.Repeat("x", 200))), "columns", nil))},
			says:    []string{"| sees other data | `relative_uri` `scores.csv`, `attributes.a0000` none, ", "| `relative_uri` `hr/salaries.csv`, `attributes.a0000` "},
		},
		"a new grant": {
			changes: []attributes{
				change("kuscia_domain_data.s", created, nil, with(elsewhere(pad(1000, "x")), "datasource_id", "ds")), change("kuscia_domain_data_source.ds", same, other, other),
				change("kuscia_domain_data_grant.g", created, nil, toBob),
			},
			says: []string{"(`scores` of `alice`: no end date, `3` uses; `datasource_id` `ds`; `relative_uri` `hr/salaries.csv`; `oss.bucket` `b2`; `oss.endpoint` `a2`; `oss.prefix` `hr`; columns `id`, `salary`; 1004 more)"},
		},
		"a new grant of many columns": {
			changes: []attributes{change("kuscia_domain_data.s", created, nil, with(elsewhere(nil), "columns", columns(strings.Split(strings.Repeat("column ", 8000), " ")...))), change("kuscia_domain_data_grant.g", created, nil, toBob)},
			says:    []string{"(`scores` of `alice`: no end date, `3` uses; `relative_uri` `hr/salaries.csv`; columns `column`, ", "| gains access | none | no end date, `3` uses; `relative_uri` `hr/salaries.csv`; columns `column`, "},
		},
		"a data source": {
			changes: []attributes{change("kuscia_domain_data_source.ds", updated, bucket, other)},
			says:    []string{"| sees other data | `oss.bucket` `b`, `oss.endpoint` `a`, `oss.prefix` `p`, `access_directly` `false`, `oss.storage_type` `oss`, `oss.version` none, 1 more | `oss.bucket` `b2`, `oss.endpoint` `a2`, `oss.prefix` `hr`, "},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdout, _ := program(t, 0, planOf(t, nil, test.changes...))
			if len(stdout) > maxBody {
				t.Errorf("%d bytes", len(stdout))
			}
			protocol.Says(t, "the review", stdout, test.says...)
		})
	}
}

// TestRowsOfEachDomain: where rows do not fit, each domain, and each reader of an owner, has some of them, the others
// are counted, and those of one domain stay together.
func TestRowsOfEachDomain(t *testing.T) {
	t.Parallel()
	for name, n := range map[string]int{"some rows do not fit": 1000, "most rows do not fit": 6000} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var changes []attributes
			for i := range n {
				changes = append(changes, granted(fmt.Sprintf("d%05d", i), "bob"))
			}
			of := with(glm(party("a")), "parties", attributes{"zoe": with(party("a"), "domain_id", "zoe")})
			changes = append(changes,
				change("kuscia_domain_data_grant.z", created, nil, with(with(with(toBob, "domaindata_id", "salaries"), "domain_id", "zoe"), "grant_domain", "mallory")),
				change("kuscia_serving.glm", replaced, of, with(of, "initiator", "x"), attributes{"replace_paths": []any{[]any{"initiator"}}}))
			stdout, _ := program(t, 0, planOf(t, nil, changes...))
			if len(stdout) > maxBody {
				t.Errorf("%d bytes", len(stdout))
			}
			toDo, access := sectionOf(stdout, "What you have to do"), sectionOf(stdout, "Who may see which data")
			protocol.Says(t, "what to do", toDo, "\n| `zoe` | Agree that `mallory` may see `salaries` of `zoe`: no end date, `3` uses |\n|  | Tell those who use the serving `glm`: ", " more for `alice` |\n| `bob` | nothing |\n", "\nAnd ")
			protocol.Says(t, "the access", access, "\n| `mallory` | `salaries` of `zoe` | gains access |", "\nAnd ")
			for _, section := range []string{toDo, access} {
				shown, left := strings.Count(section, "`bob` may see `d")+strings.Count(section, "\n| `bob` | `d"), numberAfter(section, "\nAnd ")
				if shown+left != n || !strings.Contains(section, fmt.Sprintf("| %d more ", left)) {
					t.Errorf("%d rows of %d, and %d are left out:\n%s", shown, n, left, section)
				}
			}
		})
	}
}

// sectionOf is the part of a comment below a title.
func sectionOf(comment, title string) string {
	_, section, _ := strings.Cut(comment, "### "+title+"\n")
	section, _, _ = strings.Cut(section, "###")
	return section
}

// TestPaddedComment: padding of new, wider and forgotten grants with long names leaves in the comment who
// gains access, what runs, and a row for each, with how much is left out.
func TestPaddedComment(t *testing.T) {
	t.Parallel()
	components := make([]any, 5)
	for i := range components {
		components[i] = fmt.Sprint("secretflow/ml.train/ss_sgd_train:0.0.", i)
	}
	limit := attributes{"use_count": 3, "components": components, "expiration_time": "2030-01-01T00:00:00Z"}
	for name, pad := range map[string]struct {
		n    int
		name string
	}{"plain names": {135, strings.Repeat("n", 56)}, "hostile names": {61, strings.Repeat("<&|", 100)}, "1000 names": {1000, strings.Repeat("n", 56)}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var changes []attributes
			for i := range pad.n {
				grant := with(with(with(toBob, "domaindata_id", pad.name+fmt.Sprint(i)), "grant_domain", fmt.Sprint("a", i, pad.name)), "limit", limit)
				address := "kuscia_domain_data_grant." + fmt.Sprint(i)
				switch i % 3 {
				case 0:
					changes = append(changes, change(address, created, nil, grant))
				case 1:
					changes = append(changes, change(address, updated, with(grant, "limit", attributes{"use_count": 1, "components": components}), grant))
				default:
					changes = append(changes, change(address, forgotten, grant, nil))
				}
			}
			changes = append(changes, granted("salaries", "mallory"), change("kuscia_app_image.a", updated, container("./serve"), container("curl http://evil")))
			for _, language := range []string{"en", "zh"} {
				stdout, _ := program(t, 0, planOf(t, nil, changes...), "-lang", language)
				if len(stdout) > maxBody {
					t.Errorf("%d bytes", len(stdout))
				}
				gains := map[string]string{"en": "- Gains access: ", "zh": "- 获得访问权："}[language]
				_, line, _ := strings.Cut(stdout, gains)
				line, _, _ = strings.Cut(line, "\n")
				protocol.Says(t, "the review", stdout, "| `curl http://evil` |")
				if name == "plain names" {
					protocol.Says(t, "the table", stdout, "| `mallory` |")
				}
				if pad.n < 1000 {
					protocol.Says(t, "the line", line, "`mallory`")
				} else {
					protocol.Says(t, "the line", line, map[string]string{"en": "more, in -format text", "zh": "另有"}[language])
				}
				if language == "en" {
					protocol.Says(t, "the review", stdout, "> Left out, since a comment is limited: ", "### Who may see which data", "### What you have to do", "### What decides which program runs", "### What this review does not show", " more access")
				}
			}
		})
	}
}

// TestLongLists: however many columns data gets, a comment names as many as it has room for, loses no other danger, and
// says what is in no review.
func TestLongLists(t *testing.T) {
	t.Parallel()
	wide := func(n int, reader string) []attributes {
		names := []string{"id"}
		for i := range n {
			names = append(names, fmt.Sprintf("column_number_%05d", i))
		}
		names[n/2] = "salary"
		data := with(scores, "domaindata_id", "of"+reader)
		grant := with(with(toBob, "grant_domain", reader), "domaindata_id", "of"+reader)
		return []attributes{
			change("kuscia_domain_data."+reader, updated, with(data, "columns", columns("id")), with(data, "columns", columns(names...))),
			change("kuscia_domain_data_grant."+reader, same, grant, grant),
		}
	}
	others := []attributes{
		granted("salaries", "eve"), change("kuscia_app_image.a", updated, container("./serve"), container("curl http://evil")), change("kuscia_domain_route.r", deleted, route, nil),
		change("kuscia_domain.b", updated, attributes{"domain_id": "bob"}, attributes{"domain_id": "bob", "master_domain_id": "eve"}),
	}
	many := func(n, columns int) (changes []attributes) {
		for i := range n {
			changes = append(changes, wide(columns, fmt.Sprint("r", i))...)
		}
		return changes
	}
	dangers := []string{"`eve` (`salaries` of `alice`: no end date, `3` uses)", "| `curl http://evil` |", "(`eve` instead of `bob`)", "### Network\n"}
	for name, test := range map[string]struct {
		changes []attributes
		says    []string
		// names are how many columns are named at least.
		names    int
		language string
	}{
		"2000 columns":                  {wide(2000, "bob"), []string{"`salary`"}, 2000, "en"},
		"4000 columns":                  {wide(4000, "bob"), []string{"`salary`"}, 2300, "en"},
		"4000 columns in Chinese":       {wide(4000, "bob"), []string{"`salary`"}, 2200, "zh"},
		"20000 columns":                 {wide(20000, "bob"), nil, 2300, "en"},
		"4000 columns and other danger": {append(wide(4000, "bob"), others...), dangers, 2200, "en"},
		"columns of 50 readers":         {append(many(50, 200), others...), dangers, 1600, "en"},
		"columns of 300 readers":        {append(many(300, 20), others...), dangers, 1000, "en"},
		"columns of 1000 readers":       {append(many(1000, 20), others...), dangers, 200, "en"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdout, _ := program(t, 0, planOf(t, nil, test.changes...), "-lang", test.language)
			const least = 57000
			if len(stdout) > maxBody || len(stdout) < least {
				t.Errorf("%d bytes", len(stdout))
			}
			if n := strings.Count(stdout, "column_number_"); n < test.names {
				t.Errorf("%d columns are named", n)
			}
			protocol.Says(t, "the review", stdout, append(test.says, map[string]string{"en": "\n- In no review: ", "zh": "\n- 任何评审都不显示："}[test.language])...)
		})
	}
}

// TestFitsIntoComment: a review fits into a comment, whatever a plan has.
func TestFitsIntoComment(t *testing.T) {
	t.Parallel()
	long, parties, hostile := strings.Repeat("<&|", 100), attributes{}, attributes{}
	for i := range 20000 {
		parties[fmt.Sprint("p", i)] = with(party("a"), "domain_id", fmt.Sprintf("%060d", i))
	}
	for i := range 50 {
		hostile[long+fmt.Sprint(i)] = party(long+fmt.Sprint(i), attributes{"domain_id": long + fmt.Sprint(i)})
	}
	var many []attributes
	for i := range 100 {
		many = append(many, granted(long+fmt.Sprint(i), long+fmt.Sprint(i)), change("kuscia_serving."+long+fmt.Sprint(i), replaced,
			attributes{"serving_id": long, "parties": hostile}, attributes{"serving_id": long + "2", "parties": hostile}))
	}
	// Readers of three data with long names and limits: new ones, those that see more, and those that are
	// given up.
	var readers []attributes
	name := func(kind string, i int) string {
		return fmt.Sprintf("%s-%03d-organization-of-the-health-insurance-fund-of-the-region", kind, i)[:60]
	}
	components := make([]any, 5)
	for i := range components {
		components[i] = fmt.Sprint("secretflow/ml.train/ss_sgd_train:0.0.", i)
	}
	for i := range 60 {
		limit := attributes{"use_count": 3, "components": components, "expiration_time": "2030-01-01T00:00:00Z", "flow_id": name("flow", i%3)}
		grant := func(kind string) (address string, to attributes) {
			return fmt.Sprint("kuscia_domain_data_grant.", kind, i), with(with(with(toBob, "domaindata_id", name("data", i%3)), "grant_domain", name(kind, i/3)), "limit", limit)
		}
		address, to := grant("reader")
		readers = append(readers, change(address, created, nil, to))
		address, to = grant("mid")
		readers = append(readers, change(address, updated, to, with(to, "limit", attributes{"use_count": 5})))
		address, to = grant("kept")
		readers = append(readers, change(address, []string{"forget"}, to, nil))
	}
	for name, changes := range map[string][]attributes{
		"many readers":              readers,
		"alike parties in one cell": {change("kuscia_serving.glm", created, nil, attributes{"serving_id": "glm", "parties": parties})},
		"hostile names":             many,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, language := range []string{"en", "zh"} {
				stdout, _ := program(t, 0, planOf(t, nil, changes...), "-name", long, "-commit", long, "-lang", language)
				if len(stdout) > maxBody || !strings.HasPrefix(stdout, "<!-- kuscia-review ") {
					t.Errorf("%s: %d bytes: %.200s", language, len(stdout), stdout)
				}
			}
		})
	}
}

// TestManyServers: no number of provider configurations, which a review names, makes it longer than a comment.
func TestManyServers(t *testing.T) {
	t.Parallel()
	providers := attributes{}
	for i := range 5000 {
		alias := fmt.Sprint("a", i)
		providers["kuscia."+alias] = attributes{"name": "kuscia", "alias": alias, "expressions": attributes{"endpoint": attributes{"constant_value": "https://" + alias + ".example"}}}
	}
	stdout, _ := program(t, 0, planOf(t, attributes{"configuration": attributes{"provider_config": providers, "root_module": attributes{}}}, granted("salaries", "eve")))
	if len(stdout) > maxBody {
		t.Errorf("%d bytes", len(stdout))
	}
	protocol.Says(t, "the review", stdout, "\nKuscia: `kuscia.a0` `https://a0.example`, ", " more, in -format text.")
}

// TestLigature: no escape that Mermaid knows comes from a plan.
func TestLigature(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"\ufb02\u00b0\u00b08238;bob", "\ufb02\u00b0\u00b060;", "fl\u00b0\u00b060\u00b6\u00df"} {
		if label := phrase.Mermaid(text); strings.Contains(label, "\u00b0") || strings.Contains(label, "\ufb02#176;") || strings.Contains(label, "fl#176;") {
			t.Errorf("%q: %s", text, label)
		}
	}
}

// TestFalseColumns: no value looks like several columns of a table in a text.
func TestFalseColumns(t *testing.T) {
	t.Parallel()
	blank := strings.Repeat("\u2800", 3)
	text := build(t, planOf(t, nil, change("kuscia_serving.glm", updated, glm(party("a")),
		glm(party("a"), attributes{"serving_input_config": testjson.Encode(t, attributes{"modelId": "m-1" + blank + "1" + blank + "nothing restarts\u3164\u3164   x"})})))).Text()
	protocol.Says(t, "the review", text, "\"glm-1\" → \"m-1\ufffd\ufffd\ufffd1")
	if strings.ContainsAny(text, "\u2800\u3164") {
		t.Errorf("blank letters are in %q", text)
	}
}

// TestObjectsOfOneName: many objects of one name have as many rows as the plan has objects, not one for each pair
// of them, and each change is said.
func TestObjectsOfOneName(t *testing.T) {
	t.Parallel()
	const n = 200
	many := map[string][]attributes{}
	add := func(name string, changes ...attributes) { many[name] = append(many[name], changes...) }
	at := func(kind string, i int) string { return fmt.Sprintf("kuscia_%s.x%d", kind, i) }
	for i := range n {
		value := func(side string) attributes { return attributes{"key": "k", "value": fmt.Sprint(side, i)} }
		source := with(entry, "datasource_id", fmt.Sprint("d", i))
		data := with(inSource, "domaindata_id", fmt.Sprint("s", i))
		inData := []attributes{
			change(at("domain_data", i), same, data, data),
			change(at("domain_data_grant", i), same, with(toBob, "domaindata_id", fmt.Sprint("s", i)), with(with(toBob, "domaindata_id", fmt.Sprint("s", i)), "grant_domain", fmt.Sprint("r", i))),
		}
		add("entries", change(at("config", i), updated, value("a"), value("b")), change(at("domain_data_source", i), same, source, source))
		add("entries that are removed", change(at("config", i), deleted, value("b"), nil), change(at("domain_data_source", i), same, source, source))
		add("data sources", append(inData, change(at("domain_data_source", i), updated, localfs("/a"), localfs(fmt.Sprint("b", i))))...)
		add("data sources that are removed", append(inData, change(at("domain_data_source", i), deleted, localfs(fmt.Sprint("b", i)), nil))...)
		add("data sources of one entry", append(inData, change(at("domain_data_source", i), same, entry, entry))...)
	}
	add("data sources of one entry", change("kuscia_config.k", updated, attributes{"key": "k", "value": "a"}, attributes{"key": "k", "value": fmt.Sprint("b", n-1)}))
	for name, changes := range many {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := build(t, planOf(t, nil, changes...))
			if rows := len(report.Access); rows < n || rows > 12*n {
				t.Errorf("%d rows for %d objects", rows, len(changes))
			}
			last := fmt.Sprintf("\"b%d\"", n-1)
			if strings.HasSuffix(name, "removed") { // an object that goes changes nothing else
				last = "(the readers in this plan, too)"
			}
			protocol.Says(t, "the review", report.Text(), last)
		})
	}
}

// TestLinear: the memory for a review of many objects of one name grows with their number, not with its square. Each reader
// that the plan knows is still asked. It measures what is allocated, so it runs alone.
func TestLinear(t *testing.T) {
	at := func(kind string, i int) string { return fmt.Sprintf("kuscia_%s.x%d", kind, i) }
	value := func(key, value string) attributes { return attributes{"key": key, "value": value} }
	for name, of := range map[string]func(i int) []attributes{
		"sources, entries, data and grants": func(i int) []attributes {
			return []attributes{
				change(at("domain_data_source", i), updated, entry, with(entry, "info_key", "k2")), change(at("config", i), updated, value("k", "a"), value("k", "b")),
				change(at("domain_data", i), same, inSource, inSource), change(at("domain_data_grant", i), same, toBob, toBob),
			}
		},
		"entries of many domains": func(i int) []attributes {
			source := with(entry, "domain_id", fmt.Sprint("d", i))
			return []attributes{change(at("domain_data_source", i), same, source, source), change(at("config", i), updated, value("k", "a"), value("k", "b"))}
		},
		"entries that are removed": func(i int) []attributes {
			source := with(entry, "domain_id", fmt.Sprint("d", i))
			return []attributes{change(at("domain_data_source", i), same, source, source), change(at("config", i), deleted, value("k", "a"), nil)}
		},
		"entries with another key": func(i int) []attributes {
			source := with(entry, "domain_id", fmt.Sprint("d", i))
			return []attributes{change(at("domain_data_source", i), same, source, source), change(at("config", i), replaced, value(fmt.Sprint("o", i), "a"), value("k", "b"))}
		},
		"data of many readers": func(i int) []attributes {
			grant := with(toBob, "grant_domain", fmt.Sprint("r", i))
			return []attributes{change(at("domain_data", i), updated, inSource, with(inSource, "relative_uri", "x")), change(at("domain_data_grant", i), same, grant, grant)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			allocated := func(n int) uint64 {
				var changes []attributes
				for i := range n {
					changes = append(changes, of(i)...)
				}
				input := planOf(t, nil, changes...)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				report := build(t, input)
				runtime.ReadMemStats(&after)
				if last := fmt.Sprint("r", n-1); name == "data of many readers" && !slices.Contains(report.Domains, last) {
					t.Errorf("%s is not asked", last)
				}
				return after.TotalAlloc - before.TotalAlloc
			}
			const few, times, most = 250, 8, 16 // a square would be 64 times as much
			if small, large := allocated(few), allocated(times*few); large > most*small {
				t.Errorf("%d objects of each kind take %d bytes, and %d take %d", few, small, times*few, large)
			}
		})
	}
}

// TestDirection: a value that is written from right to left is isolated from what is beside it.
func TestDirection(t *testing.T) {
	t.Parallel()
	report := build(t, planOf(t, nil, change("kuscia_domain_data.s", updated, with(scores, "relative_uri", "\u05d0-1"), with(scores, "relative_uri", "\u05d0-2"))))
	protocol.Says(t, "the review", report.Markdown(), "| `relative_uri` | `\u2068\u05d0-1\u2069` | `\u2068\u05d0-2\u2069` |")
	protocol.Says(t, "the text", report.Text(), "\u2068\"\u05d0-1\"\u2069")
}

// TestCredentialsInAddresses: no form of an address shows what may be a credential.
func TestCredentialsInAddresses(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"s3://AKIA:PLANT/ET+x@bucket", "s3://AK:PLANT@RET@b", "AK:PLANT@b", "http://h/x#access_token=PLANT", "jdbc:mysql://h/d;password=PLANT", "s3://AK:PL ANT@b/PLANT@c",
		"http://h/x?signature=PLANT", "http://PLANT@h/x", "http://u:PLANT@h/x", "http://h/a?b@c=PLANT", "http://h;token=PLANT?x", "https://u:PLANT%40@h", "oss://k:PLANT/a/b/c@bucket/key", "AK:PLANT/x@b/c",
	} {
		text := testjson.Encode(t, attributes{"modelId": "m", "sourcePath": address})
		sf := testjson.Encode(t, attributes{"partyConfigs": attributes{"alice": attributes{"modelConfig": attributes{"modelId": "m", "sourcePath": address}, "featureSourceConfig": attributes{"httpOpts": attributes{"endpoint": address}}}}})
		inIDs := testjson.Encode(t, attributes{"partyConfigs": attributes{"alice": attributes{"modelConfig": attributes{"modelId": address}}}})
		for _, config := range []string{text, sf, inIDs, testjson.Encode(t, attributes{"modelId": address})} {
			report := build(t, planOf(t, nil,
				change("kuscia_serving.glm", updated, glm(party("a")), glm(party("a"), attributes{"serving_input_config": config})),
				change("kuscia_domain_data.s", updated, with(scores, "relative_uri", "a"), with(scores, "relative_uri", address))))
			for _, review := range []string{report.Markdown(), report.Text()} {
				for _, part := range []string{"PLANT", "ANT@", "PL ANT"} {
					if strings.Contains(review, part) {
						t.Errorf("%q is in the review of %s:\n%s", part, address, review)
					}
				}
			}
		}
	}
}

// TestTime: a review of what is large takes a few seconds, and no time that grows with its square. No other
// test of the package runs beside it, whose time would count.
func TestTime(t *testing.T) {
	parties := attributes{}
	for i := range 20000 {
		parties[fmt.Sprint("p", i)] = with(party("a"), "domain_id", fmt.Sprint("d", i))
	}
	changes := map[string][]attributes{}
	for name, serving := range map[string]attributes{
		"parties":     {"serving_id": "glm", "parties": parties},
		"a long list": glm(party("a"), attributes{"serving_input_config": "[" + strings.Repeat("{},", 13<<20) + "{}]"}),
	} {
		changes[name] = []attributes{change("kuscia_serving.glm", updated, glm(party("a")), serving)}
	}
	for i := range 8000 {
		grant := granted(fmt.Sprint("data", i), "bob")
		grant["provider_name"] = fmt.Sprint("example.com/a/p", i)
		changes["names of the provider"] = append(changes["names of the provider"], grant)
	}
	for i := range 6000 {
		kept := with(inSource, "datasource_id", fmt.Sprint("d", i))
		changes["ids that only the apply knows"] = append(changes["ids that only the apply knows"],
			change(fmt.Sprint("kuscia_domain_data.x", i), same, kept, kept),
			change(fmt.Sprint("kuscia_domain_data_source.x", i), created, nil, with(without(localfs("/hr"), "datasource_id"), "domain_id", "carol"), attributes{"after_unknown": attributes{"datasource_id": true}}))
	}
	for i := range 20000 {
		changes["objects of other providers"] = append(changes["objects of other providers"], change(fmt.Sprint("kubernetes_manifest.x", i), updated, attributes{"manifest": attributes{"image": "a"}}, attributes{"manifest": attributes{"image": "b"}}),
			posted(attributes{"address": fmt.Sprintf("data.http.x[%d]", i)}))
	}
	components := make([]any, 20)
	for i := range components {
		components[i] = fmt.Sprint("secretflow/ml.train/ss_sgd_train:0.0.", i, strings.Repeat("x", 60))
	}
	for i := range 3000 {
		grant := with(with(toBob, "grant_domain", fmt.Sprint(strings.Repeat("x", 60), i)), "limit", attributes{"components": components})
		changes["long limits"] = append(changes["long limits"], change(fmt.Sprint("kuscia_domain_data_grant.g", i), created, nil, grant))
	}
	for name, all := range changes {
		start := time.Now()
		stdout, _ := program(t, 0, planOf(t, nil, all...))
		if took := time.Since(start); took > 30*time.Second || !utf8.ValidString(stdout) {
			t.Errorf("%s: %s", name, took)
		}
	}
}

// TestWithoutAttributes: an object without attributes is no object with others.
func TestWithoutAttributes(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"app_image", "config", "deployment", "domain", "domain_data", "domain_data_grant", "domain_data_source", "domain_route", "edge_deployment", "new", "rollout", "serving", "traffic_routing"} {
		for _, actions := range [][]string{updated, replaced, created, deleted} {
			for _, sides := range [][2]attributes{{nil, {}}, {{}, nil}, {{}, {}}, {nil, nil}} {
				program(t, 0, planOf(t, nil, change("kuscia_"+kind+".a", actions, sides[0], sides[1])))
			}
		}
	}
}
