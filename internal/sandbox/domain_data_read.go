package sandbox

import "slices"

// shownData are domain data in an answer.
type shownData struct {
	DomaindataID string            `json:"domaindata_id"`
	Name         string            `json:"name"`
	Type         string            `json:"type"`
	RelativeURI  string            `json:"relative_uri"`
	DomainID     string            `json:"domain_id"`
	DatasourceID string            `json:"datasource_id"`
	Attributes   map[string]string `json:"attributes"`
	Partition    *Partition        `json:"partition"`
	Columns      []DataColumn      `json:"columns"`
	Vendor       string            `json:"vendor"`
	Status       string            `json:"status"`
	Author       string            `json:"author"`
	FileFormat   string            `json:"file_format"`
}

// dataList is the data of a batch and of a list.
type dataList struct {
	List []shownData `json:"domaindata_list"`
}

func showData(r *record[dataSpec]) shownData {
	shown := shownData{
		DomaindataID: r.name, Name: r.spec.Name, Type: r.spec.Type, RelativeURI: r.spec.RelativeURI, DomainID: r.namespace,
		DatasourceID: r.spec.DataSourceID, Attributes: r.spec.Attributes, Columns: columns(r.spec.Columns), Vendor: r.spec.Vendor,
		Status: "Available", Author: r.spec.Author, FileFormat: r.spec.FileFormat.String(),
	}
	if shown.Attributes == nil {
		shown.Attributes = map[string]string{}
	}
	if partition := r.spec.Partition; partition != nil {
		shown.Partition = &Partition{Type: partition.Type, Fields: columns(partition.Fields)}
	}
	return shown
}

// columns is a list that is never null.
func columns(list []DataColumn) []DataColumn { return append([]DataColumn{}, list...) }

func (s *Sandbox) queryData(from caller, request *QueryDomainDataRequest) answer {
	w := s.world
	defer w.enter()()
	key := deref(request.Data)
	if complaint := checkDataKey(key.DomainID, key.DomaindataID); complaint != "" {
		return refuseData(codeValidate, complaint)
	}
	if code, complaint := s.dataAllowed(from, key.DomainID); complaint != "" {
		return refuseData(code, complaint)
	}
	r := tableOf[dataSpec](w).get(key.DomainID, key.DomaindataID)
	if r == nil {
		return refuseData(codeDataUnknown, lookupError(kindData, key.DomaindataID))
	}
	return result(showData(r))
}

// refusedBefore is what the framework answers before the handler.
func refusedBefore(message string) answer {
	return answer{code: codeValidate, message: message, bare: true}
}

func (s *Sandbox) batchQueryData(from caller, request *BatchQueryDomainDataRequest) answer {
	w := s.world
	defer w.enter()()
	if len(request.Data) == 0 {
		return refusedBefore("request data should not be nil")
	}
	for _, key := range request.Data {
		switch {
		case key.DomainID == "":
			return refusedBefore("request domainID should not be empty")
		case key.DomaindataID == "":
			return refusedBefore("request domainDataID should not be empty")
		}
	}
	list := dataList{List: []shownData{}}
	for _, key := range request.Data {
		if code, complaint := s.dataAllowed(from, key.DomainID); complaint != "" {
			return refuseData(code, complaint)
		}
		if r := tableOf[dataSpec](w).get(key.DomainID, key.DomaindataID); r != nil {
			list.List = append(list.List, showData(r))
		}
	}
	return result(list)
}

func (s *Sandbox) listData(from caller, request *ListDomainDataRequest) answer {
	w := s.world
	defer w.enter()()
	if request.Data == nil {
		return refusedBefore("request data should not be nil")
	}
	filter := *request.Data
	if filter.DomainID == "" {
		return refusedBefore("request domainID should not be empty")
	}
	if code, complaint := s.dataAllowed(from, filter.DomainID); complaint != "" {
		return refuseData(code, complaint)
	}
	for _, value := range []string{filter.DomaindataType, filter.DomaindataVendor} {
		if complaint := selectorError(value); complaint != "" {
			return refuseData(codeListData, complaint)
		}
	}
	found := slices.DeleteFunc(tableOf[dataSpec](w).in(filter.DomainID), func(r *record[dataSpec]) bool {
		return filter.DomaindataType != "" && filter.DomaindataType != r.spec.Type ||
			filter.DomaindataVendor != "" && filter.DomaindataVendor != r.spec.Vendor
	})
	list := dataList{List: []shownData{}}
	for _, r := range found {
		list.List = append(list.List, showData(r))
	}
	return result(list)
}
