import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { runInNewContext } from "node:vm"

/** Where Scalar's plugin for Fastify carries the browser bundle: a string, below the comment of the tool that put it there. */
const bundleLiteral = /browser\/standalone\.js\?raw\nvar \w+ = (".*");$/m

/**
 * Reads Scalar's browser bundle out of the plugin that carries it. The package `@scalar/api-reference`, where it comes
 * from, would bring 270 others along; loading the plugin would need nine more, which package.json leaves out.
 */
export async function readScalarBundle(): Promise<string> {
  const plugin = await readFile(fileURLToPath(import.meta.resolve("@scalar/fastify-api-reference")), "utf8")
  const literal = bundleLiteral.exec(plugin)?.[1]
  if (literal === undefined) throw new Error("@scalar/fastify-api-reference has no browser bundle where it used to be")
  return runInNewContext(literal)
}
