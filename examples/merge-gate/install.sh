#!/bin/sh
# Installs kuscia-review into the folder KUSCIA_REVIEW_BIN, which is not to be in
# the checkout: what is there comes from the pull request.
#
# Either it is built from a checkout of the provider at a commit that somebody has
# chosen, which needs Go:
#
#   KUSCIA_REVIEW_SOURCE   the folder of the checkout
#
# or it is downloaded, and checked against the sum of its archive, which is in the
# release's SHA256SUMS:
#
#   KUSCIA_REVIEW_VERSION  such as 0.1.0
#   KUSCIA_REVIEW_SHA256   of kuscia-review_VERSION_linux_amd64.zip
set -eu

mkdir -p "$KUSCIA_REVIEW_BIN"
if [ -n "${KUSCIA_REVIEW_SOURCE-}" ]; then
  cd "$KUSCIA_REVIEW_SOURCE"
  exec go build -trimpath -o "$KUSCIA_REVIEW_BIN/kuscia-review" ./internal/cmd/kuscia-review
fi

releases=${KUSCIA_REVIEW_RELEASES-https://github.com/terraform-kuscia/terraform-provider-kuscia/releases/download}
archive=kuscia-review_${KUSCIA_REVIEW_VERSION}_linux_amd64.zip
cd "$KUSCIA_REVIEW_BIN"
curl -fsSL -o review.zip "$releases/v$KUSCIA_REVIEW_VERSION/$archive"
echo "$KUSCIA_REVIEW_SHA256  review.zip" | sha256sum -c -
unzip -q -o review.zip kuscia-review
rm review.zip
