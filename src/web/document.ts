import { html, type Markup } from "./html.ts"

type Document = {
  title: string
  /** The way to the first page. */
  root: string
  /** The elements of the head that make its look. */
  look: Markup
  body: Markup
}

/** A whole page. */
export const document = ({ title, root, look, body }: Document): Markup => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${root}/favicon.svg" type="image/svg+xml">
${look}
</head>
<body>
${body}
</body>
</html>
`

type Allowed = {
  style: string
  script?: string
  connect?: string
  /** Where else than here images may come from. */
  images?: string | undefined
  /** Where forms may lead; nowhere when there are none. */
  forms: readonly string[]
}

/** What every page says of itself: nothing from elsewhere, nobody's frame. */
export const pageHeaders = (allowed: Allowed, cacheControl: string): string[] => [
  ...["content-type", "text/html; charset=utf-8"],
  ...["cache-control", cacheControl],
  ...["content-security-policy", contentSecurityPolicy(allowed)],
  // Not no-referrer, with which a browser does not say which origin a form comes from (Fetch, section 3.1).
  ...["referrer-policy", "same-origin"],
  ...["x-frame-options", "DENY"],
]

const contentSecurityPolicy = ({ style, script, connect, images, forms }: Allowed): string =>
  [
    "default-src 'none'",
    `style-src ${style}`,
    ...(script === undefined ? [] : [`script-src ${script}`]),
    ...(connect === undefined ? [] : [`connect-src ${connect}`]),
    `img-src 'self'${images === undefined ? "" : ` ${images}`}`,
    "base-uri 'none'",
    `form-action ${forms.join(" ") || "'none'"}`,
    "frame-ancestors 'none'",
  ].join("; ")
