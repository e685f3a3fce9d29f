// Package compat holds the provider to its promises to users of earlier
// releases. It has tests only.
//
// testdata/schema.json is what the provider shows of itself now, and testdata/
// releases has for each release what it showed then and a state that it wrote.
// A change of the schema is seen in review, one that breaks configurations or
// outputs needs a line with BREAKING in CHANGELOG.md, and the states plan empty
// for ever.
package compat
