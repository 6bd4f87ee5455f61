#!/bin/sh
# Brings Temporal's two databases to the schema of this image; what is applied already is skipped.
set -eu
for database in temporal temporal_visibility; do
  versions=temporal
  if [ "$database" = temporal_visibility ]; then versions=visibility; fi
  temporal-sql-tool --database "$database" setup-schema --version 0.0
  temporal-sql-tool --database "$database" update-schema \
    --schema-dir "/etc/temporal/schema/postgresql/v12/$versions/versioned"
done
