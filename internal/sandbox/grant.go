package sandbox

import (
	"fmt"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

const (
	codeCreateGrant  int32 = 11700
	codeUpdateGrant  int32 = 11701
	codeQueryGrant   int32 = 11702
	codeDeleteGrant  int32 = 11703
	codeGrantExists  int32 = 11704
	codeGrantUnknown int32 = 11705
	kindGrants             = "domaindatagrants"
)

var grantObject = Object{
	Name: "domain_data_grants", Kind: kindGrants,
	Operations: map[string]Operation{
		"domaindatagrant/create":     Handle(codeCreateGrant, createGrant).Data().OnLite(liteOwn),
		"domaindatagrant/query":      Handle(codeQueryGrant, queryGrant).Data().OnLite(liteOwn),
		"domaindatagrant/update":     Handle(codeUpdateGrant, updateGrant).OnLite(liteOwn),
		"domaindatagrant/delete":     Handle(codeDeleteGrant, deleteGrant).OnLite(liteOwn),
		"domaindatagrant/batchQuery": Handle(codeQueryGrant, batchQueryGrants).Data().OnLite(liteOwn),
		"domaindatagrant/list":       Handle(codeQueryGrant, listGrants).Data().OnLite(liteOwn),
	},
	Named: NamedBy("domaindatagrant_id"),
	Save:  saveTable[grantSpec],
	Restore: restoreTable(func(w *World, r *record[grantSpec]) {
		domainsOf(w).wakeGrant(r)
	}),
}

// grantSpec is a grant as it is stored, with its status.
type grantSpec struct {
	Author, DomainDataID, GrantDomain string
	Limit                             *GrantLimit
	Description                       map[string]string
	Signature                         string
	// Data is the uid of the data, with which the grant goes.
	Data uint64
	// Copy tells that the grant is the copy of the grantee.
	Copy    bool
	Phase   string
	Message string
}

// GrantLimit is limit of a grant.
type GrantLimit struct {
	ExpirationTime int64    `json:"expiration_time"`
	UseCount       int32    `json:"use_count"`
	FlowID         string   `json:"flow_id"`
	Components     []string `json:"components"`
	Initiator      string   `json:"initiator"`
	InputConfig    string   `json:"input_config"`
}

// The request messages of the grant operations.
type (
	// CreateDomainDataGrantRequest is the body of domaindatagrant/create.
	CreateDomainDataGrantRequest struct {
		Header            *kuscia.RequestHeader `json:"header"`
		DomaindatagrantID string                `json:"domaindatagrant_id"`
		DomaindataID      string                `json:"domaindata_id"`
		GrantDomain       string                `json:"grant_domain"`
		Limit             *GrantLimit           `json:"limit"`
		Description       map[string]string     `json:"description"`
		Signature         string                `json:"signature"`
		DomainID          string                `json:"domain_id"`
	}
	// UpdateDomainDataGrantRequest is the body of domaindatagrant/update.
	UpdateDomainDataGrantRequest CreateDomainDataGrantRequest
	// QueryDomainDataGrantRequest is the body of domaindatagrant/query.
	QueryDomainDataGrantRequest struct {
		Header            *kuscia.RequestHeader `json:"header"`
		DomainID          string                `json:"domain_id"`
		DomaindatagrantID string                `json:"domaindatagrant_id"`
	}
	// DeleteDomainDataGrantRequest is the body of domaindatagrant/delete.
	DeleteDomainDataGrantRequest QueryDomainDataGrantRequest
	// BatchQueryDomainDataGrantRequest is the body of
	// domaindatagrant/batchQuery.
	BatchQueryDomainDataGrantRequest struct {
		Header *kuscia.RequestHeader       `json:"header"`
		Data   []kuscia.DomainDataGrantKey `json:"data"`
	}
	// ListDomainDataGrantRequestData is the filter of a list.
	ListDomainDataGrantRequestData struct {
		DomainID         string `json:"domain_id"`
		GrantDomain      string `json:"grant_domain"`
		DomaindataVendor string `json:"domaindata_vendor"`
	}
	// ListDomainDataGrantRequest is the body of domaindatagrant/list.
	ListDomainDataGrantRequest struct {
		Header *kuscia.RequestHeader           `json:"header"`
		Data   *ListDomainDataGrantRequestData `json:"data"`
	}
)

func createGrant(s *Server, _ caller, request *CreateDomainDataGrantRequest) answer {
	w := domainsOf(s.World)
	defer w.Enter()()
	if complaint := checkCreateGrant(request); complaint != "" {
		return refuseData(codeValidate, complaint)
	}
	data := tableOf[dataSpec](w.World).get(request.DomainID, request.DomaindataID)
	if data == nil {
		return refuseData(codeValidate, fmt.Sprintf("domaindata [%s] not exists", request.DomaindataID))
	}
	id := request.DomaindatagrantID
	if id == "" {
		id = "domaindatagrant-" + RandomHex(w.Rand)
	}
	grants := tableOf[grantSpec](w.World)
	if grants.get(request.DomainID, id) != nil {
		return refuseData(codeCreateGrant, fmt.Sprintf("CreateDomainDataGrant failed, because domaindatagrant %s is exist", id))
	}
	if complaint := checkStoredGrant(id, request.GrantDomain); complaint != "" {
		return refuseData(codeCreateGrant, complaint)
	}
	s.PauseBeforeWrite()
	if grants.get(request.DomainID, id) != nil {
		return refuseData(codeGrantExists, existsError(kindGrants, id))
	}
	spec := grantSpec{Author: request.DomainID, DomainDataID: request.DomaindataID, Data: data.uid}
	spec.change(request)
	w.wakeGrant(grants.add(w.Engine, objectKey{request.DomainID, id}, spec))
	return result(map[string]string{"domaindatagrant_id": id})
}

func checkCreateGrant(request *CreateDomainDataGrantRequest) string {
	switch {
	case request.GrantDomain == "":
		return "grantdomain can't be null"
	case request.GrantDomain == request.DomainID:
		return "grantdomain can't be self"
	case request.DomaindataID == "":
		return "domaindata can't be null"
	}
	if complaint := checkName(request.DomainID, "domain_id"); complaint != "" {
		return complaint
	}
	if request.DomaindatagrantID != "" {
		return checkName(request.DomaindatagrantID, "domaindatagrant_id")
	}
	return ""
}

func checkStoredGrant(id, grantDomain string) string {
	var errs fieldErrors
	errs.label(grantDomain)
	return errs.text("DomainDataGrant", id)
}

// change replaces what an update replaces: by nothing where the request has
// none.
func (g *grantSpec) change(request *CreateDomainDataGrantRequest) {
	g.GrantDomain, g.Description, g.Signature = request.GrantDomain, request.Description, request.Signature
	g.Limit = nil
	if given := request.Limit; given != nil {
		limit := *given
		// Whole seconds are stored, and nothing for what is not after 1970.
		limit.ExpirationTime = max(0, limit.ExpirationTime/nanosPerSecond*nanosPerSecond)
		g.Limit = &limit
	}
}

const nanosPerSecond = 1_000_000_000

func updateGrant(s *Server, _ caller, request *UpdateDomainDataGrantRequest) answer {
	w := domainsOf(s.World)
	defer w.Enter()()
	switch {
	case request.DomaindatagrantID == "":
		return refuse(codeValidate, "grantdomainid can't be null")
	case request.GrantDomain == "":
		return refuse(codeValidate, "grantdomain can't be null")
	case request.DomaindataID == "":
		return refuse(codeValidate, "domaindataid can't be null")
	case tableOf[dataSpec](w.World).get(request.DomainID, request.DomaindataID) == nil:
		return refuse(codeValidate, "domaindata can't be found")
	}
	r := tableOf[grantSpec](w.World).get(request.DomainID, request.DomaindatagrantID)
	if r == nil {
		return refuse(codeGrantUnknown, lookupError(kindGrants, request.DomaindatagrantID))
	}
	if r.spec.DomainDataID != request.DomaindataID {
		return refuse(codeValidate, "domaindataid can't be changed.")
	}
	if complaint := checkStoredGrant(r.name, request.GrantDomain); complaint != "" {
		return refuse(codeUpdateGrant, complaint)
	}
	complaint, gone := overtaken[grantSpec](s, kindGrants, r)
	switch {
	case gone:
		return refuse(codeGrantUnknown, complaint)
	case complaint != "":
		return refuse(codeUpdateGrant, complaint)
	}
	spec := r.spec
	spec.change((*CreateDomainDataGrantRequest)(request))
	if r.set(w.Engine, spec) {
		w.grantChanged(r)
	}
	return done()
}

// checkGrantKey is the store's complaint about an incomplete key.
func checkGrantKey(domainID, id string) string {
	switch {
	case id == "":
		return "resource name may not be empty"
	case domainID == "":
		return "an empty namespace may not be set when a resource name is provided"
	}
	return ""
}

func deleteGrant(s *Server, _ caller, request *DeleteDomainDataGrantRequest) answer {
	w := domainsOf(s.World)
	defer w.Enter()()
	if complaint := checkGrantKey(request.DomainID, request.DomaindatagrantID); complaint != "" {
		return refuse(codeDeleteGrant, complaint)
	}
	r := tableOf[grantSpec](w.World).get(request.DomainID, request.DomaindatagrantID)
	if r == nil {
		return refuse(codeGrantUnknown, lookupError(kindGrants, request.DomaindatagrantID))
	}
	w.removeGrant(r)
	return done()
}

// showGrant is a grant in an answer. The server leaves out description,
// signature, domain and the initiator of the limit.
func showGrant(r *record[grantSpec]) kuscia.DomainDataGrant {
	data := &kuscia.DomainDataGrantData{
		DomainDataGrantID: r.name, Author: r.spec.Author, DomainDataID: r.spec.DomainDataID, GrantDomain: r.spec.GrantDomain,
		Description: map[string]string{},
	}
	if limit := r.spec.Limit; limit != nil {
		data.Limit = &kuscia.GrantLimit{
			ExpirationTime: kuscia.Int64(limit.ExpirationTime), UseCount: limit.UseCount, FlowID: limit.FlowID,
			Components: append([]string{}, limit.Components...), InputConfig: limit.InputConfig,
		}
	}
	status := &kuscia.DomainDataGrantStatus{Phase: r.spec.Phase, Message: r.spec.Message, Records: []kuscia.GrantUseRecord{}}
	return kuscia.DomainDataGrant{Data: data, Status: status}
}

func queryGrant(s *Server, _ caller, request *QueryDomainDataGrantRequest) answer {
	w := domainsOf(s.World)
	defer w.Enter()()
	if complaint := checkGrantKey(request.DomainID, request.DomaindatagrantID); complaint != "" {
		return refuseData(codeQueryGrant, complaint)
	}
	r := tableOf[grantSpec](w.World).get(request.DomainID, request.DomaindatagrantID)
	if r == nil {
		return refuseData(codeGrantUnknown, lookupError(kindGrants, request.DomaindatagrantID))
	}
	return result(showGrant(r))
}

// elementStatus is that of one element of a batch.
type elementStatus struct {
	Type    string `json:"@type"`
	Code    int32  `json:"code"`
	Message string `json:"message"`
	Details []any  `json:"details"`
}

func newElementStatus(code int32, message string) elementStatus {
	return elementStatus{Type: "type.googleapis.com/kuscia.proto.api.v1alpha1.Status", Code: code, Message: message, Details: []any{}}
}

func batchQueryGrants(s *Server, _ caller, request *BatchQueryDomainDataGrantRequest) answer {
	w := domainsOf(s.World)
	defer w.Enter()()
	if len(request.Data) == 0 {
		return answer{code: codeValidate, message: "BatchQueryDomainDataGrant.data can't be null", withData: true, data: []kuscia.DomainDataGrant{}}
	}
	list := make([]kuscia.DomainDataGrant, len(request.Data))
	details := make([]any, len(request.Data))
	empty, failed := 0, 0
	for i, key := range request.Data {
		r := tableOf[grantSpec](w.World).get(key.DomainID, key.DomainDataGrantID)
		switch {
		case checkGrantKey(key.DomainID, key.DomainDataGrantID) != "":
			empty++
			details[i] = newElementStatus(codeValidate, "QueryDomainDataGrantRequestData can't be null")
		case r == nil:
			failed++
			details[i] = newElementStatus(codeGrantUnknown, lookupError(kindGrants, key.DomainDataGrantID))
		default:
			details[i] = newElementStatus(codeSuccess, successMessage)
			list[i] = showGrant(r)
		}
	}
	if empty+failed == 0 {
		return result(list)
	}
	message := fmt.Sprintf("BatchQuery has error. Empty/Error/Total(%d/%d/%d)", empty, failed, len(list))
	return answer{code: codeQueryGrant, message: message, details: details, withData: true, data: list}
}

func listGrants(s *Server, _ caller, request *ListDomainDataGrantRequest) answer {
	w := domainsOf(s.World)
	defer w.Enter()()
	filter := deref(request.Data)
	if filter.DomainID == "" {
		return refuseData(codeValidate, "domain id can not be empty")
	}
	// No grant has a label with the vendor, so that this filter finds nothing.
	found := slices.DeleteFunc(tableOf[grantSpec](w.World).in(filter.DomainID), func(r *record[grantSpec]) bool {
		return filter.DomaindataVendor != "" || filter.GrantDomain != "" && filter.GrantDomain != r.spec.GrantDomain
	})
	list := []kuscia.DomainDataGrant{}
	for _, r := range found {
		list = append(list, showGrant(r))
	}
	return result(struct {
		List []kuscia.DomainDataGrant `json:"domaindatagrant_list"`
	}{list})
}
