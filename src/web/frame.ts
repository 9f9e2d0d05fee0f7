import { hash } from "node:crypto"
import type { HttpResponse } from "../kernel/network/http-response.ts"
import { paw } from "./animals.ts"
import { siteStyle } from "./assets.ts"
import { html, Markup } from "./html.ts"

export type HtmlPage = {
  title: string
  main: Markup
  /** The way from the page's address to the first page; empty when the address is not known. */
  root: string
  /** 200 when absent. */
  status?: number
  /** What `Cache-Control` says; five minutes for everybody when absent. */
  cacheControl?: string
  /** The names of the page's scripts; it runs none when absent. */
  scripts?: readonly string[]
  /** CSP sources besides this service that its images come from. */
  imageSources?: string | undefined
  /** CSP sources the page's forms may lead to; it has no form when absent. */
  formTargets?: readonly string[]
  /** The style sheet and what surrounds `main`; those of the site when absent. */
  frame?: Frame
  /** Further elements of the head. */
  head?: Markup
}

type Frame = {
  style: Markup
  /** Where the style comes from, as the policy says it. */
  styleSource: string
  body: Markup
}

/** Turns a page into a response that runs no script but one of its own, loads nothing from elsewhere and cannot be framed. */
export function renderPage(page: HtmlPage): HttpResponse {
  const frame = page.frame ?? siteFrame(page)
  return {
    status: page.status ?? 200,
    headers: [
      ...["content-type", "text/html; charset=utf-8"],
      ...["cache-control", page.cacheControl ?? "public, max-age=300"],
      ...["content-security-policy", contentSecurityPolicy(page, frame.styleSource)],
      // Not no-referrer, with which a browser does not say which origin a form comes from (Fetch, section 3.1).
      ...["referrer-policy", "same-origin"],
      ...["x-frame-options", "DENY"],
    ],
    body: write(page, frame).text,
  }
}

const contentSecurityPolicy = ({ scripts, imageSources, formTargets = [] }: HtmlPage, style: string): string =>
  [
    "default-src 'none'",
    `style-src ${style}`,
    ...(scripts === undefined ? [] : ["script-src 'self'", "connect-src 'self'"]),
    `img-src 'self'${imageSources === undefined ? "" : ` ${imageSources}`}`,
    "base-uri 'none'",
    `form-action ${formTargets.join(" ") || "'none'"}`,
    "frame-ancestors 'none'",
  ].join("; ")

const write = ({ title, root, scripts = [], head }: HtmlPage, { style, body }: Frame): Markup => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${root}/favicon.svg" type="image/svg+xml">
${style}
${scripts.map((name) => html`<script src="${root}/assets/${name}" defer></script>`)}
${head}
</head>
<body>
${body}
</body>
</html>
`

const siteLook = {
  style: new Markup(`<style>${siteStyle}</style>`),
  styleSource: `'sha256-${hash("sha256", siteStyle, "base64")}'`,
}

const siteFrame = ({ root, main }: HtmlPage): Frame => ({
  ...siteLook,
  body: html`${siteHeader(root)}
<main>${main}</main>`,
})

/** What every page outside of the console begins with. */
export const siteHeader = (root: string): Markup => html`<header>
<a class="home" href="${root}/">${paw} Petstore</a>
<nav aria-label="Site"><a href="${root}/console">Console</a><a href="${root}/docs">Reference</a><a href="${root}/problems">Problems</a></nav>
</header>`
