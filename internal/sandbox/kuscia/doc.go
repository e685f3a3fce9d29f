// Package kuscia is the registry of the objects that the sandbox simulates.
package kuscia
