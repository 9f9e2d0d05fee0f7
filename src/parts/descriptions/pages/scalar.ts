// Decision: docs/decisions/console.md#scalars-bundle-comes-from-its-fastify-plugin

import { once } from "node:events"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { Worker } from "node:worker_threads"
import { programFile } from "../../../program.ts"

/** The build contains the result, and not the plugin. */
const extracted = programFile("parts/descriptions/pages/scalar.bundle.js")

/**
 * Extracts Scalar's browser bundle from its Fastify plugin. The package `@scalar/api-reference` depends on 270 others;
 * importing the plugin would need nine more, which package.json skips.
 */
export async function readScalarBundle(): Promise<Uint8Array> {
  if (existsSync(extracted)) return readFile(extracted)
  const workerData = fileURLToPath(import.meta.resolve("@scalar/fastify-api-reference"))
  const thread = new Worker(extracting, { eval: true, workerData, execArgv: [] })
  const [bundle] = (await once(thread, "message")) as [Uint8Array | undefined]
  if (bundle === undefined)
    throw new Error("@scalar/fastify-api-reference does not contain the browser bundle at the expected path")
  return bundle
}

/**
 * A program for a thread, because it takes longer than requests may wait. The bundle is a string literal below a comment of the
 * plugin's bundler. Unlike JSON, a string of a program may contain control characters; evaluating it takes several times as long.
 */
const extracting = String.raw`
  const { readFileSync } = require("node:fs")
  const { parentPort, workerData } = require("node:worker_threads")
  const found = /browser\/standalone\.js\?raw\nvar \w+ = (".*");$/m.exec(readFileSync(workerData, "utf8"))
  const escaped = found?.[1].replace(/\p{Cc}/gu, (one) => JSON.stringify(one).slice(1, -1))
  parentPort.postMessage(escaped && Buffer.from(JSON.parse(escaped)))
`
