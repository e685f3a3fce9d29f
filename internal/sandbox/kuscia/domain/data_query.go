package domain

import (
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// dataList is the data of a batch and of a list.
type dataList struct {
	List []kuscia.DomainData `json:"domaindata_list"`
}

func showData(r *cluster.Record[DataSpec]) kuscia.DomainData {
	shown := kuscia.DomainData{
		DomainDataID: r.Name, Name: r.Spec.Name, Type: r.Spec.Type, RelativeURI: r.Spec.RelativeURI, DomainID: r.Namespace,
		DataSourceID: r.Spec.DataSourceID, Attributes: r.Spec.Attributes, Columns: columns(r.Spec.Columns), Vendor: r.Spec.Vendor,
		Status: "Available", Author: r.Spec.Author, FileFormat: r.Spec.FileFormat.String(),
	}
	if shown.Attributes == nil {
		shown.Attributes = map[string]string{}
	}
	if partition := r.Spec.Partition; partition != nil {
		shown.Partition = &kuscia.DataPartition{Type: partition.Type, Fields: columns(partition.Fields)}
	}
	return shown
}

// columns returns a list that is never nil.
func columns(list []kuscia.DataColumn) []kuscia.DataColumn {
	return append([]kuscia.DataColumn{}, list...)
}

func queryData(w *Domains, s *server.Node, from server.Caller, request *QueryDomainDataRequest) server.Response {
	key := deref(request.Data)
	r, code, complaint := w.findData(s, from, key.DomainID, key.DomainDataID)
	if complaint != "" {
		return server.Refuse(code, complaint)
	}
	return server.Result(showData(r))
}

// refusedBefore is the framework's response before the handler.
func refusedBefore(message string) server.Response {
	return server.Response{Code: server.CodeValidate, Message: message, Bare: true}
}

func batchQueryData(w *Domains, s *server.Node, from server.Caller, request *BatchQueryDomainDataRequest) server.Response {
	if len(request.Data) == 0 {
		return refusedBefore("request data should not be nil")
	}
	for _, key := range request.Data {
		switch {
		case key.DomainID == "":
			return refusedBefore("request domainID should not be empty")
		case key.DomainDataID == "":
			return refusedBefore("request domainDataID should not be empty")
		}
	}
	list := dataList{List: []kuscia.DomainData{}}
	for _, key := range request.Data {
		if code, complaint := dataAllowed(s, from, key.DomainID); complaint != "" {
			return server.Refuse(code, complaint)
		}
		if r := server.TableOf[DataSpec](w.ControlPlane).Get(key.DomainID, key.DomainDataID); r != nil {
			list.List = append(list.List, showData(r))
		}
	}
	return server.Result(list)
}

func listData(w *Domains, s *server.Node, from server.Caller, request *ListDomainDataRequest) server.Response {
	if request.Data == nil {
		return refusedBefore("request data should not be nil")
	}
	filter := *request.Data
	if filter.DomainID == "" {
		return refusedBefore("request domainID should not be empty")
	}
	if code, complaint := dataAllowed(s, from, filter.DomainID); complaint != "" {
		return server.Refuse(code, complaint)
	}
	for _, value := range []string{filter.DomaindataType, filter.DomaindataVendor} {
		if complaint := server.SelectorError(value); complaint != "" {
			return server.Refuse(codeListData, complaint)
		}
	}
	found := slices.DeleteFunc(server.TableOf[DataSpec](w.ControlPlane).In(filter.DomainID), func(r *cluster.Record[DataSpec]) bool {
		return filter.DomaindataType != "" && filter.DomaindataType != r.Spec.Type ||
			filter.DomaindataVendor != "" && filter.DomaindataVendor != r.Spec.Vendor
	})
	list := dataList{List: []kuscia.DomainData{}}
	for _, r := range found {
		list.List = append(list.List, showData(r))
	}
	return server.Result(list)
}
