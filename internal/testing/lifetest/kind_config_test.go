package lifetest_test

import "strings"

func init() {
	lives["kuscia_config"] = life{
		cli:     "in clear",
		servers: master,
		minimal: func(name string) attrs { return attrs{"key": name, "value": "one"} },
		variants: map[string]variant{
			"in clear":   {full: attrs{"value": "two"}, changed: attrs{"value": "three\n"}},
			"write-only": {full: attrs{"value": nil, "value_wo": "two", "value_wo_version": 1}, changed: attrs{"value": nil, "value_wo": "three", "value_wo_version": 2}, hidden: []string{"value"}},
		},
		replacements: map[string]func(string) attrs{"key": func(name string) attrs { return attrs{"key": name} }},
		bad: map[string]badInput{
			"empty":    {attrs{"value": ""}, "value", "Missing value"},
			"key":      {attrs{"key": "a/b"}, "key", `"a/b" is not a key`},
			"reserved": {attrs{"key": "domain-public-key"}, "key", "public key"},
			"too long": {attrs{"value": strings.Repeat("x", 1<<20)}, "value", "Value too long"},
		},
	}
}
