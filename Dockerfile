# One image for all roles: docker run gettone api (or gateway, worker, or several with commas). docs/operations.md, "Containers", has the commands.
# The base has Node 24 and npm on glibc; give one of your own by --build-arg NODE_IMAGE=…
ARG NODE_IMAGE=docker.io/library/node:24.21.0-bookworm-slim

# What the server imports, and nothing that builds or tests.
FROM ${NODE_IMAGE} AS packages
WORKDIR /gettone
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM ${NODE_IMAGE} AS portal
WORKDIR /gettone
COPY package.json package-lock.json ./
RUN npm ci --include=dev --include=optional --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/portal-build.ts

FROM ${NODE_IMAGE}
WORKDIR /gettone
COPY --from=packages /gettone/node_modules node_modules
COPY --from=portal /gettone/dist/portal dist/portal
COPY package.json CHANGELOG.md LICENSE ./
COPY contract contract
COPY domain domain
COPY language language
COPY database database
COPY server server
# What pages outside the portal share with it.
COPY portal/app/theme/tokens.css portal/app/theme/
COPY portal/public/favicon.svg portal/public/
# The commands of docs/operations.md.
COPY scripts/backup.ts scripts/restore.ts scripts/blobs.ts scripts/rollups.ts scripts/ledger.ts scripts/distribute.ts scripts/import-postal-codes.ts scripts/rotate.ts scripts/
# Files, unless BLOB_URL names another place, and backups with BACKUP_URL=file:///backup: the only folders beside /tmp that are written to.
RUN install -d -o 10001 -g 10001 /var/lib/gettone /backup
USER 10001:10001
ENV NODE_ENV=production HOST=0.0.0.0 MQTT_HOST=0.0.0.0 DATA_DIR=/var/lib/gettone
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s \
  CMD ["node", "server/live-check.ts"]
ENTRYPOINT ["node", "server/main.ts", "--role"]
CMD ["api,gateway,worker"]
