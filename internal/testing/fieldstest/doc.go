// Package fieldstest has tests of the fields of Kuscia's custom resources that the KusciaAPI does not
// carry: the table in ../../tfkit/manifest/README.md says what a change does to each, and the tests walk it.
package fieldstest
