// Package ief is a client of the deployment API of Huawei Cloud's Intelligent
// EdgeFabric (IEF), in the current version v3 and the earlier v2. It is written
// from the vendor's documents and the models of its Go SDK; there was no
// recording of a live service.
//
// The vendor's SDK is not used: it has no v2 and no authentication by token,
// and adds 47 MB of modules. Its signature algorithm is a page of code here,
// which is tested with vectors made by the SDK's own signer (testdata).
//
// Both versions are represented by the types of v3. The differences of v2
// (numbers instead of strings, a single container whose settings are part of
// the deployment) are converted in v2.go.
package ief
