package edgedeployment

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// The types of volumes.
const (
	volumeHostPath  = "hostPath"
	volumeEmptyDir  = "emptyDir"
	volumeConfigMap = "configMap"
	volumeSecret    = "secret"
)

// holdsFiles reports whether a volume shows the entries of an object as files,
// which can only be read.
func holdsFiles(volumeType string) bool {
	return volumeType == volumeConfigMap || volumeType == volumeSecret
}

// fillVolumes sets read_only where it is left out and the type of the volume
// decides it.
func fillVolumes(value tftypes.Value) tftypes.Value {
	filled, err := tftypes.Transform(value, func(at *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
		if !v.Type().Is(tftypes.Object{}) || !v.IsKnown() || v.IsNull() {
			return v, nil
		}
		var fields map[string]tftypes.Value
		if err := v.As(&fields); err != nil {
			return v, err //nolint:wrapcheck // of a known object it is never one
		}
		readOnly, isVolume := fields["read_only"]
		if !isVolume || !readOnly.IsNull() || !fields["type"].IsKnown() || fields["type"].IsNull() {
			return v, nil
		}
		var volumeType string
		if err := fields["type"].As(&volumeType); err != nil || !holdsFiles(volumeType) {
			return v, err //nolint:wrapcheck // of a known text it is never one
		}
		fields = maps.Clone(fields)
		fields["read_only"] = tftypes.NewValue(tftypes.Bool, true)
		return tftypes.NewValue(v.Type(), fields), nil
	})
	if err != nil {
		return value
	}
	return filled
}
