// Builds the published package in dist/: the program as few files, its types and its assets; and npm-shrinkwrap.json. Started by
// bin/pack.mjs, and by the container with --program, which needs the first and the assets only.
import { execFileSync } from "node:child_process"
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { readScalarBundle } from "../src/parts/descriptions/pages/scalar.ts"
import { lockOfProduction } from "./production-lock.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const at = (...path) => join(root, ...path)

/** Packages with machine code, or that few installations load. */
const loadedFromPackages = [
  "@aws-sdk/*",
  "@modelcontextprotocol/*",
  "@node-rs/argon2",
  "@opentelemetry/*",
  "@scalar/*",
  "ioredis",
  "oidc-provider",
  "pg",
  "sharp",
  "undici",
]

/** CommonJS packages in the bundle load modules of Node only. The client's files, which browsers load too, contain the same line. */
const makeRequire = "const require = globalThis.process?.getBuiltinModule;\n"

rmSync(at("dist"), { recursive: true, force: true })
const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: [
    "main",
    "cli/main",
    "core/imaging/worker-main",
    "public/petstore",
    "public/client",
    "public/sandbox",
    "public/webhooks",
  ].map((name) => `src/${name}.ts`),
  ...{ outbase: "src", outdir: "dist", format: "esm", platform: "node", target: "node24" },
  ...{ bundle: true, splitting: true, metafile: true, legalComments: "none", write: false },
  external: loadedFromPackages,
})
for (const { path, text } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true })
  const needsRequire = /^var __require = /m.test(text)
  writeFileSync(path, (needsRequire ? makeRequire : "") + text)
}
writeFileSync(at("dist/LICENSES.txt"), licensesOf(Object.keys(metafile.inputs)))
for (const file of globSync("**/*.{css,js,svg,webp}", { cwd: at("src") })) cpSync(at("src", file), at("dist", file))

// The published package contains the bundle instead of the package that it is extracted from.
mkdirSync(at("dist/parts/descriptions/pages"), { recursive: true })
writeFileSync(at("dist/parts/descriptions/pages/scalar.bundle.js"), await readScalarBundle())
cpSync(
  at("node_modules/@scalar/fastify-api-reference/LICENSE"),
  at("dist/parts/descriptions/pages/scalar.bundle.LICENSE"),
)

if (!process.argv.includes("--program")) {
  // The tests check the types; checking them again would take as long as writing them.
  const options = ["--project", at("tsconfig.build.json"), "--noCheck"]
  execFileSync(process.execPath, [at("node_modules/typescript/bin/tsc"), ...options], { stdio: ["ignore", 2, 2] })
  removeUnusedTypes()
  const lock = lockOfProduction(JSON.parse(readFileSync(at("package-lock.json"), "utf8")))
  writeFileSync(at("npm-shrinkwrap.json"), `${JSON.stringify(lock, null, 2)}\n`)
}

/** The licenses of the packages of these files. */
function licensesOf(files) {
  const folders = new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []))
  return [...folders].sort().map(licenseOf).join("\n")
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(at(folder, "package.json"), "utf8"))
  const [file] = globSync("{LICEN[CS]E*,licen[cs]e*,COPYING*}", { cwd: at(folder) })
  return `${name} ${version} (${license})\n\n${file ? readFileSync(at(folder, file), "utf8") : ""}\n`
}

/** Removes declarations that no public one imports. */
function removeUnusedTypes() {
  const used = new Set()
  const follow = (file) => {
    if (used.has(file)) return
    used.add(file)
    for (const [, specifier] of readFileSync(file, "utf8").matchAll(/\b(?:from |import\()"(\.[^"]+)"/g))
      follow(join(dirname(file), specifier.replace(/[jt]s$/, "d.ts")))
  }
  for (const name of ["petstore", "client", "sandbox", "webhooks"]) follow(at(`dist/public/${name}.d.ts`))
  for (const file of globSync("**/*.d.ts", { cwd: at("dist") }))
    if (!used.has(at("dist", file))) rmSync(at("dist", file))
}
