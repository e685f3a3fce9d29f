// Package configtemplate renders the config templates of an app image as Kuscia's agent does
// (pkg/agent/middleware/plugins/hook/configrender in Kuscia's source).
//
// A template has keys in braces, {{.KEY}}. The agent fills them with the variables of the
// container and with entries of the configuration of the party's domain, and a key that neither
// has with nothing. Values are escaped for a JSON string.
package configtemplate
