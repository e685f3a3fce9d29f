package datasource

import (
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// The attributes that other files refer to.
const (
	attrDomainID     = "domain_id"
	attrDataSourceID = "datasource_id"
	attrType         = "type"
	attrName         = "name"
	attrAccess       = "access_directly"
	attrInfoKey      = "info_key"
	attrLocalFS      = "localfs"
	attrOSS          = "oss"
	attrDatabase     = "database"
	attrODPS         = "odps"
	attrPath         = "path"
	attrEndpoint     = "endpoint"
	attrBucket       = "bucket"
	attrKeyID        = "access_key_id"
	attrKeySecret    = "access_key_secret" //nolint:gosec // the name of an attribute
	attrProject      = "project"
)

// sourceSchema returns the schema of a data source. The attributes have the
// names of the API, with those of info at the top level.
func sourceSchema() definition.Schema {
	return definition.Schema{
		Description: "A data source of a domain: a folder, a bucket or a database that its domain data are in.\n\n" +
			"Only the node of the domain, autonomy or lite, may change data sources and see how the data are reached: give the provider the endpoint of that node, " +
			"with an alias where there are several (see the guide [Several Kuscias](../guides/several-kuscias.md)). A master refuses with code 11100.\n\n" +
			"Exactly one of `localfs`, `oss`, `database`, `odps` and `info_key` says how the data are reached. " +
			"Keys and passwords are hidden in plans and kept in the state; in their write-only form they are in neither. " +
			"A configuration that Terraform generates at an import leaves them out, and they stay as Kuscia has them until an update whose configuration has them; `\"\"` takes a password away. A replacement starts without those that the configuration does not have, and the plan warns.\n\n" +
			"The node cannot show a data source whose `info_key` has no configuration any more, or one that is not the JSON of its type, and the list of its domain fails with it. " +
			"A refresh then keeps the state and warns; write the configuration again, or change or destroy the data source. It cannot be imported like that.",
		Attributes: []definition.Attribute{
			{Name: attrDomainID, Replace: definition.Always, Description: "Domain that has the data source. Changing it replaces the data source."},
			{Name: attrDataSourceID, Presence: definition.ServerDefault, Replace: definition.Always, Generate: func(r definition.Reader) string { return kuscia.NewObjectID(r.Text(attrType)) },
				Description: "Id of the data source, unique in the domain: lower-case letters, digits, hyphens and dots, at most 63 characters. Left out, one is made up at create, from `type`. Changing it replaces the data source."},
			{Name: attrType, Description: "`localfs`, `oss`, `odps`, `mysql`, `postgresql`, `hive` or `dameng`."},
			{Name: attrName, Presence: definition.Optional, Description: "Name for people."},
			{Name: attrAccess, Type: definition.Bool, Presence: definition.Optional, Description: "Whether applications reach the data themselves rather than through the node's data proxy. Default `false`."},
			{Name: attrInfoKey, Presence: definition.Optional, Description: "Key of the node's configuration whose value says how the data are reached, as the JSON of the block that fits `type`. The configuration has to exist: an apply refuses another key before Kuscia, which takes any in an update, is told of it."},
			{Name: attrLocalFS, Type: definition.Object, Presence: definition.Nullable, Description: "A folder of the node, for the type `localfs`.", Attributes: []definition.Attribute{
				{Name: attrPath, SemanticEquality: sameFolder, Description: "The folder. Slashes at its end do not count."},
			}},
			{Name: attrOSS, Type: definition.Object, Presence: definition.Nullable, Description: "A bucket of an object store, for the type `oss`.", Attributes: append([]definition.Attribute{
				{Name: attrEndpoint, Description: "Address of the object store."},
				{Name: attrBucket, SemanticEquality: samePart, Description: "The bucket. Outer slashes do not count."},
				{Name: "prefix", Presence: definition.Optional, SemanticEquality: samePart, Description: "Folder in the bucket. Outer slashes do not count."},
				{Name: "virtualhost", Type: definition.Bool, Presence: definition.Optional, Description: "Whether the bucket is part of the host name. Default `false`."},
				{Name: "version", Presence: definition.Optional, Description: "Version of the protocol."},
				{Name: "storage_type", Presence: definition.Optional, Description: "`oss` or `minio`."},
			}, keyAttributes()...)},
			{Name: attrDatabase, Type: definition.Object, Presence: definition.Nullable, Description: "A database, for the types `mysql`, `postgresql`, `hive` and `dameng`.", Attributes: []definition.Attribute{
				{Name: attrEndpoint, Presence: definition.Optional, Description: "Address of the database, for example `db.example:3306`. Needed for `dameng`."},
				{Name: "user", Presence: definition.Optional, Description: "User of the database."},
				{Name: "password", Presence: definition.Optional, WriteOnly: true, Description: "Password of the user. Left out, none, but for what an import has read."},
				{Name: attrDatabase, Presence: definition.Optional, Description: "Name of the database. Needed for `dameng`."},
			}},
			{Name: attrODPS, Type: definition.Object, Presence: definition.Nullable, Description: "A project of MaxCompute, for the type `odps`.", Attributes: append([]definition.Attribute{
				{Name: attrEndpoint, Description: "Address, beginning with `http://` or `https://`."},
				{Name: attrProject, Description: "The project."},
			}, keyAttributes()...)},
		},
	}
}

func keyAttributes() []definition.Attribute {
	return []definition.Attribute{
		{Name: attrKeyID, Presence: definition.Optional, WriteOnly: true, Description: "Id of the access key. It is needed, in one of its two forms."},
		{Name: attrKeySecret, Presence: definition.Optional, WriteOnly: true, Description: "Secret of the access key. It is needed, in one of its two forms."},
	}
}

// sameFolder ignores trailing slashes, which Kuscia removes.
func sameFolder(a, b string) bool { return strings.TrimRight(a, "/") == strings.TrimRight(b, "/") }
func samePart(a, b string) bool   { return strings.Trim(a, "/") == strings.Trim(b, "/") }
