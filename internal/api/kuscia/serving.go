package kuscia

import (
	"context"
	"fmt"
	"strings"
)

// Error codes of servings. There are none for not found, exists or conflict.
const (
	CodeCreateServing      int32 = 11600
	CodeQueryServing       int32 = 11601
	CodeQueryServingStatus int32 = 11602
	CodeUpdateServing      int32 = 11603
	CodeDeleteServing      int32 = 11604
)

const servingKind = "kusciadeployments.kuscia.secretflow"

var (
	opCreateServing = register(operation{Operation: create("serving/create"), code: CodeCreateServing, kind: servingKind, exists: servingExists})
	opQueryServing  = register(operation{Operation: post("serving/query"), code: CodeQueryServing, kind: servingKind})
	opUpdateServing = register(operation{Operation: update("serving/update"), code: CodeUpdateServing, kind: servingKind})
	opDeleteServing = register(operation{Operation: update("serving/delete"), code: CodeDeleteServing, kind: servingKind})
	opServingStatus = register(operation{Operation: post("serving/status/batchQuery"), code: CodeQueryServingStatus, kind: servingKind})
)

var _ = secretFields.add("serving_input_config")

// servingExists matches the text of the server's own check, with or without the
// namespace of KusciaDeployments.
func servingExists(id, message string) bool {
	return strings.HasPrefix(message, `serving "cross-domain/`+id+`" already exists`) ||
		strings.HasPrefix(message, `serving "`+id+`" already exists`)
}

// Serving states in ServingStatusDetail.State and PartyStatus.State. Kuscia
// v1.1 never returns "Pending": until the controller has observed the first
// party Deployment the whole status is null.
const (
	StateProgressing      = "Progressing"
	StatePartialAvailable = "PartialAvailable"
	StateAvailable        = "Available"
	StateFailed           = "Failed"
)

// Update strategy types; the server accepts exactly these values.
const (
	StrategyRollingUpdate = "RollingUpdate"
	StrategyRecreate      = "Recreate"
)

// DefaultMaxSurge and DefaultMaxUnavailable are Kuscia's defaults for a rolling
// update.
const (
	DefaultMaxSurge       = "25%"
	DefaultMaxUnavailable = "25%"
)

// Affinity modes of CreateServingRequest. Kuscia v1.1 treats an empty or
// unknown mode as anti-affinity and never returns the mode.
const (
	AffinityNone = "none"
	Affinity     = "affinity"
	AntiAffinity = "anti-affinity"
)

// CreateServingRequest is the body of POST /api/v1/serving/create.
type CreateServingRequest struct {
	Header *RequestHeader `json:"header,omitempty"`
	// ServingID is an RFC 1123 label of at most 63 characters. The server also
	// accepts dots, and then permanently fails to create Services.
	ServingID string `json:"serving_id"`
	// ServingInputConfig is the application's configuration text.
	ServingInputConfig string `json:"serving_input_config,omitempty"`
	// Initiator is the domain_id of one of the parties.
	Initiator string `json:"initiator"`
	// Parties are the participants, at least one, unique by (domain_id, role).
	Parties []ServingParty `json:"parties"`
	// AffinityMode is none, affinity or anti-affinity (since Kuscia v1.1,
	// silently ignored before).
	AffinityMode string `json:"affinity_mode,omitempty"`
}

// UpdateServingRequest is the body of POST /api/v1/serving/update. Kuscia v1.1
// merges it into the stored serving: missing and empty fields are kept.
type UpdateServingRequest struct {
	Header             *RequestHeader `json:"header,omitempty"`
	ServingID          string         `json:"serving_id"`
	ServingInputConfig string         `json:"serving_input_config,omitempty"`
	Parties            []ServingParty `json:"parties,omitempty"`
}

// Serving is the data of POST /api/v1/serving/query. The response has neither
// serving_id nor affinity_mode.
type Serving struct {
	ServingInputConfig string `json:"serving_input_config"`
	Initiator          string `json:"initiator"`
	// Parties are in the order of the create request.
	Parties []ServingParty `json:"parties"`
	// Status is nil until the controller has observed the first party
	// Deployment.
	Status *ServingStatusDetail `json:"status"`
}

// ServingParty is one participant of a serving.
type ServingParty struct {
	DomainID string `json:"domain_id"`
	// Role selects the deploy template of the app image; "" is allowed.
	Role string `json:"role,omitempty"`
	// AppImage is the name of an app image.
	AppImage string `json:"app_image,omitempty"`
	// Replicas is the desired number of pods. The response lacks the key if it
	// was never set; the app image's template then determines the number.
	Replicas *int32 `json:"replicas,omitempty"`
	// UpdateStrategy replaces the stored strategy as a whole if present.
	UpdateStrategy *UpdateStrategy `json:"update_strategy,omitempty"`
	// Resources: in a request, an entry with empty container_name applies to
	// all containers; the response has one entry per container.
	Resources []Resource `json:"resources,omitempty"`
	// ServiceNamePrefix is the prefix of the party's Services, at most 48
	// characters (since Kuscia v0.11; immutable).
	ServiceNamePrefix string `json:"service_name_prefix,omitempty"`
}

// UpdateStrategy defines how pods are replaced.
type UpdateStrategy struct {
	// Type is StrategyRollingUpdate or StrategyRecreate.
	Type string `json:"type"`
	// MaxSurge is a number or a percentage; "" for Recreate.
	MaxSurge string `json:"max_surge,omitempty"`
	// MaxUnavailable is a number or a percentage; "" for Recreate.
	MaxUnavailable string `json:"max_unavailable,omitempty"`
}

// Resource is the request (min) and limit (max) of a container in Kubernetes
// quantities; "" means not set. Responses are in canonical form (0.1 is 100m).
type Resource struct {
	ContainerName string `json:"container_name"`
	MinCPU        string `json:"min_cpu,omitempty"`
	MaxCPU        string `json:"max_cpu,omitempty"`
	MinMemory     string `json:"min_memory,omitempty"`
	MaxMemory     string `json:"max_memory,omitempty"`
}

// ServingStatus is an element of a batch status response. Unknown ids are left
// out of the response and duplicates are repeated.
type ServingStatus struct {
	ServingID string `json:"serving_id"`
	// Status is nil for an existing serving without a Deployment.
	Status *ServingStatusDetail `json:"status"`
}

// ServingStatusDetail is the observed state of a serving. It has no generation:
// for up to 0.3 s after an update it is still the old one.
type ServingStatusDetail struct {
	State            string `json:"state" text:"shown"`
	Reason           string `json:"reason" text:"shown"`
	Message          string `json:"message" text:"shown"`
	TotalParties     int32  `json:"total_parties"`
	AvailableParties int32  `json:"available_parties"`
	// CreateTime is RFC 3339.
	CreateTime string `json:"create_time" text:"shown"`
	// PartyStatuses are in random order.
	PartyStatuses []PartyStatus `json:"party_statuses"`
}

// PartyStatus is the observed state of one party's Deployment.
type PartyStatus struct {
	DomainID            string `json:"domain_id" text:"shown"`
	Role                string `json:"role" text:"shown"`
	State               string `json:"state" text:"shown"`
	Replicas            int32  `json:"replicas"`
	AvailableReplicas   int32  `json:"available_replicas"`
	UnavailableReplicas int32  `json:"unavailable_replicas"`
	// UpdatedReplicas is camelCase on the wire, unlike every other field.
	UpdatedReplicas int32  `json:"updatedReplicas"`
	CreateTime      string `json:"create_time" text:"shown"`
	// Endpoints have no stable order.
	Endpoints []Endpoint `json:"endpoints"`
}

// Endpoint is the address of one port of a party. Ports of scope Local have
// none. Servers up to v0.4 set only Endpoint.
type Endpoint struct {
	PortName string `json:"port_name" text:"shown"`
	// Scope is Cluster or Domain.
	Scope string `json:"scope" text:"shown"`
	// Endpoint is host:port for scope Domain, a host for scope Cluster.
	Endpoint string `json:"endpoint" text:"shown"`
}

// CreateServing creates a serving. It returns when the server has accepted the
// request, before anything runs.
func (c *Client) CreateServing(ctx context.Context, request *CreateServingRequest) error {
	body := *request
	body.Header = c.header(request.Header)
	_, err := c.do(ctx, opCreateServing, []string{request.ServingID}, &body, request.ServingInputConfig)
	return err
}

// QueryServing returns a serving, or an error that is ErrNotFound, or
// ErrAppImageMissing for a serving that exists but cannot be returned.
func (c *Client) QueryServing(ctx context.Context, id string) (*Serving, error) {
	var out Serving
	if err := c.read(ctx, opQueryServing, []string{id}, &servingIDRequest{Header: c.header(nil), ServingID: id}, &out, func() error {
		if out.Parties == nil {
			return fmt.Errorf("the response has no parties")
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return &out, nil
}

// UpdateServing merges the request into the stored serving. A request without
// parties and configuration succeeds unchecked, even for an id that does not
// exist (Kuscia v1.1).
func (c *Client) UpdateServing(ctx context.Context, request *UpdateServingRequest) error {
	body := *request
	body.Header = c.header(request.Header)
	_, err := c.do(ctx, opUpdateServing, []string{request.ServingID}, &body, request.ServingInputConfig)
	return err
}

// DeleteServing deletes a serving. It returns ErrNotFound if there is none,
// also if an earlier attempt has deleted it and its response was lost.
func (c *Client) DeleteServing(ctx context.Context, id string) error {
	_, err := c.do(ctx, opDeleteServing, []string{id}, &servingIDRequest{Header: c.header(nil), ServingID: id})
	return err
}

// BatchQueryServingStatus returns the status of the servings in one request.
// Missing ids are left out of the response; servers up to v0.10 fail the whole
// request instead.
func (c *Client) BatchQueryServingStatus(ctx context.Context, ids []string) ([]ServingStatus, error) {
	var out servingStatuses
	if err := c.read(ctx, opServingStatus, ids, &servingIDsRequest{Header: c.header(nil), ServingIDs: ids}, &out, func() error {
		if out.Servings == nil {
			return fmt.Errorf("the response has no list of servings")
		}
		for _, serving := range out.Servings {
			if serving.ServingID == "" {
				return fmt.Errorf("the response has a serving without serving_id")
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return out.Servings, nil
}

type servingIDRequest struct {
	Header    *RequestHeader `json:"header,omitempty"`
	ServingID string         `json:"serving_id"`
}

type servingIDsRequest struct {
	Header     *RequestHeader `json:"header,omitempty"`
	ServingIDs []string       `json:"serving_ids"`
}
