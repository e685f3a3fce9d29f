package objects

import "time"

// DomainData is domain data.
type DomainData struct {
	Meta `json:"metadata"`
	Spec DomainDataSpec `json:"spec"`
}

// DomainDataSpec is what the KusciaAPI stores of domain data.
type DomainDataSpec struct {
	RelativeURI string            `json:"relativeURI"`
	Author      string            `json:"author"`
	Name        string            `json:"name"`
	Type        string            `json:"type"`
	DataSource  string            `json:"dataSource"`
	Attributes  map[string]string `json:"attributes,omitempty"`
	Partitions  *DataPartition    `json:"partitions,omitempty"`
	Columns     []DataColumn      `json:"columns,omitempty"`
	Vendor      string            `json:"vendor,omitempty"`
	FileFormat  string            `json:"fileFormat,omitempty"`
}

// DataPartition is how data are partitioned.
type DataPartition struct {
	Type   string       `json:"type"`
	Fields []DataColumn `json:"fields,omitempty"`
}

// DataColumn is a column of data.
type DataColumn struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Comment     string `json:"comment,omitempty"`
	NotNullable bool   `json:"notNullable,omitempty"`
}

// DomainDataSource is a source of domain data.
type DomainDataSource struct {
	Meta `json:"metadata"`
	Spec DomainDataSourceSpec `json:"spec"`
}

// EncryptedInfo is the key of the encrypted information of a data source.
const EncryptedInfo = "encryptedInfo"

// DomainDataSourceSpec is what the KusciaAPI stores of a data source.
type DomainDataSourceSpec struct {
	URI            string            `json:"uri"`
	Name           string            `json:"name"`
	Data           map[string]string `json:"data,omitempty"`
	Type           string            `json:"type"`
	InfoKey        string            `json:"infoKey,omitempty"`
	AccessDirectly bool              `json:"accessDirectly,omitempty"`
}

// DomainDataGrant is a grant of domain data to another domain.
type DomainDataGrant struct {
	Meta   `json:"metadata"`
	Spec   DomainDataGrantSpec   `json:"spec"`
	Status DomainDataGrantStatus `json:"status"`
}

// DomainDataGrantSpec is what the KusciaAPI stores of a grant.
type DomainDataGrantSpec struct {
	Author       string            `json:"author"`
	DomainDataID string            `json:"domainDataID"`
	Signature    string            `json:"signature,omitempty"`
	GrantDomain  string            `json:"grantDomain"`
	Limit        *GrantLimit       `json:"limit,omitempty"`
	Description  map[string]string `json:"description,omitempty"`
}

// GrantLimit is the limit of a grant.
type GrantLimit struct {
	ExpirationTime *time.Time `json:"expirationTime,omitempty"`
	UseCount       int32      `json:"useCount,omitempty"`
	GrantMode      []string   `json:"grantMode,omitempty"`
	FlowID         string     `json:"flowID,omitempty"`
	Components     []string   `json:"components,omitempty"`
	Initiator      string     `json:"initiator,omitempty"`
	InputConfig    string     `json:"inputConfig,omitempty"`
}

// DomainDataGrantStatus is the status of a grant.
type DomainDataGrantStatus struct {
	Phase      string           `json:"phase"`
	Message    string           `json:"message"`
	UseRecords []GrantUseRecord `json:"use_records,omitempty"`
}

// GrantUseRecord is a use of granted data.
type GrantUseRecord struct {
	UseTime     time.Time `json:"use_time"`
	GrantDomain string    `json:"grant_domain"`
	Component   string    `json:"component,omitempty"`
	Output      string    `json:"output,omitempty"`
}

// Labels of domain data and grants. LabelOwner is the name of the original of a copy.
const (
	LabelDataType     = "kuscia.secretflow/domaindata-type"
	LabelDataVendor   = "kuscia.secretflow/domaindata-vendor"
	LabelDataID       = "kuscia.secretflow/domaindataid"
	LabelGrantDomain  = "kuscia.secretflow/domaindatagrant-domain"
	LabelOwner        = "kuscia.secretflow/owner-references"
	LabelInterConn    = "kuscia.secretflow/interconn-protocol-type"
	AnnotationStarter = "kuscia.secretflow/initiator"
)
