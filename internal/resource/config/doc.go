// Package config is the resource and data source kuscia_config: a key and value
// of the configuration of one node.
package config
