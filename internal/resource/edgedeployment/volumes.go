package edgedeployment

import (
	"maps"

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

// fillVolumes sets an unset read_only if it follows from the type of the
// volume. It is unknown as long as the type is unknown.
func fillVolumes(value tftypes.Value) tftypes.Value {
	filled, err := tftypes.Transform(value, func(_ *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
		if !v.Type().Is(tftypes.Object{}) {
			return v, nil
		}
		fields := definition.FieldsOf(v)
		readOnly, isVolume := fields["read_only"]
		if !isVolume || !readOnly.IsNull() {
			return v, nil
		}
		var decided any = tftypes.UnknownValue
		if volumeType := fields["type"]; volumeType.IsKnown() {
			if !holdsFiles(definition.StringOf(volumeType)) {
				return v, nil
			}
			decided = true
		}
		fields = maps.Clone(fields)
		fields["read_only"] = tftypes.NewValue(tftypes.Bool, decided)
		return tftypes.NewValue(v.Type(), fields), nil
	})
	if err != nil {
		return value
	}
	return filled
}
