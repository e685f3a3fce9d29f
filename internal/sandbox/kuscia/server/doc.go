// Package server is the KusciaAPI of one node, without the objects: paths,
// requests, envelopes, permissions, and the store that objects share. An object
// registers its operations and what it stores in the state file as an Object.
package server
