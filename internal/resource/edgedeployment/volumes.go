package edgedeployment

import (
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// The types of volumes.
const (
	volumeHostPath  = "hostPath"
	volumeEmptyDir  = "emptyDir"
	volumeConfigMap = "configMap"
	volumeSecret    = "secret"
)

// holdsFiles reports whether a volume mounts the entries of an object as files,
// which are read-only.
func holdsFiles(volumeType string) bool {
	return volumeType == volumeConfigMap || volumeType == volumeSecret
}

// readOnlyFiles is true for a volume with files, and unknown while the type of the volume is.
func readOnlyFiles(volume map[string]definition.Value) definition.Value {
	switch volumeType := volume["type"]; {
	case !volumeType.IsKnown():
		return tftypes.NewValue(tftypes.Bool, tftypes.UnknownValue)
	case holdsFiles(definition.StringOf(volumeType)):
		return definition.BoolValue(true)
	}
	return definition.Value{}
}
