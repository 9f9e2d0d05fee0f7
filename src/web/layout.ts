import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { HttpResponse } from "../kernel/network/http-response.ts"
import { paw } from "./animals.ts"
import { document, pageHeaders } from "./document.ts"
import { html, Markup } from "./html.ts"

const read = (name: string) => readFileSync(join(import.meta.dirname, name), "utf8")
/** What every page begins with. */
export const style = read("style.css")
const allStyle = style + read("store/store.css")
const styleElement = new Markup(`<style>${allStyle}</style>`)

export type Page = {
  title: string
  main: Markup
  /** The way from the page's address to the first page; empty when the address is not known. */
  root: "." | ".." | "../.." | ""
  /** 200 when absent. */
  status?: number
  /** What `Cache-Control` says; five minutes for everybody when absent. */
  cacheControl?: string
  /** The address of the page's script, from `root`; it runs none when absent. */
  script?: string
  /** The origin, if another one, that its images come from. */
  imageOrigin?: string | undefined
  /** CSP sources the page's forms may lead to; it has no form when absent. */
  formTargets?: readonly string[]
}

/** Turns a page into a response that runs no script but one of its own, loads nothing from elsewhere and cannot be framed. */
export const renderPage = (page: Page): HttpResponse => ({
  status: page.status ?? 200,
  headers: pageHeaders(
    {
      ...(page.script !== undefined && { script: "'self'", connect: "'self'" }),
      style: `'sha256-${hash("sha256", allStyle, "base64")}'`,
      images: page.imageOrigin,
      forms: page.formTargets ?? [],
    },
    page.cacheControl ?? "public, max-age=300",
  ),
  body: document({ title: page.title, root: page.root, look: lookOf(page), body: bodyOf(page) }).text,
})

const lookOf = ({ root, script }: Page): Markup =>
  script === undefined
    ? styleElement
    : html`${styleElement}
<script src="${root}/${script}" defer></script>`

const bodyOf = ({ main, root }: Page): Markup => html`<header>
<a class="home" href="${root}/">${paw} Petstore</a>
<nav aria-label="Site"><a href="${root}/console">Console</a><a href="${root}/docs">Reference</a><a href="${root}/problems">Problems</a></nav>
</header>
<main>${main}</main>`
