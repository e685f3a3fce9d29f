// Package config implements the resource and data source kuscia_config: a key
// and value in the configuration of one node.
package config
