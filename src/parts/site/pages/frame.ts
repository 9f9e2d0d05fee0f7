import { hash } from "node:crypto"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { paletteScript, siteStyle } from "./assets.ts"
import { type Header, siteHeader, skipLink } from "./header.ts"
import { html, Markup } from "./html.ts"

export type HtmlPage = Header & {
  title: string
  main: Markup
  /** 200 when absent. */
  status?: number
  /** Value of `Cache-Control`; public for five minutes when absent. */
  cacheControl?: string
  /** Names of the page's scripts; none when absent. */
  scripts?: readonly string[]
  /** Additional CSP sources for images. */
  imageSources?: string | undefined
  /** CSP sources for `form-action`; forms are blocked when absent. */
  formTargets?: readonly string[]
  /** Style sheet and body around `main`; those of the site when absent. */
  frame?: Frame
  head?: Markup
}

/** What pages have around their own content. */
export type Surrounded = Pick<
  HtmlPage,
  "root" | "area" | "links" | "visitor" | "hasSearch" | "cacheControl" | "formTargets"
>

type Frame = {
  style: Markup
  /** The CSP source of the style sheet. */
  styleSource: string
  body: Markup
}

/** Renders a page. Its policy allows only the page's own scripts, no foreign resources and no framing. */
export function renderPage(page: HtmlPage): HttpResponse {
  const frame = page.frame ?? siteFrame(page)
  const scripts = [...(page.hasSearch ? [paletteScript.name] : []), ...(page.scripts ?? [])]
  return {
    status: page.status ?? 200,
    headers: [
      "content-type",
      "text/html; charset=utf-8",
      "cache-control",
      page.cacheControl ?? "public, max-age=300",
      "content-security-policy",
      contentSecurityPolicy(page, scripts, frame.styleSource),
      // With no-referrer a browser sends `Origin: null` with a form (Fetch, section 3.1).
      "referrer-policy",
      "same-origin",
      "x-frame-options",
      "DENY",
    ],
    body: write(page, scripts, frame).text,
  }
}

const contentSecurityPolicy = (
  { imageSources, formTargets = [] }: HtmlPage,
  scripts: readonly string[],
  style: string,
): string =>
  [
    "default-src 'none'",
    `style-src ${style}`,
    ...(scripts.length === 0 ? [] : ["script-src 'self'", "connect-src 'self'"]),
    `img-src 'self'${imageSources === undefined ? "" : ` ${imageSources}`}`,
    "base-uri 'none'",
    `form-action ${formTargets.join(" ") || "'none'"}`,
    "frame-ancestors 'none'",
  ].join("; ")

const write = (
  { title, root, head }: HtmlPage,
  scripts: readonly string[],
  { style, body }: Frame,
): Markup => html`<!doctype html>
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

const siteFrame = ({ main, ...header }: HtmlPage): Frame => ({
  ...siteLook,
  body: html`${skipLink}
${siteHeader(header)}
<main id="main" tabindex="-1">${main}</main>`,
})
