// Removes unused files of packages after `npm ci`. Runs on Node 20 and later.
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const modules = fileURLToPath(new URL("../node_modules/", import.meta.url))
const remove = (path) => rmSync(modules + path, { recursive: true, force: true })
/** The packages of a scope, with the scope in their names. */
const packagesOf = (scope) =>
  existsSync(modules + scope) ? readdirSync(modules + scope).map((name) => `${scope}/${name}`) : []

// The C headers and manual pages of the runtime: 67 MiB that are not used.
for (const architecture of ["x64", "arm64"])
  for (const unused of ["include", "share"]) remove(`node-linux-${architecture}/${unused}`)

// Most of the AWS client: a second build for bundlers, and types for old compilers.
for (const name of ["@aws", "@aws-sdk", "@smithy"].flatMap(packagesOf))
  for (const unused of ["dist-es", "dist-types/ts3.4"]) remove(`${name}/${unused}`)

// OpenTelemetry's other builds, source maps and experimental conventions.
for (const name of packagesOf("@opentelemetry")) {
  for (const build of ["esm", "esnext"]) remove(`${name}/build/${build}`)
  for (const file of readdirSync(modules + name, { recursive: true }))
    if (/\.map$|\bexperimental_|-incubating\./.test(file)) remove(`${name}/${file}`)
}

// The Model Context Protocol's builds for `require` and those of its zod, source maps, and zod's source.
for (const name of [...packagesOf("@modelcontextprotocol"), "zod"])
  for (const file of existsSync(modules + name) ? readdirSync(modules + name, { recursive: true }) : [])
    if (/\.(map|d\.cts|cjs)$/.test(file)) remove(`${name}/${file}`)
remove("zod/src")

// Test data.
remove("bintrees/test")

// All types in production (npm sets NODE_ENV when it omits development packages); the marker is for bin/install.mjs.
if (process.env.NODE_ENV === "production") {
  for (const file of readdirSync(modules, { recursive: true })) if (/\.d\.[cm]?ts$/.test(file)) remove(file)
  writeFileSync(`${modules}.petstore-without-types`, "")
}
