// Builds the published package: JavaScript and types in dist/, and npm-shrinkwrap.json. Started by bin/pack.mjs.
import { execFileSync } from "node:child_process"
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { readScalarBundle } from "../src/web/reference/scalar.ts"
import { lockOfProduction } from "./production-lock.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const at = (...path) => join(root, ...path)

rmSync(at("dist"), { recursive: true, force: true })
execFileSync(process.execPath, [at("node_modules/typescript/bin/tsc"), "--project", at("tsconfig.build.json")], {
  stdio: ["ignore", 2, 2],
})
for (const file of globSync("**/*.{css,js,webp}", { cwd: at("src") })) cpSync(at("src", file), at("dist", file))

// The published package contains the bundle instead of the package that it is extracted from.
writeFileSync(at("dist/web/reference/scalar.bundle.js"), await readScalarBundle())
cpSync(at("node_modules/@scalar/fastify-api-reference/LICENSE"), at("dist/web/reference/scalar.bundle.LICENSE"))
writeFileSync(
  at("dist/web/reference/scalar.js"),
  `import { readFile } from "node:fs/promises"
/** Reads Scalar's browser bundle. */
export const readScalarBundle = () => readFile(new URL("scalar.bundle.js", import.meta.url), "utf8")
`,
)

const lock = lockOfProduction(JSON.parse(readFileSync(at("package-lock.json"), "utf8")))
writeFileSync(at("npm-shrinkwrap.json"), `${JSON.stringify(lock, null, 2)}\n`)
