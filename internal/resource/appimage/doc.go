// Package appimage is kuscia_app_image: the resource, the list resource and the
// data sources kuscia_app_image and kuscia_app_images.
//
// An app image is deeply nested and the server answers it in full: what was
// left out comes back as "", [], {} or 0. So plan and state always hold the
// complete definition, and configuration, plan, state and answer are compared
// by meaning. Values are handled as trees (tftypes.Value) rather than structs,
// because in a configuration any part of any depth may be unknown.
//
// What Terraform needs to know of the attributes are the rows of schema.go; all
// that has to be decided about values follows from them (tfkit/definition), and
// tfkit/crud makes the resource. Left here are request.go and response.go (to
// the wire and back), check.go (what is refused), revision.go (the two hashes),
// filter.go (which app images of a list are wanted) and search.go, which goes
// through the pages of a list.
package appimage
