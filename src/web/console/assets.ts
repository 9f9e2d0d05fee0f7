import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { compress } from "../compressed.ts"
import { html, type Markup } from "../html.ts"
import { style } from "../layout.ts"

const read = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8")
const styleSheets = ["frame.css", "forms.css", "lists.css", "live.css", "plots.css", "facts.css"]

const assets = [
  makeAsset("console", "css", "text/css", [style, ...styleSheets.map(read)].join("\n")),
  makeAsset("live", "js", "text/javascript", read("live.js")),
] as const

/** Serves the style sheet and the script of the console, whose names change with their text. */
export const consoleAssets = {
  path: "/console/assets/:name",
  async respond(request: {
    params: Readonly<Record<string, string | undefined>>
    acceptsGzip: boolean
  }): Promise<HttpResponse | undefined> {
    const asset = assets.find(({ name }) => name === request.params.name)
    return asset && (await asset.respond)(request.acceptsGzip)
  },
}

function makeAsset(what: string, extension: string, type: string, text: string) {
  return {
    name: `${what}-${hash("sha256", text).slice(0, 16)}.${extension}`,
    respond: compress(`${type}; charset=utf-8`, "public, max-age=31536000, immutable", text),
  }
}

/** What the head of a page of the console loads. */
export const consoleLook = (root: string): Markup =>
  html`<link rel="stylesheet" href="${root}/assets/${assets[0].name}">
<script src="${root}/assets/${assets[1].name}" defer></script>`
