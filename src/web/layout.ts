import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { FastifyReply } from "fastify"
import { paw } from "./animals.ts"
import { html, Markup } from "./html.ts"

const style = readFileSync(join(import.meta.dirname, "style.css"), "utf8")
const styleElement = new Markup(`<style>${style}</style>`)

/** A page: its title, what it holds, and the way from its address to the first page (`.` or `..`; nothing when it is not known). */
export type Page = { title: string; main: Markup; root: "." | ".." | "" }

const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", style, "base64")}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

/** Answers with a page that runs no script and loads nothing from elsewhere. */
export const sendPage = (reply: FastifyReply, page: Page, cacheControl = "public, max-age=300"): FastifyReply =>
  reply
    .headers({
      "content-type": "text/html; charset=utf-8",
      "cache-control": cacheControl,
      "content-security-policy": contentSecurityPolicy,
      "referrer-policy": "same-origin",
    })
    .send(document(page).text)

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
