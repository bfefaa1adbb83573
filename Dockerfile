# Two stages: the first compiles with everything npm ci brings, the second holds the compiled files and what they need.
# The base is named by its digest, so that a rebuild is of the same files. `docker buildx imagetools inspect node:24-slim`
# prints the present one: take it over with its security fixes, or by --build-arg NODE_IMAGE=node:24-slim@sha256:...
ARG NODE_IMAGE=node:24-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No package's own script is needed here: Node comes with the base.
RUN npm ci --ignore-scripts
COPY .ci/build-explorer.ts ./.ci/
COPY tsconfig.json tsconfig.build.json tsconfig.client.json schema.graphql ./
COPY src ./src
# The explorer is for development.
RUN npm run build && rm -r dist/explorer && npm prune --omit=dev --omit=optional --ignore-scripts

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0
# V8: no objects allocated directly in old space (they live until the next full collection), and old space may grow by
# 40 % before one. A young generation neither as large as Node makes it on a large machine (80 MiB more, no faster) nor as small as in a
# small container (half as fast), and one pool of native memory for all threads: docs/performance.md.
ENV NODE_OPTIONS=--max-semi-space-size=64 MALLOC_ARENA_MAX=1
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json schema.graphql ./
# For a volume with a SQLite store: a new named volume takes over the folder's owner.
RUN mkdir /data && chown 10001:10001 /data
USER 10001:10001
# GraphQL, and /metrics with health. Nothing is written: run it with a read-only root file system (`docker run --read-only`).
EXPOSE 4000 9464
CMD ["node", "--no-allocation-site-pretenuring", "--heap-growing-percent=40", "dist/cli.js", "serve"]
