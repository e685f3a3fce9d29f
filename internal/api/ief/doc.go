// Package ief is a client of the deployment API of Huawei Cloud's Intelligent
// EdgeFabric (IEF): the current version v3 and the earlier v2. It is written
// from the vendor's documents and the models of its Go SDK; no recording of a
// live service was at hand.
//
// The vendor's SDK is not used: it has no v2, no authentication by token, and
// brings 47 MB of modules. Its signature algorithm is a page of code here, held
// to the SDK's own signer by the vectors in testdata.
//
// Both versions are shown in the form of v3. What v2 says otherwise (numbers in
// place of texts, one container whose settings lie beside it) is translated in
// v2.go.
package ief
