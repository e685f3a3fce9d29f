package lifetest_test

func init() {
	column := func(name, kind, comment string, more attrs) attrs {
		return with(attrs{"name": name, "type": kind, "comment": comment}, more)
	}
	lives["kuscia_domain_data"] = life{
		cli:     "everything",
		servers: withData,
		minimal: func(name string) attrs {
			return attrs{"domain_id": "alice", "domaindata_id": name, "type": "table", "relative_uri": "dir/table.csv", "allow_removal_of": []any{"partitions.fields.notNullable"}}
		},
		variants: map[string]variant{
			"everything": {
				full: attrs{
					"name": "scores", "type": "table", "relative_uri": "scores/2026.csv", "attributes": attrs{"a": "1", "b": jsonText}, "vendor": "team", "file_format": "CSV",
					"columns":   []any{column("id", "str", "key", attrs{"not_nullable": true}), column("score", "float", "of 2026", attrs{"not_nullable": false})},
					"partition": attrs{"type": "path", "fields": []any{column("day", "str", "of the year", nil)}},
				},
				changed: attrs{
					"name": `a "b"`, "type": "model", "relative_uri": "${x}", "attributes": attrs{"a": "%{if}", "b": jsonText}, "vendor": "other", "file_format": "BINARY",
					"columns":   []any{column("key", "int", "other", attrs{"not_nullable": false}), column("score", "float", "of 2026", attrs{"not_nullable": false})},
					"partition": attrs{"type": "odps", "fields": []any{column("week", "int", "", nil)}},
				},
				spelled: attrs{"attributes": attrs{"a": "1", "b": spelledJSON}},
			},
			"emptied": {
				full:     attrs{"attributes": attrs{"a": "1"}, "file_format": "CSV", "columns": []any{column("id", "str", "", nil)}, "partition": attrs{"type": "path"}},
				changed:  attrs{"attributes": attrs{}, "file_format": "UNKNOWN", "columns": []any{}, "partition": nil},
				replaced: []string{"attributes", "columns", "file_format", "partition"},
			},
		},
		replacements: map[string]func(string) attrs{
			"domaindata_id": func(name string) attrs { return attrs{"domaindata_id": name} },
		},
		bad: map[string]badInput{
			"id":                {attrs{"domaindata_id": "No_Id"}, "domaindata_id", "No_Id"},
			"id of two dots":    {attrs{"domaindata_id": "a..b"}, "domaindata_id", "is not an ID"},
			"leading slash":     {attrs{"relative_uri": "/dir/a"}, "relative_uri", `use "dir/a"`},
			"type with a space": {attrs{"type": "a b"}, "type", "Kubernetes label"},
			"vendor":            {attrs{"vendor": "-x"}, "vendor", "Kubernetes label"},
			"format in lower":   {attrs{"file_format": "csv"}, "file_format", `use "CSV", "BINARY" or "UNKNOWN"`},
			"partition":         {attrs{"partition": attrs{"type": ""}}, "partition", `Set "path" or "odps"`},
			"empty path":        {attrs{"relative_uri": ""}, "relative_uri", "must not be empty"},
			"empty name":        {attrs{"name": ""}, "name", "Omit it"},
			"null in columns":   {attrs{"columns": []any{nil}}, "columns", "must not be null"},
		},
		uncovered: map[string]string{"datasource_id": "another one has to be on the node: see resource/domaindata"},
		warns:     []string{"may be lost", "deletes its grants", "is not known yet"},
	}
}
