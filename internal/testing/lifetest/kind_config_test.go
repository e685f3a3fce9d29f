package lifetest_test

import "strings"

func init() {
	lives["kuscia_config"] = life{
		cli:     "in clear",
		servers: master,
		minimal: func(name string) attrs { return attrs{"key": name, "value": "one"} },
		variants: map[string]variant{
			"in clear":   {full: attrs{"value": "two"}, changed: attrs{"value": "three\n"}},
			"JSON":       {full: attrs{"value": jsonText}, changed: attrs{"value": `{"a":2}`}, spelled: attrs{"value": spelledJSON}},
			"write-only": {full: attrs{"value": nil, "value_wo": "two", "value_wo_version": 1}, changed: attrs{"value": nil, "value_wo": "three", "value_wo_version": 2}, hidden: []string{"value"}},
		},
		besides:      func(name string) attrs { return attrs{"key": name + "-other"} },
		warns:        []string{"not only white space or the order of keys"},
		replacements: map[string]func(string) attrs{"key": func(name string) attrs { return attrs{"key": name} }},
		bad: map[string]badInput{
			"empty":    {attrs{"value": ""}, "value", "Missing value"},
			"no value": {attrs{"value": nil}, "value", "An entry needs a value"},
			"no key":   {attrs{"key": "", "value": planted}, "key", "is not a key"},
			"two dots": {attrs{"key": "..", "value": planted}, "key", `".." is not a key`},
			"long key": {attrs{"key": strings.Repeat("k", 254), "value": planted}, "key", "is not a key"},
			"key":      {attrs{"key": "a/b"}, "key", `"a/b" is not a key`},
			"reserved": {attrs{"key": "domain-public-key"}, "key", "public key"},
			"too long": {attrs{"value": strings.Repeat(planted, 150_000)}, "value", "Value too long"},
		},
	}
}
