// Decision: docs/decisions/console.md#scalars-bundle-comes-from-its-fastify-plugin

import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { programFile } from "../../../program.ts"

/** The string literal that holds the browser bundle in Scalar's Fastify plugin, below its bundler's comment. */
const bundleLiteral = /browser\/standalone\.js\?raw\nvar \w+ = (".*");$/m

/** The build contains the result, and not the plugin. */
const extracted = programFile("parts/descriptions/pages/scalar.bundle.js")

/**
 * Extracts Scalar's browser bundle from its Fastify plugin. The package `@scalar/api-reference` depends on 270 others;
 * importing the plugin would need nine more, which package.json skips.
 */
export async function readScalarBundle(): Promise<string> {
  if (existsSync(extracted)) return readFile(extracted, "utf8")
  const plugin = await readFile(fileURLToPath(import.meta.resolve("@scalar/fastify-api-reference")), "utf8")
  const literal = bundleLiteral.exec(plugin)?.[1]
  if (literal === undefined)
    throw new Error("@scalar/fastify-api-reference does not contain the browser bundle at the expected path")
  // Unlike JSON, a string of a program may contain control characters. Evaluating the program takes several times as long.
  return JSON.parse(literal.replace(/\p{Cc}/gu, (one) => JSON.stringify(one).slice(1, -1)))
}
