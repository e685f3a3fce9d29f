#!/bin/sh
# Creates the objects that the configuration imports, as a script did before: with curl.
# KUSCIA_ENDPOINT is a KusciaAPI with protocol NOTLS.
set -eu

# create OBJECT FILE: sends a request.
create() {
  curl --fail-with-body --silent --show-error "$KUSCIA_ENDPOINT/api/v1/$1/create" \
    --header 'Content-Type: application/json' --data @"$2"
}

create domain create-domain.json
create route create-domain-route.json
create config create-config.json
create domaindatasource create-domain-data-source.json
create domaindata create-domain-data.json
create domaindatagrant create-domain-data-grant.json
create appimage create-app-image.json
create serving create-serving.json
