package datasource

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// types are all types, and blocks the block of each type.
var (
	types = []string{
		kuscia.DataSourceLocalFS, kuscia.DataSourceOSS, kuscia.DataSourceODPS, kuscia.DataSourceMySQL,
		kuscia.DataSourcePostgreSQL, kuscia.DataSourceHive, kuscia.DataSourceDameng,
	}
	blocks = map[string]string{
		kuscia.DataSourceLocalFS: attrLocalFS, kuscia.DataSourceOSS: attrOSS, kuscia.DataSourceODPS: attrODPS,
		kuscia.DataSourceMySQL: attrDatabase, kuscia.DataSourcePostgreSQL: attrDatabase, kuscia.DataSourceHive: attrDatabase, kuscia.DataSourceDameng: attrDatabase,
	}
)

// accessAttributes returns the attributes that specify how the data are accessed, of which
// one must be set.
func accessAttributes() []path.Path {
	return []path.Path{path.Root(attrLocalFS), path.Root(attrOSS), path.Root(attrDatabase), path.Root(attrODPS), path.Root(attrInfoKey)}
}

// checkSource adds the issues of a data source.
func checkSource(c *check.Checker, source *kuscia.DomainDataSource) {
	kind := path.Root(attrType)
	if source.Type == "" {
		c.Add(check.Refused, kind, "", "Missing type", "type must not be empty: use "+tfvalue.Alternatives(types)+".")
	}
	c.OneOf(check.Refused, kind, "", source.Type, types, "It is case-sensitive.")
	ways := setAccessAttributes(source)
	block, known := blocks[source.Type]
	switch {
	case len(ways) == 0:
		c.Add(check.Refused, kind, "", "Missing access information",
			fmt.Sprintf("Exactly one of localfs, oss, database, odps and info_key is needed; for the type %q set %s or info_key.", httpapi.Text(source.Type), cmp.Or(block, "the block of the type")), accessAttributes()...)
	case len(ways) > 1:
		c.Add(check.Refused, path.Root(ways[1]), "", "Conflicting access information",
			fmt.Sprintf("Exactly one of localfs, oss, database, odps and info_key is allowed, and %s are given. Kuscia would ignore all but one. Keep one of them.", strings.Join(ways, " and ")), accessAttributes()...)
	case known && ways[0] != block && ways[0] != attrInfoKey:
		c.Add(check.Refused, path.Root(ways[0]), "", "Block of another type",
			fmt.Sprintf("%s does not belong to the type %q. Set %s or info_key instead, or correct type.", ways[0], httpapi.Text(source.Type), block), kind)
	}
	if source.Info != nil {
		checkInfo(c, source)
	}
}

// setAccessAttributes returns the names of the access attributes that are set.
func setAccessAttributes(source *kuscia.DomainDataSource) (ways []string) {
	if info := source.Info; info != nil {
		for _, way := range []struct {
			name string
			is   bool
		}{{attrLocalFS, info.LocalFS != nil}, {attrOSS, info.OSS != nil}, {attrDatabase, info.Database != nil}, {attrODPS, info.ODPS != nil}} {
			if way.is {
				ways = append(ways, way.name)
			}
		}
	}
	if source.InfoKey != "" {
		ways = append(ways, attrInfoKey)
	}
	return ways
}

// checkInfo checks the attributes of a block.
func checkInfo(c *check.Checker, source *kuscia.DomainDataSource) {
	need := func(block, name, value string) {
		if value != "" {
			return
		}
		at := path.Root(block).AtName(name)
		detail := fmt.Sprintf("%s.%s must not be empty.", block, name)
		needs := []path.Path{path.Root(attrType)}
		if name == attrKeyID || name == attrKeySecret {
			detail = fmt.Sprintf("%s.%s must not be empty: set it, or %[2]s_wo with %[2]s_wo_version.", block, name)
			needs = append(needs, path.Root(block).AtName(name+"_wo"))
		}
		c.Add(check.Refused, at, "", "Missing value", detail, needs...)
	}
	if i := source.Info.LocalFS; i != nil {
		need(attrLocalFS, attrPath, strings.TrimRight(i.Path, "/"))
	}
	if i := source.Info.OSS; i != nil {
		need(attrOSS, attrEndpoint, i.Endpoint)
		need(attrOSS, attrBucket, strings.Trim(i.Bucket, "/"))
		need(attrOSS, attrKeyID, i.AccessKeyID)
		need(attrOSS, attrKeySecret, i.AccessKeySecret)
	}
	if i := source.Info.Database; i != nil && source.Type == kuscia.DataSourceDameng {
		need(attrDatabase, attrEndpoint, i.Endpoint)
		need(attrDatabase, attrDatabase, i.Database)
	}
	if i := source.Info.ODPS; i != nil {
		need(attrODPS, attrProject, i.Project)
		need(attrODPS, attrKeyID, i.AccessKeyID)
		need(attrODPS, attrKeySecret, i.AccessKeySecret)
		if !strings.HasPrefix(i.Endpoint, "http://") && !strings.HasPrefix(i.Endpoint, "https://") {
			c.Add(check.Refused, path.Root(attrODPS).AtName(attrEndpoint), "", "Invalid endpoint", "The endpoint of MaxCompute begins with http:// or https://.")
		}
	}
}
