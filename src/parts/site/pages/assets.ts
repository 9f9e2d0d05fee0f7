import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { programFile } from "../../../program.ts"
import { type Compressed, compressed } from "./compressed.ts"

/** A static file. Its name contains a hash of its content, so browsers may cache it indefinitely. */
export type Asset = { name: string; respond: Compressed }

const types = { css: "text/css", js: "text/javascript", svg: "image/svg+xml" }

export const makeAsset = (what: string, extension: keyof typeof types, text: string | Uint8Array): Asset => ({
  name: `${what}-${hash("sha256", text).slice(0, 16)}.${extension}`,
  respond: compressed(`${types[extension]}; charset=utf-8`, "public, max-age=31536000, immutable", () => text),
})

const read = (file: string) => readFileSync(programFile(`parts/site/pages/assets/${file}`), "utf8")

const frame = read("frame.css")
const base = frame + read("site.css")
const consoleSheets = ["frame", "forms", "lists", "tables", "live", "plots", "facts"].map((name) =>
  read(`console/${name}.css`),
)

/** The style sheet of all pages outside the console, which each page contains inline. */
export const siteStyle = base + read("store.css")

/** The style sheet of the reference. Scalar has its own, which reads the colors defined here. */
export const referenceStyle = frame + read("reference.css")
/** Runs before Scalar. */
export const referenceScript = read("reference.js")

export const consoleStyle = makeAsset("console", "css", [base, ...consoleSheets].join("\n"))
export const consoleScript = makeAsset("live", "js", read("console/live.js"))
export const paletteScript = makeAsset("palette", "js", read("palette.js"))
export const storeScript = makeAsset("store", "js", read("store.js"))
