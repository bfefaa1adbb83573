# Two stages: the first compiles with everything npm ci brings, the second holds the compiled files and what they need.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json tsconfig.client.json schema.graphql ./
COPY src ./src
RUN npm run build && npm prune --omit=dev --omit=optional

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0
# V8: no objects allocated directly in old space (they live until the next full collection), and old space may grow by
# 40 % before one. A young generation neither as large as Node makes it on a large machine (80 MiB more, no faster) nor as small as in a
# small container (half as fast), and one pool of native memory for all threads: docs/performance.md.
ENV NODE_OPTIONS=--max-semi-space-size=32 MALLOC_ARENA_MAX=1
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json schema.graphql ./
USER 10001:10001
EXPOSE 4000
CMD ["node", "--no-allocation-site-pretenuring", "--heap-growing-percent=40", "dist/cli.js", "serve"]
