package sandbox

import (
	"encoding/json"
	"strings"
)

// operationTraits is what an error of an operation looks like.
type operationTraits struct {
	code     int32
	withData bool
	kind     string
}

func traitsOf(path string) operationTraits {
	op := strings.TrimPrefix(path, apiPrefix)
	traits := map[string]operationTraits{
		"serving/create":            {codeCreateServing, false, kindServings},
		"serving/query":             {codeQueryServing, true, kindServings},
		"serving/update":            {codeUpdateServing, false, kindServings},
		"serving/delete":            {codeDeleteServing, false, kindServings},
		"serving/status/batchQuery": {codeServingStatus, true, kindServings},
		"appimage/create":           {codeCreateAppImage, false, kindAppImages},
		"appimage/query":            {codeQueryAppImage, true, kindAppImages},
		"appimage/update":           {codeUpdateAppImage, false, kindAppImages},
		"appimage/delete":           {codeDeleteAppImage, false, kindAppImages},
		"appimage/batchQuery":       {codeBatchAppImages, true, kindAppImages},
		"appimage/list":             {codeListAppImages, true, kindAppImages},
		"domain/create":             {codeCreateDomain, false, kindDomains},
		"domain/query":              {codeQueryDomain, true, kindDomains},
		"domain/update":             {codeUpdateDomain, false, kindDomains},
		"domain/delete":             {codeDeleteDomain, false, kindDomains},
		"domain/batchQuery":         {codeDomainStatus, true, kindDomains},
	}
	if found, ok := traits[op]; ok {
		return found
	}
	return operationTraits{code: codeUnexpected}
}

// codeAnswer is the answer of the faults that answer a status code.
func (f *activeFault) codeAnswer(path string, body []byte) answer {
	traits := traitsOf(path)
	a := answer{code: traits.code, withData: traits.withData}
	switch f.Kind {
	case FaultMasterFailed:
		a.code, a.message = codeMasterFailed, "request master failed, dial tcp: connection refused"
	case FaultConflict:
		a.message = conflictError(traits.kind, nameIn(body))
	case FaultEtcdTimeout:
		a.message = "etcdserver: request timed out"
	case FaultPanic:
		return crash("runtime error: invalid memory address or nil pointer dereference")
	default:
		a.message = f.Message
	}
	if f.Code != 0 {
		a.code = f.Code
	}
	if f.Message != "" {
		a.message = f.Message
	}
	return a
}

// nameIn is the name of the object that a request is about.
func nameIn(body []byte) string {
	var names struct {
		ServingID string `json:"serving_id"`
		Name      string `json:"name"`
		DomainID  string `json:"domain_id"`
	}
	if err := json.Unmarshal(body, &names); err != nil {
		return ""
	}
	return names.ServingID + names.Name + names.DomainID
}
