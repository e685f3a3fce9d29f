package domain

import (
	"fmt"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// The codes of grant operations, and the kind in the texts of the store.
const (
	codeCreateGrant   int32 = 11700
	codeUpdateGrant   int32 = 11701
	codeQueryGrant    int32 = 11702
	codeDeleteGrant   int32 = 11703
	codeGrantExists   int32 = 11704
	codeGrantNotFound int32 = 11705
	KindGrants              = "domaindatagrants"
)

// GrantObject declares the operations and the storage of grants.
var GrantObject = server.Object{
	Name: "domain_data_grants", Plural: KindGrants,
	Operations: map[string]server.Operation{
		"domaindatagrant/create":     server.Handle(codeCreateGrant, Of, createGrant).Data().OnLite(server.LiteOwn),
		"domaindatagrant/query":      server.Handle(codeQueryGrant, Of, queryGrant).Data().OnLite(server.LiteOwn),
		"domaindatagrant/update":     server.Handle(codeUpdateGrant, Of, updateGrant).OnLite(server.LiteOwn),
		"domaindatagrant/delete":     server.Handle(codeDeleteGrant, Of, deleteGrant).OnLite(server.LiteOwn),
		"domaindatagrant/batchQuery": server.Handle(codeQueryGrant, Of, batchQueryGrants).Data().OnLite(server.LiteOwn),
		"domaindatagrant/list":       server.Handle(codeQueryGrant, Of, listGrants).Data().OnLite(server.LiteOwn),
	},
	IDFields: []string{"domaindatagrant_id"},
	Save:     server.SaveTable[GrantSpec],
	Restore: server.RestoreTable(func(w *server.ControlPlane, r *cluster.Record[GrantSpec]) {
		Of(w).wakeGrant(r)
	}),
}

// GrantSpec is a stored grant, with its status.
type GrantSpec struct {
	Author, DomainDataID, GrantDomain string
	Limit                             *GrantLimit
	Description                       map[string]string
	Signature                         string
	// Data is the uid of the data, with which the grant is deleted.
	Data uint64
	// Copy: the grant is the copy of the grantee.
	Copy    bool
	Phase   string
	Message string
}

// GrantLimit is the limit of a grant.
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

func createGrant(w *Domains, s *server.Node, _ server.Caller, request *CreateDomainDataGrantRequest) server.Response {
	if message := checkCreateGrant(request); message != "" {
		return server.Refuse(server.CodeValidate, message)
	}
	data := server.TableOf[DataSpec](w.ControlPlane).Get(request.DomainID, request.DomaindataID)
	if data == nil {
		return server.Refuse(server.CodeValidate, fmt.Sprintf("domaindata [%s] not exists", request.DomaindataID))
	}
	id := request.DomaindatagrantID
	if id == "" {
		id = "domaindatagrant-" + engine.RandomHex(w.Rand)
	}
	grants := server.TableOf[GrantSpec](w.ControlPlane)
	if grants.Get(request.DomainID, id) != nil {
		return server.Refuse(codeCreateGrant, fmt.Sprintf("CreateDomainDataGrant failed, because domaindatagrant %s is exist", id))
	}
	if message := checkStoredGrant(id, request.GrantDomain); message != "" {
		return server.Refuse(codeCreateGrant, message)
	}
	s.PauseBeforeWrite()
	if grants.Get(request.DomainID, id) != nil {
		return server.Refuse(codeGrantExists, server.ExistsError(KindGrants, id))
	}
	spec := GrantSpec{Author: request.DomainID, DomainDataID: request.DomaindataID, Data: data.Uid}
	spec.change(request)
	w.wakeGrant(grants.Add(w.Engine, cluster.Key{Namespace: request.DomainID, Name: id}, spec))
	return server.Result(map[string]string{"domaindatagrant_id": id})
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
	if message := server.CheckName(request.DomainID, "domain_id"); message != "" {
		return message
	}
	if request.DomaindatagrantID != "" {
		return server.CheckName(request.DomaindatagrantID, "domaindatagrant_id")
	}
	return ""
}

func checkStoredGrant(id, grantDomain string) string {
	var errs server.FieldErrors
	errs.Label(grantDomain)
	return errs.Text("DomainDataGrant", id)
}

// change replaces the fields that an update replaces, by empty values if the
// request has none.
func (g *GrantSpec) change(request *CreateDomainDataGrantRequest) {
	g.GrantDomain, g.Description, g.Signature = request.GrantDomain, request.Description, request.Signature
	g.Limit = nil
	if given := request.Limit; given != nil {
		limit := *given
		// Whole seconds are stored, and 0 for times before 1970.
		limit.ExpirationTime = max(0, limit.ExpirationTime/NanosPerSecond*NanosPerSecond)
		g.Limit = &limit
	}
}

// NanosPerSecond is the unit of expiration times.
const NanosPerSecond = 1_000_000_000

func updateGrant(w *Domains, s *server.Node, _ server.Caller, request *UpdateDomainDataGrantRequest) server.Response {
	switch {
	case request.DomaindatagrantID == "":
		return server.Refuse(server.CodeValidate, "grantdomainid can't be null")
	case request.GrantDomain == "":
		return server.Refuse(server.CodeValidate, "grantdomain can't be null")
	case request.DomaindataID == "":
		return server.Refuse(server.CodeValidate, "domaindataid can't be null")
	case server.TableOf[DataSpec](w.ControlPlane).Get(request.DomainID, request.DomaindataID) == nil:
		return server.Refuse(server.CodeValidate, "domaindata can't be found")
	}
	r := server.TableOf[GrantSpec](w.ControlPlane).Get(request.DomainID, request.DomaindatagrantID)
	if r == nil {
		return server.Refuse(codeGrantNotFound, server.LookupError(KindGrants, request.DomaindatagrantID))
	}
	if r.Spec.DomainDataID != request.DomaindataID {
		return server.Refuse(server.CodeValidate, "domaindataid can't be changed.")
	}
	if message := checkStoredGrant(r.Name, request.GrantDomain); message != "" {
		return server.Refuse(codeUpdateGrant, message)
	}
	message, gone := server.WaitWriteWindow[GrantSpec](s, KindGrants, r)
	switch {
	case gone:
		return server.Refuse(codeGrantNotFound, message)
	case message != "":
		return server.Refuse(codeUpdateGrant, message)
	}
	spec := r.Spec
	spec.change((*CreateDomainDataGrantRequest)(request))
	if r.Set(w.Engine, spec) {
		w.grantChanged(r)
	}
	return server.Done()
}

// checkGrantKey is the store's error for an incomplete key.
func checkGrantKey(domainID, id string) string {
	switch {
	case id == "":
		return "resource name may not be empty"
	case domainID == "":
		return "an empty namespace may not be set when a resource name is provided"
	}
	return ""
}

func deleteGrant(w *Domains, _ *server.Node, _ server.Caller, request *DeleteDomainDataGrantRequest) server.Response {
	if message := checkGrantKey(request.DomainID, request.DomaindatagrantID); message != "" {
		return server.Refuse(codeDeleteGrant, message)
	}
	r := server.TableOf[GrantSpec](w.ControlPlane).Get(request.DomainID, request.DomaindatagrantID)
	if r == nil {
		return server.Refuse(codeGrantNotFound, server.LookupError(KindGrants, request.DomaindatagrantID))
	}
	w.removeGrant(r)
	return server.Done()
}

// showGrant is a grant in a response. The server omits description, signature,
// domain and the initiator of the limit.
func showGrant(r *cluster.Record[GrantSpec]) kuscia.DomainDataGrant {
	data := &kuscia.DomainDataGrantData{
		DomainDataGrantID: r.Name, Author: r.Spec.Author, DomainDataID: r.Spec.DomainDataID, GrantDomain: r.Spec.GrantDomain,
		Description: map[string]string{},
	}
	if limit := r.Spec.Limit; limit != nil {
		data.Limit = &kuscia.GrantLimit{
			ExpirationTime: kuscia.Int64(limit.ExpirationTime), UseCount: limit.UseCount, FlowID: limit.FlowID,
			Components: append([]string{}, limit.Components...), InputConfig: limit.InputConfig,
		}
	}
	status := &kuscia.DomainDataGrantStatus{Phase: r.Spec.Phase, Message: r.Spec.Message, Records: []kuscia.GrantUseRecord{}}
	return kuscia.DomainDataGrant{Data: data, Status: status}
}

func queryGrant(w *Domains, _ *server.Node, _ server.Caller, request *QueryDomainDataGrantRequest) server.Response {
	if message := checkGrantKey(request.DomainID, request.DomaindatagrantID); message != "" {
		return server.Refuse(codeQueryGrant, message)
	}
	r := server.TableOf[GrantSpec](w.ControlPlane).Get(request.DomainID, request.DomaindatagrantID)
	if r == nil {
		return server.Refuse(codeGrantNotFound, server.LookupError(KindGrants, request.DomaindatagrantID))
	}
	return server.Result(showGrant(r))
}

// elementStatus is the status of an element of a batch.
type elementStatus struct {
	Type    string `json:"@type"`
	Code    int32  `json:"code"`
	Message string `json:"message"`
	Details []any  `json:"details"`
}

func newElementStatus(code int32, message string) elementStatus {
	return elementStatus{Type: "type.googleapis.com/kuscia.proto.api.v1alpha1.Status", Code: code, Message: message, Details: []any{}}
}

func batchQueryGrants(w *Domains, _ *server.Node, _ server.Caller, request *BatchQueryDomainDataGrantRequest) server.Response {
	if len(request.Data) == 0 {
		return server.Response{Code: server.CodeValidate, Message: "BatchQueryDomainDataGrant.data can't be null", Data: []kuscia.DomainDataGrant{}}
	}
	list := make([]kuscia.DomainDataGrant, len(request.Data))
	details := make([]any, len(request.Data))
	empty, failed := 0, 0
	for i, key := range request.Data {
		r := server.TableOf[GrantSpec](w.ControlPlane).Get(key.DomainID, key.DomainDataGrantID)
		switch {
		case checkGrantKey(key.DomainID, key.DomainDataGrantID) != "":
			empty++
			details[i] = newElementStatus(server.CodeValidate, "QueryDomainDataGrantRequestData can't be null")
		case r == nil:
			failed++
			details[i] = newElementStatus(codeGrantNotFound, server.LookupError(KindGrants, key.DomainDataGrantID))
		default:
			details[i] = newElementStatus(server.CodeSuccess, server.SuccessMessage)
			list[i] = showGrant(r)
		}
	}
	if empty+failed == 0 {
		return server.Result(list)
	}
	message := fmt.Sprintf("BatchQuery has error. Empty/Error/Total(%d/%d/%d)", empty, failed, len(list))
	return server.Response{Code: codeQueryGrant, Message: message, Details: details, Data: list}
}

func listGrants(w *Domains, _ *server.Node, _ server.Caller, request *ListDomainDataGrantRequest) server.Response {
	filter := deref(request.Data)
	if filter.DomainID == "" {
		return server.Refuse(server.CodeValidate, "domain id can not be empty")
	}
	// Grants have no vendor label, so this filter finds nothing.
	found := slices.DeleteFunc(server.TableOf[GrantSpec](w.ControlPlane).In(filter.DomainID), func(r *cluster.Record[GrantSpec]) bool {
		return filter.DomaindataVendor != "" || filter.GrantDomain != "" && filter.GrantDomain != r.Spec.GrantDomain
	})
	list := []kuscia.DomainDataGrant{}
	for _, r := range found {
		list = append(list, showGrant(r))
	}
	return server.Result(struct {
		List []kuscia.DomainDataGrant `json:"domaindatagrant_list"`
	}{list})
}
