// Package appimage implements kuscia_app_image: the resource, the list resource
// and the data sources kuscia_app_image and kuscia_app_images.
//
// An app image is deeply nested, and the server returns all of its fields:
// omitted ones are "", [], {} or 0. Plan and state therefore contain the
// complete definition, and configuration, plan, state and response are compared
// by meaning. tfkit/crud implements this, based on the attributes in schema.go.
// The logic specific to app images is in request.go and response.go (conversion
// to and from the API), check.go (validation), revision.go (the two hashes),
// resource.go (the API calls, and the values for servings), search.go and
// filter.go (lists).
package appimage
