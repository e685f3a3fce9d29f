package secretflow_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secretflow"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secretflow/secretflowtest"
)

// documented is the documented serving, with another text.
func documented(t testing.TB, text string) secretflow.Serving {
	t.Helper()
	s := servingOf(&secretflowtest.Answers(t)[0], "latest")
	if text != "" {
		s.Text = &text
	}
	return s
}

// part is a part of a party that starts, with further members.
func part(more string) string {
	return `{"modelConfig":{"modelId":"m","sourcePath":"/m","sourceType":"ST_FILE"}` + more + `}`
}

// both is a text with parts of both parties, and further members.
func both(alice, bob, more string) string {
	return `{"partyConfigs":{"alice":` + part(alice) + `,"bob":` + part(bob) + `}` + more + `}`
}

// TestProblems has each kind of problem of a text with its path, what it says, and whom it stops.
func TestProblems(t *testing.T) {
	for name, row := range map[string]struct{ text, want string }{
		"nothing":                       {both("", "", ""), ""},
		"an unknown field stops all":    {both("", `,"modelConfg":{}`, ""), "partyConfigs.bob.modelConfg: The application has no such field. [alice bob]"},
		"a field in another case":       {both("", `,"channelDesc":{"Protocol":"http"}`, ""), "partyConfigs.bob.channelDesc.Protocol: The application has no such field. [alice bob]"},
		"a source of another name":      {strings.Replace(both("", "", ""), "ST_FILE", "st_file", 1), "partyConfigs.alice.modelConfig.sourceType: The value is not allowed. [alice bob]"},
		"no source stops one":           {strings.Replace(both("", "", ""), `,"sourceType":"ST_FILE"`, "", 1), "partyConfigs.alice.modelConfig.sourceType: The source of the model is missing. [alice]"},
		"no part":                       {`{"partyConfigs":{"alice":` + part("") + `}}`, "partyConfigs: The party has no part of the text. [bob]"},
		"no part for any":               {`{}`, "partyConfigs: The party has no part of the text. [alice bob]"},
		"a predictor that is no party":  {both("", "", `,"predictorParties":["carol"]`), "predictorParties: The serving has no such party. [alice bob]"},
		"no JSON":                       {`{"partyConfigs" {}}`, ": The text is not the JSON object that the application reads: line 1, character 17. [alice bob]"},
		"empty":                         {" ", ": The text is empty, and the application reads a JSON object. [alice bob]"},
		"two causes":                    {both(`,"x":1`, `,"featureSourceConfig":{}`, ""), "partyConfigs.alice.x: The application has no such field. [alice bob] partyConfigs.bob.featureSourceConfig: The source of the features is empty. [bob]"},
		"a text that is a JSON string":  {`"x"`, ": The text is a JSON string, whose last quote is lost when Kuscia writes it into the file of the application. [alice bob]"},
		"a character that breaks files": {"\x7f" + both("", "", ""), `: Kuscia writes the character at byte 0 of the text as \x7f, which is no JSON, into the file of the application. [alice bob]`},
		"a reference to a variable":     {strings.Replace(both("", "", ""), `"m"`, `"$(KUSCIA_DOMAIN_ID)-m"`, 1), ""},
	} {
		t.Run(name, func(t *testing.T) {
			var all []string
			for _, p := range secretflow.Check(documented(t, row.text)) {
				all = append(all, fmt.Sprintf("%s: %s %v", p.Path, p.What, p.Parties))
				if !p.Versions().IsAll() && !strings.Contains(p.Path, "predictorParties") {
					t.Errorf("%s: %s", p.Path, p.Versions())
				}
			}
			if got := strings.Join(all, " "); got != row.want {
				t.Errorf("%s", got)
			}
		})
	}
}

// TestOtherApplications shows that other applications are not judged.
func TestOtherApplications(t *testing.T) {
	s := documented(t, "no JSON")
	other := *s.Parties[0].Image
	other.Name = "example/app"
	other.Containers = slices.Clone(other.Containers)
	other.Containers[0].Command = []string{"./app"}
	for i := range s.Parties {
		s.Parties[i].Image = &other
	}
	if found := secretflow.Check(s); len(found) > 0 {
		t.Errorf("%+v", found)
	}
	wrapped := other
	wrapped.Name = "mirror.example/secretflow/serving-anolis8" // with a script of its own
	s.Parties[0].Image = &wrapped
	if found := secretflow.Check(s); len(found) > 0 {
		t.Errorf("%+v", found)
	}
}

// TestVersions shows what is said of versions.
func TestVersions(t *testing.T) {
	s := documented(t, both("", "", `,"predictorParties":["alice"]`))
	for i := range s.Parties {
		image := *s.Parties[i].Image
		image.Tag = "0.7.0b0"
		s.Parties[i].Image = &image
	}
	found := secretflow.Check(s)
	if len(found) != 1 || found[0].Versions().String() != "before 0.8" || found[0].What != "The application has this field since 0.8." {
		t.Errorf("%+v", found)
	}
}

// TestPart reads what a text says about a party.
func TestPart(t *testing.T) {
	text := secretflow.ParseText(both(`,"featureSourceConfig":{"httpOpts":{"endpoint":"http://f"}}`, `,"feature_source_config":{"csv_opts":{"file_path":"/f.csv"}}`, `,"predictorParties":"alice"`))
	alice, _ := text.Part("alice")
	bob, _ := text.Part("bob")
	if alice != (secretflow.Part{Model: "m", SourceType: "ST_FILE", Source: "/m", Features: "httpOpts", FeatureSource: "http://f"}) {
		t.Errorf("%+v", alice)
	}
	if bob.Features != "csvOpts" || bob.FeatureSource != "/f.csv" {
		t.Errorf("%+v", bob)
	}
	if _, ok := text.Part("carol"); ok {
		t.Error("carol has a part")
	}
}

// TestHostileTexts shows that texts of the maximum length are read in time and memory in
// proportion to it.
func TestHostileTexts(t *testing.T) {
	fill := func(begin, part, end string) string {
		return begin + strings.Repeat(part, (secretflow.MaxText-len(begin)-len(end))/len(part)) + end
	}
	for name, text := range map[string]string{
		"nesting":            strings.Repeat("[", secretflow.MaxText),
		"nested objects":     strings.Repeat(`{"a":`, secretflow.MaxText/5),
		"unknown keys":       fill("{", `"a":1,`, "}"),
		"parts":              fill(`{"partyConfigs":{`, `a:{},`, "}}"),
		"parties":            fill(`{"predictorParties":[`, `"a",`, "]}"),
		"features":           fill(`{"partyConfigs":{"alice":{"serverConfig":{"featureMapping":{`, `"a":"b",`, "}}}}}"),
		"escapes":            fill(`{"`, `\u0041`, `":1}`),
		"references":         fill(`{"a":"`, `$(CLUSTER_DEFINE)`, `"}`),
		"numbers":            fill(`{"partyConfigs":`, `1`, `}`),
		"longer than it may": strings.Repeat("{", 50*secretflow.MaxText),
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			if found := secretflow.Check(documented(t, text)); len(found) == 0 || len(found) > 20 {
				t.Errorf("%d problems", len(found))
			}
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

// FuzzCheck shows that no text makes the check fail, and that it says as little as it may.
func FuzzCheck(f *testing.F) {
	for _, r := range secretflowtest.Answers(f) {
		f.Add(r.Serving.ServingInputConfig)
	}
	serving := documented(f, "")
	f.Fuzz(func(t *testing.T, text string) {
		serving.Text = &text
		for _, p := range secretflow.Check(serving) {
			if p.What == "" || len(p.Parties) == 0 || p.Versions() == 0 {
				t.Errorf("%+v", p)
			}
		}
	})
}

// BenchmarkCheck checks a text of 4 KB for two parties.
func BenchmarkCheck(b *testing.B) {
	mapping := func() string {
		var all []string
		for i := range 160 {
			all = append(all, fmt.Sprintf(`"v%d":"x%d"`, i, i))
		}
		return `,"serverConfig":{"featureMapping":{` + strings.Join(all, ",") + `}}`
	}()
	s := documented(b, both(mapping, mapping, ""))
	s.Runtime = secretflow.UnknownRuntime
	b.SetBytes(int64(len(*s.Text)))
	b.ReportAllocs()
	for b.Loop() {
		if found := secretflow.Check(s); len(found) > 0 {
			b.Fatal(found)
		}
	}
}

// TestLaterVersions shows that a name which no version that was read has is no certain problem of
// a version after them, and one of every other.
func TestLaterVersions(t *testing.T) {
	for name, text := range map[string]string{
		"a field":  both(`,"x":1`, "", ""),
		"a value":  strings.Replace(both("", "", ""), "ST_FILE", "ST_NEW", 1),
		"a number": strings.Replace(both("", "", ""), `"ST_FILE"`, "7", 1),
	} {
		for tag, certain := range map[string]bool{"0.9.0b0": true, "latest": true, "main": true, "sha256-1": true, "0.10.0b0": false, "1.0.0": false} {
			found := secretflow.Check(tagged(documented(t, text), tag))
			if len(found) != 1 || found[0].Versions().IsAll() != certain || strings.Contains(found[0].What, "up to 0.9 and the main branch of August 2025") == certain {
				t.Errorf("%s, %s: %+v", name, tag, found)
			}
		}
	}
	for name, text := range map[string]string{"no JSON": "{", "an empty source": both(`,"featureSourceConfig":{}`, "", "")} {
		if found := secretflow.Check(tagged(documented(t, text), "1.0.0")); len(found) != 1 || !found[0].Versions().IsAll() {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// tagged gives the image of the parties a tag.
func tagged(s secretflow.Serving, tag string) secretflow.Serving {
	for i := range s.Parties {
		image := *s.Parties[i].Image
		image.Tag = tag
		s.Parties[i].Image = &image
	}
	return s
}

// TestMissingLoadBalancer shows that the flag which all parties need is missed once, where it is.
func TestMissingLoadBalancer(t *testing.T) {
	for want, text := range map[string]string{
		"[alice bob]": both("", "", ""),
		"[bob]":       both(`,"channelDesc":{"protocol":"http"}`, "", ""),
	} {
		s := startedBy(secretflowtest.Command{Image: "mirror.example/secretflow/serving-anolis8", Command: []string{"./secretflow_serving", "--config_mode=kuscia", "--serving_config_file=/etc/kuscia/serving-config.conf"}}, documented(t, text))
		found := secretflow.Check(s)
		if len(found) != 1 || found[0].Place != secretflow.InImage || found[0].Path != "deploy_templates[0].containers[0].command" || fmt.Sprint(found[0].Parties) != want {
			t.Errorf("%s: %+v", want, found)
		}
	}
}

// manyParties is a serving of which each party has causes of its own.
func manyParties(t testing.TB, n int) secretflow.Serving {
	t.Helper()
	s := documented(t, "")
	image := *s.Parties[0].Image
	image.Containers = slices.Clone(image.Containers)
	image.Containers[0].Ports = nil
	s.Parties = nil
	var parts, names []string
	for i := range n {
		domain := fmt.Sprintf("p%d", i)
		s.Parties = append(s.Parties, secretflow.Party{Domain: domain, Image: &image})
		parts, names = append(parts, `"`+domain+`":{}`), append(names, `"`+domain+`"`)
	}
	text := `{"partyConfigs":{` + strings.Join(parts, ",") + `},"predictorParties":[` + strings.Join(names, ",") + `]}`
	s.Text = &text
	return s
}

// TestManyParties shows that the number of problems is bounded, certain ones first, and that
// twice as many parties need twice the memory.
func TestManyParties(t *testing.T) {
	s := manyParties(t, 1000)
	found := secretflow.Check(s)
	if len(found) != 20 {
		t.Errorf("%d problems", len(found))
	}
	if !slices.ContainsFunc(found, func(p secretflow.Problem) bool { return p.Place == secretflow.InImage && len(p.Parties) == 1000 }) {
		t.Errorf("no problem of all parties: %+v", found)
	}
	needs := func(n int) float64 {
		s := manyParties(t, n)
		return testing.AllocsPerRun(1, func() { secretflow.Check(s) })
	}
	if small, large := needs(500), needs(1000); large > 2.5*small {
		t.Errorf("%f allocations for 500 parties, %f for 1000", small, large)
	}
}

// BenchmarkManyParties checks 1000 parties with causes of their own.
func BenchmarkManyParties(b *testing.B) {
	s := manyParties(b, 1000)
	b.ReportAllocs()
	for b.Loop() {
		secretflow.Check(s)
	}
}

// TestVariableOfContainer shows that a value which a container sets itself is mended there, and
// one that is not known is not judged.
func TestVariableOfContainer(t *testing.T) {
	text := strings.ReplaceAll(both("", "", ""), "ST_FILE", "ST_OSS")
	const right = `{"accessKey":"a","secretKey":"s","endpoint":"http://e","bucket":"b"}`
	for value, want := range map[string]string{
		"{bad":                 "deploy_templates[0].containers[0].env",
		"":                     "", // no variable at all
		right:                  "",
		`{"accessKey":$(KEY)}`: "",
	} {
		s := documented(t, text)
		image := *s.Parties[0].Image
		image.Containers = slices.Clone(image.Containers)
		image.Containers[0].Env = map[string]string{"SERVING_OSS_META": value}
		for i := range s.Parties {
			s.Parties[i].Image = &image
			s.Parties[i].Store = func(string) (string, bool) { return right, true }
		}
		found := secretflow.Check(s)
		if want == "" && len(found) == 0 {
			continue
		}
		if len(found) != 1 || found[0].Place != secretflow.InImage || found[0].Path != want || strings.Contains(found[0].Allowed, "kuscia_config in the domain") || !strings.Contains(found[0].Allowed, "SERVING_OSS_META") {
			t.Errorf("%q: %+v", value, found)
		}
	}
}

// TestDeepTemplates shows that a file which the application can read is not called broken for what
// is not read here.
func TestDeepTemplates(t *testing.T) {
	for name, more := range map[string]string{
		"200 levels":   strings.Repeat("[", 200) + strings.Repeat("]", 200),
		"20000 levels": strings.Repeat("[", 20000) + strings.Repeat("]", 20000),
		"brackets":     `"` + strings.Repeat("[", 200) + `"`,
		"many digits":  "0." + strings.Repeat("0", 500) + "1",
	} {
		s := documented(t, "")
		image := *s.Parties[0].Image
		image.Templates = map[string]string{}
		for file, template := range s.Parties[0].Image.Templates {
			image.Templates[file] = strings.Replace(template, "{\n", `{"more":`+more+",", 1)
		}
		for i := range s.Parties {
			s.Parties[i].Image = &image
		}
		if found := secretflow.Check(s); len(found) > 0 {
			t.Errorf("%s: %+v", name, found)
		}
		bad := both(`,"x":1`, "", "")
		s.Text = &bad
		if found := secretflow.Check(s); len(found) != 1 {
			t.Errorf("%s: the text is not judged: %+v", name, found)
		}
	}
}
