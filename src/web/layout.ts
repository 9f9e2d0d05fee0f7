import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { HttpResponse } from "../kernel/http-response.ts"
import { paw } from "./animals.ts"
import { html, Markup } from "./html.ts"

const style = readFileSync(join(import.meta.dirname, "style.css"), "utf8")
const styleElement = new Markup(`<style>${style}</style>`)

export type Page = {
  title: string
  main: Markup
  /** The way from the page's address to the first page; empty when the address is not known. */
  root: "." | ".." | "../.." | ""
  /** 200 when absent. */
  status?: number
  /** What `Cache-Control` says; five minutes for everybody when absent. */
  cacheControl?: string
  /** CSP sources the page's forms may lead to; it has no form when absent. */
  formTargets?: readonly string[]
}

/** Turns a page into a response that runs no script, loads nothing from elsewhere and cannot be framed. */
export const renderPage = (page: Page): HttpResponse => ({
  status: page.status ?? 200,
  headers: [
    ...["content-type", "text/html; charset=utf-8"],
    ...["cache-control", page.cacheControl ?? "public, max-age=300"],
    ...["content-security-policy", contentSecurityPolicy(page.formTargets ?? [])],
    // Not no-referrer, with which a browser does not say which origin a form comes from (Fetch, section 3.1).
    ...["referrer-policy", "same-origin"],
    ...["x-frame-options", "DENY"],
  ],
  body: document(page).text,
})

const contentSecurityPolicy = (formTargets: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${hash("sha256", style, "base64")}'`,
    "img-src 'self'",
    "base-uri 'none'",
    `form-action ${formTargets.join(" ") || "'none'"}`,
    "frame-ancestors 'none'",
  ].join("; ")

const document = ({ title, main, root }: Page): Markup => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${root}/favicon.svg" type="image/svg+xml">
${styleElement}
</head>
<body>
<header>
<a class="home" href="${root}/">${paw} Petstore</a>
<nav aria-label="Site"><a href="${root}/docs">Reference</a><a href="${root}/problems">Problems</a></nav>
</header>
<main>${main}</main>
</body>
</html>
`
