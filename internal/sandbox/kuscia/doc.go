// Package kuscia is the registry of the objects that the sandbox plays.
package kuscia
