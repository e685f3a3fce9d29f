// Package appimage is kuscia_app_image: the resource, the list resource and the
// data sources kuscia_app_image and kuscia_app_images.
//
// An app image is deeply nested and the server answers it in full: what was
// left out comes back as "", [], {} or 0. So plan and state always hold the
// complete definition, and configuration, plan, state and answer are compared
// by meaning. Values are handled as trees (tftypes.Value) rather than structs,
// because in a configuration any part of any depth may be unknown.
//
// Pure functions do all the work: model.go (what leaving out an attribute means
// and when two spellings are the same), complete.go (the complete definition,
// the differences), request.go and response.go (tree to wire and back),
// check.go (what is refused), revision.go (the two hashes), plan.go (what a
// difference becomes), filter.go (which app images of a list are wanted).
// search.go goes through the pages of a list. resource.go, the list resource
// and the data sources only call and save.
package appimage
