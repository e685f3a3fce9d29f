#!/bin/sh
# Downloads kuscia-review into the folder bin, and checks it against the sum of
# its archive, which is in the release's SHA256SUMS:
#
#   KUSCIA_REVIEW_VERSION  such as 0.1.0
#   KUSCIA_REVIEW_SHA256   of kuscia-review_VERSION_linux_amd64.zip
set -eu

releases=${KUSCIA_REVIEW_RELEASES-https://github.com/terraform-kuscia/terraform-provider-kuscia/releases/download}
archive=kuscia-review_${KUSCIA_REVIEW_VERSION}_linux_amd64.zip

mkdir -p bin
curl -fsSL -o bin/review.zip "$releases/v$KUSCIA_REVIEW_VERSION/$archive"
echo "$KUSCIA_REVIEW_SHA256  bin/review.zip" | sha256sum -c -
unzip -q -o bin/review.zip kuscia-review -d bin
rm bin/review.zip
