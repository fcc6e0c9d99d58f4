# The service in one image: `docker build -t typed-id-api .`, then `docker run -p 3000:3000 -v users:/data typed-id-api`.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npx --yes pnpm@12 install --frozen-lockfile --filter api... \
 && npx --yes pnpm@12 --filter api bundle \
 && mkdir /data

FROM node:24-bookworm-slim
COPY --from=build /src/apps/api/bundle /app
# The root file system may be read-only: the database is the only thing that the service writes.
COPY --from=build --chown=node:node /data /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=sqlite:/data/users.db
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "/app/main.js"]
