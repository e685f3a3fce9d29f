// Package appimage is kuscia_app_image: the resource, the list resource and the
// data sources kuscia_app_image and kuscia_app_images.
//
// An app image is deeply nested and the server answers it in full: what was
// left out comes back as "", [], {} or 0. So plan and state always hold the
// complete definition, and configuration, plan, state and answer are compared
// by meaning. All of that is tfkit/crud's, by the rows in schema.go. What is an
// app image's own: request.go and response.go (to the wire and back), check.go
// (what is refused), revision.go (the two hashes), resource.go (the calls, and
// what servings are told), search.go and filter.go (lists).
package appimage
