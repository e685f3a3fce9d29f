package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"path"
	"runtime/debug"
	"strings"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"
)

// licence is the license of this project's programs.
const licence = "MPL-2.0"

// bill lists the components of a program. content is the program binary, and
// version its version; if empty, the version is read from the binary.
func bill(info *debug.BuildInfo, content []byte, version string) *cyclonedx.BOM {
	if version == "" {
		version = info.Main.Version
	}
	sum := sha256.Sum256(content)
	program := component(cyclonedx.ComponentTypeApplication, info.Path, version)
	program.Name = path.Base(info.Path)
	program.Hashes = &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: fmt.Sprintf("%x", sum)}}
	program.Licenses = &cyclonedx.Licenses{{License: &cyclonedx.License{ID: licence}}}

	parts := []cyclonedx.Component{component(cyclonedx.ComponentTypeLibrary, "std", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, module := range info.Deps {
		if module.Replace != nil {
			module = module.Replace
		}
		part := component(cyclonedx.ComponentTypeLibrary, module.Path, module.Version)
		if module.Sum != "" {
			// Go's own checksum over the files of a module. It is not the hash
			// of a single file, so it is not listed as a hash.
			part.Properties = &[]cyclonedx.Property{{Name: "go:module:sum", Value: module.Sum}}
		}
		parts = append(parts, part)
	}
	refs := make([]string, len(parts))
	for i, part := range parts {
		refs[i] = part.BOMRef
	}

	bom := cyclonedx.NewBOM()
	bom.SerialNumber = serialNumber(sum)
	bom.Metadata = &cyclonedx.Metadata{Component: &program}
	bom.Components = &parts
	bom.Dependencies = &[]cyclonedx.Dependency{{Ref: program.BOMRef, Dependencies: &refs}}
	return bom
}

// component identifies a Go package or module by its package URL.
func component(kind cyclonedx.ComponentType, name, version string) cyclonedx.Component {
	url := "pkg:golang/" + strings.ToLower(name) + "@" + version
	return cyclonedx.Component{Type: kind, BOMRef: url, Name: name, Version: version, PackageURL: url}
}

// serialNumber derives the UUID of a bill from the program's hash (RFC 9562,
// version 8), so that it is the same for the same program.
func serialNumber(sum [sha256.Size]byte) string {
	id := sum[:16]
	id[6] = id[6]&0x0f | 0x80
	id[8] = id[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

func encode(bom *cyclonedx.BOM) ([]byte, error) {
	var text bytes.Buffer
	encoder := cyclonedx.NewBOMEncoder(&text, cyclonedx.BOMFileFormatJSON)
	encoder.SetPretty(true)
	if err := encoder.EncodeVersion(bom, cyclonedx.SpecVersion1_6); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}
