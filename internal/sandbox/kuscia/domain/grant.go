package domain

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// The codes of grant operations.
const (
	codeCreateGrant   int32 = 11700
	codeUpdateGrant   int32 = 11701
	codeQueryGrant    int32 = 11702
	codeDeleteGrant   int32 = 11703
	codeGrantExists   int32 = 11704
	codeGrantNotFound int32 = 11705
)

var (
	grantKind  = objects.KindOf[objects.DomainDataGrant]()
	grantCodes = server.StoreCodes{NotFound: codeGrantNotFound, Exists: codeGrantExists}
)

// GrantObject declares the operations and the storage of grants.
var GrantObject = server.Object{
	Name: "domain_data_grants", Kind: grantKind, Table: server.AsTable[objects.DomainDataGrant],
	Operations: map[string]server.Operation{
		"domaindatagrant/create":     server.Handle(codeCreateGrant, Of, createGrant).Data().OnLite(server.LiteOwn),
		"domaindatagrant/query":      server.Handle(codeQueryGrant, Of, queryGrant).Data().OnLite(server.LiteOwn),
		"domaindatagrant/update":     server.Handle(codeUpdateGrant, Of, updateGrant).OnLite(server.LiteOwn),
		"domaindatagrant/delete":     server.Handle(codeDeleteGrant, Of, deleteGrant).OnLite(server.LiteOwn),
		"domaindatagrant/batchQuery": server.Handle(codeQueryGrant, Of, batchQueryGrants).Data().OnLite(server.LiteOwn),
		"domaindatagrant/list":       server.Handle(codeQueryGrant, Of, listGrants).Data().OnLite(server.LiteOwn),
	},
	IDFields: []string{"domaindatagrant_id"},
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
	if message := w.checkCreateGrant(request); message != "" {
		return server.Refuse(server.CodeValidate, message)
	}
	data := w.data.Get(request.DomainID, request.DomaindataID)
	switch {
	case data == nil && !w.Version.Has(versions.GrantIDs):
		return server.Refuse(server.CodeValidate, w.grantText("domaindata can't be found"))
	case data == nil:
		return server.Refuse(server.CodeValidate, fmt.Sprintf("domaindata [%s] not exists", request.DomaindataID))
	}
	id := request.DomaindatagrantID
	if id == "" || !w.Version.Has(versions.GrantIDs) {
		id = "domaindatagrant-" + engine.RandomHex(w.Rand)
	}
	if w.grants.Get(request.DomainID, id) != nil {
		return server.Refuse(codeCreateGrant, fmt.Sprintf("CreateDomainDataGrant failed, because domaindatagrant %s is exist", id))
	}
	if message := checkStoredGrant(id, request.GrantDomain); message != "" {
		return server.Refuse(codeCreateGrant, message)
	}
	s.PauseBeforeWrite()
	grant := &objects.DomainDataGrant{Meta: objects.Meta{Namespace: request.DomainID, Name: id, OwnerReferences: objects.OwnedBy(data)}}
	changeGrant(grant, request)
	grant.Label(objects.LabelDataID, request.DomaindataID)
	grant.Label(objects.LabelInterConn, interConn)
	grant.Annotate(objects.AnnotationStarter, request.DomainID)
	if err := w.grants.Create(grant); err != nil {
		return grantCodes.Refuse(codeCreateGrant, err)
	}
	return server.Result(map[string]string{"domaindatagrant_id": id})
}

// grantText is the text of an error of a version.
func (w *Domains) grantText(text string) string {
	if w.Version.Has(versions.GrantErrorTexts) {
		return text
	}
	return strings.ReplaceAll(text, "can't", "cant")
}

func (w *Domains) checkCreateGrant(request *CreateDomainDataGrantRequest) string {
	switch {
	case request.GrantDomain == "":
		return w.grantText("grantdomain can't be null")
	case request.GrantDomain == request.DomainID:
		return w.grantText("grantdomain can't be self")
	case request.DomaindataID == "":
		return w.grantText("domaindata can't be null")
	}
	if !w.Version.Has(versions.GrantIDs) {
		return ""
	}
	if message := server.CheckName(w.Version, request.DomainID, "domain_id"); message != "" {
		return message
	}
	if request.DomaindatagrantID != "" {
		return server.CheckName(w.Version, request.DomaindatagrantID, "domaindatagrant_id")
	}
	return ""
}

func checkStoredGrant(id, grantDomain string) string {
	var errs server.FieldErrors
	errs.Label(grantDomain)
	return errs.Text("DomainDataGrant", id)
}

// changeGrant replaces all that an update replaces, by empty values if the request has none.
func changeGrant(grant *objects.DomainDataGrant, request *CreateDomainDataGrantRequest) {
	grant.Label(objects.LabelGrantDomain, request.GrantDomain)
	grant.Spec = objects.DomainDataGrantSpec{
		Author: request.DomainID, DomainDataID: request.DomaindataID, GrantDomain: request.GrantDomain,
		Description: request.Description, Signature: request.Signature,
	}
	if given := request.Limit; given != nil {
		grant.Spec.Limit = &objects.GrantLimit{
			UseCount: given.UseCount, GrantMode: []string{"normal"}, FlowID: given.FlowID, Components: given.Components,
			Initiator: given.Initiator, InputConfig: given.InputConfig,
		}
		if given.ExpirationTime > 0 { // whole seconds are stored
			grant.Spec.Limit.ExpirationTime = new(time.Unix(given.ExpirationTime/NanosPerSecond, 0).UTC())
		}
	}
}

// NanosPerSecond is the unit of expiration times.
const NanosPerSecond = 1_000_000_000

func updateGrant(w *Domains, s *server.Node, _ server.Caller, request *UpdateDomainDataGrantRequest) server.Response {
	switch {
	case request.DomaindatagrantID == "":
		return server.Refuse(server.CodeValidate, w.grantText("grantdomainid can't be null"))
	case request.GrantDomain == "":
		return server.Refuse(server.CodeValidate, w.grantText("grantdomain can't be null"))
	case request.DomaindataID == "":
		return server.Refuse(server.CodeValidate, w.grantText("domaindataid can't be null"))
	case w.data.Get(request.DomainID, request.DomaindataID) == nil:
		return server.Refuse(server.CodeValidate, w.grantText("domaindata can't be found"))
	}
	grant := w.grants.Get(request.DomainID, request.DomaindatagrantID)
	if grant == nil {
		return grantCodes.Refuse(codeUpdateGrant, grantKind.Missing(request.DomaindatagrantID))
	}
	if grant.Spec.DomainDataID != request.DomaindataID {
		return server.Refuse(server.CodeValidate, "domaindataid can't be changed.")
	}
	if message := checkStoredGrant(grant.Name, request.GrantDomain); message != "" {
		return server.Refuse(codeUpdateGrant, message)
	}
	s.PauseBeforeWrite()
	changeGrant(grant, (*CreateDomainDataGrantRequest)(request))
	return grantCodes.DoneUnless(codeUpdateGrant, w.grants.Update(grant))
}

// grantCodes are those of a query and of a delete.
func (w *Domains) grantCodes() server.StoreCodes {
	if w.Version.Has(versions.GrantIDs) {
		return grantCodes
	}
	return server.StoreCodes{}
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
	return w.grantCodes().DoneUnless(codeDeleteGrant, w.grants.Delete(request.DomainID, request.DomaindatagrantID))
}

// showGrant is a grant in a response. The server omits description, signature,
// domain and the initiator of the limit.
func showGrant(grant *objects.DomainDataGrant) kuscia.DomainDataGrant {
	data := &kuscia.DomainDataGrantData{
		DomainDataGrantID: grant.Name, Author: grant.Spec.Author, DomainDataID: grant.Spec.DomainDataID, GrantDomain: grant.Spec.GrantDomain,
		Description: map[string]string{},
	}
	if limit := grant.Spec.Limit; limit != nil {
		data.Limit = &kuscia.GrantLimit{
			UseCount: limit.UseCount, FlowID: limit.FlowID, Components: append([]string{}, limit.Components...), InputConfig: limit.InputConfig,
		}
		if limit.ExpirationTime != nil {
			data.Limit.ExpirationTime = kuscia.Int64(limit.ExpirationTime.UnixNano())
		}
	}
	status := &kuscia.DomainDataGrantStatus{Phase: grant.Status.Phase, Message: grant.Status.Message, Records: []kuscia.GrantUseRecord{}}
	for _, use := range grant.Status.UseRecords {
		status.Records = append(status.Records, kuscia.GrantUseRecord{
			UseTime: kuscia.Int64(use.UseTime.UnixNano()), GrantDomain: use.GrantDomain, Component: use.Component, Output: use.Output,
		})
	}
	return kuscia.DomainDataGrant{Data: data, Status: status}
}

func queryGrant(w *Domains, _ *server.Node, _ server.Caller, request *QueryDomainDataGrantRequest) server.Response {
	if message := checkGrantKey(request.DomainID, request.DomaindatagrantID); message != "" {
		return server.Refuse(codeQueryGrant, message)
	}
	grant := w.grants.Get(request.DomainID, request.DomaindatagrantID)
	if grant == nil {
		return w.grantCodes().Refuse(codeQueryGrant, grantKind.Missing(request.DomaindatagrantID))
	}
	return server.Result(showGrant(grant))
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
	if len(request.Data) == 0 && w.Version.Has(versions.GrantBatchErrors) {
		return server.Response{Code: server.CodeValidate, Message: "BatchQueryDomainDataGrant.data can't be null", Data: []kuscia.DomainDataGrant{}}
	}
	list := make([]kuscia.DomainDataGrant, len(request.Data))
	details := make([]any, len(request.Data))
	empty, failed := 0, 0
	for i, key := range request.Data {
		grant := w.grants.Get(key.DomainID, key.DomainDataGrantID)
		switch {
		case checkGrantKey(key.DomainID, key.DomainDataGrantID) != "":
			empty++
			details[i] = newElementStatus(server.CodeValidate, "QueryDomainDataGrantRequestData can't be null")
		case grant == nil:
			failed++
			details[i] = newElementStatus(codeGrantNotFound, grantKind.Missing(key.DomainDataGrantID).Error())
		default:
			details[i] = newElementStatus(server.CodeSuccess, server.SuccessMessage)
			list[i] = showGrant(grant)
		}
	}
	if empty+failed == 0 || !w.Version.Has(versions.GrantBatchErrors) {
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
	// No grant has the label of a vendor, so this filter finds nothing.
	labels := given(map[string]string{"kuscia.secretflow/domaindatagrant-vendor": filter.DomaindataVendor, objects.LabelGrantDomain: filter.GrantDomain})
	list := []kuscia.DomainDataGrant{}
	for _, grant := range w.grants.With(filter.DomainID, labels) {
		list = append(list, showGrant(grant))
	}
	return server.Result(struct {
		List []kuscia.DomainDataGrant `json:"domaindatagrant_list"`
	}{list})
}

// given are the labels of a filter that have a value.
func given(labels map[string]string) map[string]string {
	maps.DeleteFunc(labels, func(_, value string) bool { return value == "" })
	return labels
}
