package sandbox

import (
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// dataList is the data of a batch and of a list.
type dataList struct {
	List []kuscia.DomainData `json:"domaindata_list"`
}

func showData(r *record[dataSpec]) kuscia.DomainData {
	shown := kuscia.DomainData{
		DomainDataID: r.name, Name: r.spec.Name, Type: r.spec.Type, RelativeURI: r.spec.RelativeURI, DomainID: r.namespace,
		DataSourceID: r.spec.DataSourceID, Attributes: r.spec.Attributes, Columns: columns(r.spec.Columns), Vendor: r.spec.Vendor,
		Status: "Available", Author: r.spec.Author, FileFormat: r.spec.FileFormat.String(),
	}
	if shown.Attributes == nil {
		shown.Attributes = map[string]string{}
	}
	if partition := r.spec.Partition; partition != nil {
		shown.Partition = &kuscia.DataPartition{Type: partition.Type, Fields: columns(partition.Fields)}
	}
	return shown
}

// columns is a list that is never null.
func columns(list []kuscia.DataColumn) []kuscia.DataColumn {
	return append([]kuscia.DataColumn{}, list...)
}

func queryData(s *Server, from caller, request *QueryDomainDataRequest) answer {
	w := domainsOf(s.World)
	defer w.Enter()()
	key := deref(request.Data)
	if complaint := checkDataKey(key.DomainID, key.DomainDataID); complaint != "" {
		return refuseData(codeValidate, complaint)
	}
	if code, complaint := dataAllowed(s, from, key.DomainID); complaint != "" {
		return refuseData(code, complaint)
	}
	r := tableOf[dataSpec](w.World).get(key.DomainID, key.DomainDataID)
	if r == nil {
		return refuseData(codeDataUnknown, lookupError(kindData, key.DomainDataID))
	}
	return result(showData(r))
}

// refusedBefore is what the framework answers before the handler.
func refusedBefore(message string) answer {
	return answer{code: codeValidate, message: message, bare: true}
}

func batchQueryData(s *Server, from caller, request *BatchQueryDomainDataRequest) answer {
	w := domainsOf(s.World)
	defer w.Enter()()
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
			return refuseData(code, complaint)
		}
		if r := tableOf[dataSpec](w.World).get(key.DomainID, key.DomainDataID); r != nil {
			list.List = append(list.List, showData(r))
		}
	}
	return result(list)
}

func listData(s *Server, from caller, request *ListDomainDataRequest) answer {
	w := domainsOf(s.World)
	defer w.Enter()()
	if request.Data == nil {
		return refusedBefore("request data should not be nil")
	}
	filter := *request.Data
	if filter.DomainID == "" {
		return refusedBefore("request domainID should not be empty")
	}
	if code, complaint := dataAllowed(s, from, filter.DomainID); complaint != "" {
		return refuseData(code, complaint)
	}
	for _, value := range []string{filter.DomaindataType, filter.DomaindataVendor} {
		if complaint := selectorError(value); complaint != "" {
			return refuseData(codeListData, complaint)
		}
	}
	found := slices.DeleteFunc(tableOf[dataSpec](w.World).in(filter.DomainID), func(r *record[dataSpec]) bool {
		return filter.DomaindataType != "" && filter.DomaindataType != r.spec.Type ||
			filter.DomaindataVendor != "" && filter.DomaindataVendor != r.spec.Vendor
	})
	list := dataList{List: []kuscia.DomainData{}}
	for _, r := range found {
		list.List = append(list.List, showData(r))
	}
	return result(list)
}
