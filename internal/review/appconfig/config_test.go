package appconfig

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secretflow"
)

func TestModel(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, want string }{
		"an id":               {`{"modelId":"glm-1"}`, "glm-1"},
		"an id and a path":    {`{"model_id":"glm-1","sourcePath":"a/b.tar.gz"}`, "glm-1, a/b.tar.gz"},
		"that of the party":   {`{"partyConfigs":{"alice":{"modelConfig":{"modelId":"a"}},"bob":{"modelConfig":{"modelId":"b"}}}}`, "a"},
		"names of the proto":  {`{"party_configs":{"alice":{"model_config":{"model_id":"a","source_path":"/a"}}}}`, "a, /a"},
		"no part of its own":  {`{"partyConfigs":{"bob":{"modelConfig":{"modelId":"b"}}},"model":"m"}`, ""},
		"a source":            {`{"partyConfigs":{"alice":{"modelConfig":{"modelId":"a","sourceType":"ST_HTTP","sourcePath":"http://key:secret@m/x?secret"}}}}`, "a, ST_HTTP http://…@m/x?…"},
		"a number as source":  {`{"partyConfigs":{"alice":{"modelConfig":{"modelId":"a","sourceType":1}}}}`, "a, ST_FILE"},
		"nearly JSON":         {`{'partyConfigs':{'alice':{'modelConfig':{'modelId':'a','sourcePath':'/a',},},},}`, "a, /a"},
		"features":            {`{"partyConfigs":{"alice":{"modelConfig":{"modelId":"a"},"featureSourceConfig":{"httpOpts":{"endpoint":"http://key:secret@f/?secret"}}}}}`, "a, features: httpOpts http://…@f/?…"},
		"mock features":       {`{"partyConfigs":{"alice":{"featureSourceConfig":{"mockOpts":{}}}}}`, "features: mockOpts"},
		"somewhere in a text": {`{"z":{"modelId":"deep"},"parties":{"bob":{"modelId":"b"}}}`, ""},
		"the top of a text":   {`{"z":{"modelId":"deep"},"modelName":"high"}`, "high"},
		"no credentials":      {`{"modelUri":"s3://key:secret@bucket/model?signature=secret"}`, "s3://…@bucket/model?…"},
		"no model":            {`{"threads":4}`, ""},
		"an id that is none":  {`{"modelId":{"x":1}}`, ""},
		"the party, no model": {`{"partyConfigs":{"alice":{"serverConfig":{}}}}`, ""},
		"the party, null":     {`{"partyConfigs":{"alice":null}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := readConfig(plan.Value{Raw: test.text})
			if !c.Known {
				t.Fatal("the text is not read")
			}
			if got := c.Model("alice"); got != test.want {
				t.Errorf("model %q, want %q", got, test.want)
			}
		})
	}
	change := ReadChange(plan.Value{Raw: `{partyConfigs:{'alice':{"modelConfig":{"modelId":"a"}}},}`}, plan.Value{Raw: `{"partyConfigs":{"alice":{"modelConfig":{"modelId":"b"}}}}`})
	if got := change.Causes("text"); !change.Differs || len(got) != 1 || got[0] != "text: partyConfigs.alice.modelConfig.modelId" {
		t.Errorf("differs %t, by %q", change.Differs, got)
	}
	twice := `{"partyConfigs":{"alice":{"modelConfig":{"modelId":"evil"},"featureSourceConfig":{"httpOpts":{"endpoint":"http://f"}}}},"party_configs":{"bob":{}}}`
	change = ReadChange(plan.Value{Raw: `{"partyConfigs":{"alice":{"modelConfig":{"modelId":"m"}},"bob":{}}}`}, plan.Value{Raw: twice})
	if got := change.Differences(); len(got) != 4 || got[1].After.Text() != "evil" || change.Known() || !change.ChangesFeatures() || !change.ReadsFeatures() {
		t.Errorf("of parties in two maps differ %+v", got)
	}
	for name, text := range map[string]string{
		"no JSON": "not JSON", "no object": `["modelId"]`, "more than fits Linux": `{"partyConfigs":{"alice":{"modelConfig":{"modelId":"` + strings.Repeat("a", secretflow.MaxText) + `"}}}}`,
	} {
		if c := readConfig(plan.Value{Raw: text}); c.Known || c.Model("alice") != "" {
			t.Errorf("%s: it is read, with the model %q", name, c.Model("alice"))
		}
	}
}

// TestSpelling: texts differ unless only white space or the order of keys does, and where what is read of them has
// not all that differs, the texts show it.
func TestSpelling(t *testing.T) {
	t.Parallel()
	x := func(value string) string { return `{"partyConfigs":{"alice":{"x":` + value + `}}}` }
	for name, test := range map[string]struct {
		before, after string
		// want are the causes, none for the same text.
		want string
		// isRaw: the texts are to be shown as a whole.
		isRaw bool
	}{
		"white space":                   {x("1"), "{ \"partyConfigs\":\n{\"alice\":{\"x\":1}}}\n", "", false},
		"the order of keys":             {`{"a":"1","b":{"c":1,"d":[1,2]}}`, `{"b":{"d":[1,2],"c":1},"a":"1"}`, "", false},
		"a large number":                {x("1234567890123456789"), x("1234567890123456800"), "text: partyConfigs.alice.x", false},
		"a precise number":              {x("0.1"), x("0.10000000000000000001"), "text: partyConfigs.alice.x", false},
		"a number as others read it":    {x("1"), x("1.0"), "text: partyConfigs.alice.x", false},
		"a number of no application":    {`{"id":9007199254740993}`, `{"id":9007199254740992}`, "text: id", false},
		"a number and a text":           {x("1"), x(`"1"`), "text: partyConfigs.alice.x", false},
		"half of a character":           {x(`"\ud800"`), x(`"\ud801"`), "text", true},
		"an escape":                     {x(`"$(A)"`), x(`"\u0024(A)"`), "text", true},
		"an escape in a key":            {`{"a":1}`, `{"\u0061":1}`, "text", true},
		"a comma at the end":            {`{'partyConfigs':{}}`, `{'partyConfigs':{},}`, "text", true},
		"no JSON any longer":            {`{"a":1}`, `{a:1}`, "text", true},
		"what only this parser skips":   {x("1"), "\v" + x("1"), "text", true},
		"the order of a key":            {`{"modelConfig":{},"model_config":{}}`, `{"model_config":{},"modelConfig":{}}`, "text", true},
		"a decoy":                       {`{"a":"\ud800","b":1}`, `{"a":"\ud801","b":2}`, "text: b", true},
		"a decoy beside null":           {`{"a":null,"b":1}`, `{"b":2}`, "text: b", true},
		"many parts":                    {`{"a":null,"b":{"c":[1,"\n"],"d":{}}}`, `{"a":1,"b":{"c":[2,"\n",3],"d":[]}}`, "text: a, text: b.c.0, text: b.c.2, text: b.d", false},
		"null and nothing":              {x("null"), `{"partyConfigs":{"alice":{}}}`, "text", false},
		"the order of a key in escapes": {`{"x":1,"\u0078":1}`, `{"\u0078":1,"x":1}`, "text", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 2 {
				c := ReadChange(plan.Value{Raw: test.before}, plan.Value{Raw: test.after})
				got := ""
				if c.Differs {
					got = strings.Join(c.Causes("text"), ", ")
				}
				if got != test.want || c.OnlyInText != test.isRaw || test.isRaw && c.Known() {
					t.Errorf("causes %q, only in the text %t, known %t", got, c.OnlyInText, c.Known())
				}
				test.before, test.after = test.after, test.before
			}
		})
	}
	d := ReadChange(plan.Value{Raw: x("1234567890123456789")}, plan.Value{Raw: x("1.0")}).Differences()
	if len(d) != 1 || d[0].Before.Text() != "1234567890123456789" || d[0].After.Text() != "1.0" {
		t.Errorf("%+v", d)
	}
}

// TestWithoutCredentials: no credential of an address is shown, and always its host.
func TestWithoutCredentials(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"http://h.example/a/b":        "http://h.example/a/b",
		"http://h.example:80/a@b":     "http://h.example:80/a@b",
		"http://h.example/?@x":        "http://h.example/?…",
		"http://h.example/m#@":        "http://h.example/m#…",
		"http://h.example?a=@":        "http://h.example?…",
		"http://u@h.example/a":        "http://…@h.example/a",
		"http://u:p@h.example/a?b":    "http://…@h.example/a?…",
		"s3://k:p/q@h.example/a":      "s3://…@h.example/a",
		"s3://k:p?q@h.example":        "s3://…",
		"http://h.example;token=x":    "http://h.example;…",
		"u:p@h.example":               "…@h.example",
		"image:1@sha256:abc":          "image:1@sha256:abc",
		"what is no address, a:b@c d": "…@c d",
		"mail@example":                "mail@example",
	} {
		if got := WithoutCredentials(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}
