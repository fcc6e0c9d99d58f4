# The service in one image: `docker build -t typed-id-api .`, then `docker run -p 3000:3000 -v users:/data typed-id-api`.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /src
RUN npm install --global pnpm@12.21.0
# What decides which packages are installed: a change of the sources alone reuses the layer.
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml .pnpmfile.mjs ./
COPY apps/api/package.json apps/api/
COPY packages/typed-id/package.json packages/typed-id/
COPY tools/testkit/package.json tools/testkit/
# Without the packages that only tests of the library and the testkit need.
RUN pnpm install --frozen-lockfile --filter api
COPY . .
RUN cd apps/api && node bundle.ts && mkdir /data

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
# The service needs Node only.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
  /usr/local/bin/yarn* /opt/yarn*
COPY --from=build /src/apps/api/bundle /app
# The root file system may be read-only: the database is the only thing that the service writes.
COPY --from=build --chown=1000:1000 /data /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=sqlite:/data/users.db
# The user `node`. Kubernetes checks `runAsNonRoot` by the number.
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/readyz`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "/app/main.js"]
