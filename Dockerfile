# The service in one image: `docker build -t typed-id-api .`, then `docker run -p 3000:3000 -v users:/data typed-id-api`.
# `docker stop -t` must be longer than DRAIN_MS plus STOP_TIMEOUT_MS.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /src
RUN npm install --global pnpm@12.21.0
# Copies only the files that select packages, so that Docker reuses the installed packages when other files change.
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml .pnpmfile.mjs ./
COPY apps/api/package.json apps/api/
COPY packages/typed-id/package.json packages/typed-id/
COPY tools/testkit/package.json tools/testkit/
# `--filter api` omits packages that only the library and the testkit use.
RUN pnpm install --frozen-lockfile --filter api
COPY . .
RUN cd apps/api && node bundle.ts && mkdir /data

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
# Removes package managers, which the service does not use.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
  /usr/local/bin/yarn* /opt/yarn*
COPY --from=build /src/apps/api/bundle /app
# The service writes only into /data, so the root file system may be read-only.
COPY --from=build --chown=1000:1000 /data /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=sqlite:/data/users.db
# The user `node` by number, because Kubernetes rejects a name with `runAsNonRoot`.
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/readyz`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "/app/main.js"]
