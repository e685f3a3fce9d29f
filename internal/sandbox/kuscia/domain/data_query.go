package domain

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// dataList is the data of a batch and of a list.
type dataList struct {
	List []kuscia.DomainData `json:"domaindata_list"`
}

func showData(data *objects.DomainData) kuscia.DomainData {
	spec := data.Spec
	shown := kuscia.DomainData{
		DomainDataID: data.Name, Name: spec.Name, Type: spec.Type, RelativeURI: spec.RelativeURI, DomainID: data.Namespace,
		DataSourceID: spec.DataSource, Attributes: spec.Attributes, Columns: columns(spec.Columns), Vendor: spec.Vendor,
		Status: "Available", Author: spec.Author, FileFormat: shownFormat(spec.FileFormat),
	}
	if shown.Attributes == nil {
		shown.Attributes = map[string]string{}
	}
	if partition := spec.Partitions; partition != nil {
		shown.Partition = &kuscia.DataPartition{Type: partition.Type, Fields: columns(partition.Fields)}
	}
	return shown
}

// columns returns a list that is never nil.
func columns(list []objects.DataColumn) []kuscia.DataColumn {
	shown := []kuscia.DataColumn{}
	for _, column := range list {
		shown = append(shown, kuscia.DataColumn(column))
	}
	return shown
}

func queryData(w *Domains, s *server.Node, from server.Caller, request *QueryDomainDataRequest) server.Response {
	key := deref(request.Data)
	data, refused := w.findData(s, from, key.DomainID, key.DomainDataID, codeQueryData)
	if data == nil {
		return refused
	}
	return server.Result(showData(data))
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
		if data := w.data.Get(key.DomainID, key.DomainDataID); data != nil {
			list.List = append(list.List, showData(data))
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
	labels := given(map[string]string{objects.LabelDataType: filter.DomaindataType, objects.LabelDataVendor: filter.DomaindataVendor})
	list := dataList{List: []kuscia.DomainData{}}
	for _, data := range w.data.With(filter.DomainID, labels) {
		list.List = append(list.List, showData(data))
	}
	return server.Result(list)
}
