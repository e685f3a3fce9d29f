package objects

// ClusterDomainRoute is the route between two domains.
type ClusterDomainRoute struct {
	Meta   `json:"metadata"`
	Spec   RouteSpec                `json:"spec"`
	Status ClusterDomainRouteStatus `json:"status"`
}

// DomainRoute is the copy of a route for one of its domains.
type DomainRoute struct {
	Meta   `json:"metadata"`
	Spec   RouteSpec         `json:"spec"`
	Status DomainRouteStatus `json:"status"`
}

// RouteSpec is the desired state of a route.
type RouteSpec struct {
	Source              string               `json:"source"`
	Destination         string               `json:"destination"`
	InterConnProtocol   string               `json:"interConnProtocol,omitempty"`
	Endpoint            RouteEndpoint        `json:"endpoint"`
	Transit             *RouteTransit        `json:"transit,omitempty"`
	AuthenticationType  string               `json:"authenticationType"`
	TokenConfig         *RouteTokenConfig    `json:"tokenConfig,omitempty"`
	BodyEncryption      *RouteBodyEncryption `json:"bodyEncryption,omitempty"`
	MTLSConfig          *RouteMTLSConfig     `json:"mTLSConfig,omitempty"`
	SourceWhiteIPList   []string             `json:"sourceWhiteIPList,omitempty"`
	RequestHeadersToAdd map[string]string    `json:"requestHeadersToAdd,omitempty"`
}

// RouteEndpoint is the address of the destination.
type RouteEndpoint struct {
	Host  string      `json:"host,omitempty"`
	Ports []RoutePort `json:"ports,omitempty"`
}

// RoutePort is a port of the destination.
type RoutePort struct {
	Name       string `json:"name"`
	Port       int32  `json:"port"`
	Protocol   string `json:"protocol"`
	IsTLS      bool   `json:"isTLS,omitempty"`
	PathPrefix string `json:"pathPrefix,omitempty"`
}

// RouteTransit is how a route reaches its destination.
type RouteTransit struct {
	TransitMethod string              `json:"transitMethod"`
	Domain        *RouteTransitDomain `json:"domain,omitempty"`
}

// RouteTransitDomain is the domain of a transit.
type RouteTransitDomain struct {
	DomainID string `json:"domainID"`
}

// RouteTokenConfig is how the ends of a route authenticate with tokens.
type RouteTokenConfig struct {
	DestinationPublicKey string `json:"destinationPublicKey,omitempty"`
	RollingUpdatePeriod  int64  `json:"rollingUpdatePeriod"`
	SourcePublicKey      string `json:"sourcePublicKey,omitempty"`
	TokenGenMethod       string `json:"tokenGenMethod"`
}

// RouteBodyEncryption is the encryption of requests.
type RouteBodyEncryption struct {
	Algorithm string `json:"algorithm"`
}

// RouteMTLSConfig is how the ends of a route authenticate with certificates.
type RouteMTLSConfig struct {
	TLSCA                  string `json:"tlsCA,omitempty"`
	SourceClientCert       string `json:"sourceClientCert,omitempty"`
	SourceClientPrivateKey string `json:"sourceClientPrivateKey,omitempty"`
}

// RouteReady is the condition of a route that tells whether it works.
const RouteReady = "Ready"

// ClusterDomainRouteStatus is the status of a route.
type ClusterDomainRouteStatus struct {
	TokenStatus      map[string]any `json:"tokenStatus,omitempty"`
	Conditions       []Condition    `json:"conditions,omitempty"`
	EndpointStatuses map[string]any `json:"endpointStatuses,omitempty"`
}

// Ready is the condition that tells whether the route works, nil if nothing is known.
func (s ClusterDomainRouteStatus) Ready() *Condition {
	for i := range s.Conditions {
		if s.Conditions[i].Type == RouteReady {
			return &s.Conditions[i]
		}
	}
	return nil
}

// DomainRouteStatus is what the gateway of a domain reports of a route.
type DomainRouteStatus struct {
	IsDestinationAuthorized  bool           `json:"isDestinationAuthorized"`
	IsDestinationUnreachable bool           `json:"isDestinationUnreachable"`
	TokenStatus              map[string]any `json:"tokenStatus,omitempty"`
}

// Labels of a route.
const (
	LabelRouteSource      = "kuscia.secretflow/clusterdomainroute-source"
	LabelRouteDestination = "kuscia.secretflow/clusterdomainroute-destination"
)
