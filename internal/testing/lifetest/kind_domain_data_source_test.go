package lifetest_test

import (
	"context"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

func init() {
	keys := func(id, secret string) attrs { return attrs{"access_key_id": id, "access_key_secret": secret} }
	hidden := func(id, secret string, version int) attrs {
		return attrs{"access_key_id_wo": id, "access_key_id_wo_version": version, "access_key_secret_wo": secret, "access_key_secret_wo_version": version}
	}
	of := func(kind string, block attrs) attrs { return with(attrs{"type": kind, "localfs": nil}, block) }
	oss := func(n string, more attrs) attrs {
		return with(attrs{"endpoint": n + ".oss.example", "bucket": "b" + n, "prefix": "p" + n, "virtualhost": n == "1", "version": "s3v" + n, "storage_type": map[string]string{"1": "oss", "2": "minio"}[n]}, more)
	}
	odps := func(n string, more attrs) attrs {
		return with(attrs{"endpoint": "http://odps" + n + ".example", "project": "p" + n}, more)
	}
	database := func(n string, more attrs) attrs {
		return with(attrs{"endpoint": "db" + n + ".example:3306", "user": "u" + n, "database": "d" + n}, more)
	}
	lives["kuscia_domain_data_source"] = life{
		cli: "database",
		servers: func(t *testing.T) *servers {
			t.Helper()
			s := nodeOfAlice(t)
			for _, key := range []string{"first", "second"} {
				s.env.Do(func(ctx context.Context, api *kuscia.Client) error {
					err := api.CreateConfig(ctx, kuscia.ConfigEntry{Key: key, Value: `{"endpoint":"` + key + `:1","user":"u","password":"p"}`})
					for seen := ""; err == nil && seen == ""; { // a node sees some entries late
						seen, err = api.QueryConfig(ctx, key)
						time.Sleep(time.Millisecond)
					}
					return err
				})()
			}
			return s
		},
		minimal: func(name string) attrs {
			return attrs{"domain_id": "alice", "datasource_id": name, "type": "localfs", "localfs": attrs{"path": "/data"}}
		},
		variants: map[string]variant{
			"folder": {
				full:    attrs{"name": "folder", "access_directly": true, "localfs": attrs{"path": "/data/one"}},
				changed: attrs{"name": "other", "access_directly": false, "localfs": attrs{"path": "/data/two"}},
				spelled: attrs{"localfs": attrs{"path": "/data/one/"}},
			},
			"bucket": {
				full: of("oss", attrs{"oss": oss("1", keys("i", "s"))}), changed: of("oss", attrs{"oss": oss("2", keys("j", "t"))}),
				spelled: attrs{"oss": attrs{"bucket": "/b1", "prefix": "p1/"}},
			},
			"bucket, write-only": {
				full: of("oss", attrs{"oss": oss("1", hidden("i", "s", 1))}), changed: of("oss", attrs{"oss": oss("1", hidden("j", "t", 2))}),
				hidden: []string{"oss.access_key_id", "oss.access_key_secret"},
			},
			"project": {full: of("odps", attrs{"odps": odps("1", keys("i", "s"))}), changed: of("odps", attrs{"odps": odps("2", keys("j", "t"))})},
			"project, write-only": {
				full: of("odps", attrs{"odps": odps("1", hidden("i", "s", 1))}), changed: of("odps", attrs{"odps": odps("1", hidden("j", "t", 2))}),
				hidden: []string{"odps.access_key_id", "odps.access_key_secret"},
			},
			"database": {
				full:    of("mysql", attrs{"database": database("1", attrs{"password": "p"})}),
				changed: of("postgresql", attrs{"database": database("2", attrs{"password": "q"})}),
			},
			"database, write-only": {
				full:    of("mysql", attrs{"database": database("1", attrs{"password_wo": "p", "password_wo_version": 1})}),
				changed: of("mysql", attrs{"database": database("1", attrs{"password_wo": "q", "password_wo_version": 2})}),
				hidden:  []string{"database.password"},
			},
			"entry": {full: of("mysql", attrs{"info_key": "first"}), changed: of("mysql", attrs{"info_key": "second"})},
			"another type": {
				full: attrs{"localfs": attrs{"path": "/data"}}, changed: of("mysql", attrs{"database": database("1", nil)}),
				together: [][]string{{"type", "localfs", "database"}},
			},
		},
		besides:      func(string) attrs { return attrs{"name": "besides"} },
		replacements: map[string]func(string) attrs{"datasource_id": func(name string) attrs { return attrs{"datasource_id": name} }},
		bad: map[string]badInput{
			"two blocks": {attrs{"info_key": "first"}, "info_key", "localfs"},
			"type":       {attrs{"type": "ftp"}, "type", `"ftp" is not allowed`},
			"capitals":   {attrs{"type": "MySQL"}, "type", `use "localfs"`},
			"another's":  {attrs{"type": "mysql"}, "localfs", "Set database or info_key instead"},
			"no path":    {attrs{"localfs": attrs{"path": ""}}, "localfs", "localfs.path must not be empty."},
			"no key id":  {of("oss", attrs{"oss": oss("1", attrs{"access_key_secret": planted})}), "oss", "access_key_id_wo with access_key_id_wo_version"},
			"no host":    {of("oss", attrs{"oss": oss("1", with(keys(planted, planted), attrs{"endpoint": ""}))}), "oss", "oss.endpoint must not be empty"},
			"no key":     {of("oss", attrs{"oss": oss("1", attrs{"access_key_id": planted})}), "oss", "oss.access_key_secret"},
			"no version": {of("oss", attrs{"oss": oss("1", attrs{"access_key_id": planted, "access_key_secret_wo": planted})}), "oss", "Set access_key_secret_wo_version"},
			"two forms":  {of("oss", attrs{"oss": oss("1", with(keys(planted, planted), hidden(planted, planted, 1)))}), "oss", "Both access_key_id and access_key_id_wo are set"},
			"dameng":     {of("dameng", attrs{"database": database("1", attrs{"endpoint": nil})}), "database", "database.endpoint"},
			"endpoint":   {of("odps", attrs{"odps": odps("1", with(keys(planted, planted), attrs{"endpoint": "odps.example"}))}), "odps", "http:// or https://"},
			"no block":   {attrs{"type": "oss", "localfs": nil}, "type", `for the type "oss" set oss or info_key`},
			"unknown":    {attrs{"type": "ftp", "localfs": nil}, "type", "set the block of the type or info_key"},
			"project":    {of("odps", attrs{"odps": odps("1", with(keys(planted, planted), attrs{"project": ""}))}), "odps", "odps.project must not be empty"},
			"no type":    {attrs{"type": ""}, "type", "type must not be empty"},
			"odps key":   {of("odps", attrs{"odps": odps("1", attrs{"access_key_id": planted})}), "odps", "odps.access_key_secret"},
		},
	}
}
