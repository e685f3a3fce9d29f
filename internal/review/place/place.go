// Package place says how much each attribute of data, and of a data source, decides what can be read.
package place

import "strings"

// Weight is how much an attribute decides what can be read.
type Weight int

// The weights, the heaviest first.
const (
	Where     Weight = iota // where the data is
	Columns                 // which columns it has
	How                     // how it is read, and as whom
	Described               // a property that users name as they like
)

// where are the attributes that say where data is: of data, and of a data source, also if all of a block is not
// known.
var where = map[string]bool{
	"domain_id": true, "domaindata_id": true, "relative_uri": true, "datasource_id": true, "partition": true, "partition.type": true,
	"info_key": true, "localfs": true, "localfs.path": true, "oss": true, "oss.endpoint": true, "oss.bucket": true, "oss.prefix": true,
	"odps": true, "odps.endpoint": true, "odps.project": true, "database": true, "database.endpoint": true, "database.database": true,
}

// Of is the weight of the attribute at a path.
func Of(path []string) Weight {
	switch {
	case where[strings.Join(path, ".")]:
		return Where
	case path[0] == "columns":
		return Columns
	case path[0] == "attributes":
		return Described
	}
	return How
}
