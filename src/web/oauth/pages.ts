import { hash } from "node:crypto"
import type { ErrorOut, KoaContextWithOIDC } from "oidc-provider"

const style = `
:root { color-scheme: light dark; --ink: #1d2433; --soft: #5a6478; --paper: #fff; --ground: #eef1f6; --line: #c5ccd8;
  --accent: #1f5fbf; --on-accent: #fff; --alarm: #a4161a; --alarm-ground: #fdecec }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf2; --soft: #a3adbf; --paper: #1c212c; --ground: #12151d;
  --line: #3a4355; --accent: #8ab4f8; --on-accent: #10213d; --alarm: #ffb4ab; --alarm-ground: #3b1a1a } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--ground);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 26rem; padding: 2rem 1.5rem; background: var(--paper); border-radius: 1rem;
  border: 1px solid var(--line) }
h1 { margin: 0 0 .5rem; font-size: 1.4rem; line-height: 1.25; overflow-wrap: anywhere }
p { margin: .5rem 0; overflow-wrap: anywhere } .soft { color: var(--soft) }
.brand { margin: 0 0 1.5rem; font-weight: 600; color: var(--soft) }
.alarm { padding: .75rem 1rem; border-radius: .5rem; background: var(--alarm-ground); color: var(--alarm) }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600 }
input { width: 100%; padding: .7rem .8rem; font: inherit; color: inherit; background: var(--paper);
  border: 1px solid var(--soft); border-radius: .5rem }
button { width: 100%; min-height: 3rem; margin-top: 1rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: .5rem }
button.quiet { color: var(--ink); background: transparent; border-color: var(--soft) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
ul { margin: 1rem 0; padding: 0; list-style: none; border-top: 1px solid var(--line) }
a { color: var(--accent) }
li { padding: .6rem 0; border-bottom: 1px solid var(--line) } code { color: var(--soft); font-size: .85rem }
`

/**
 * The policy of a page with a form: nothing but its own style, and its form goes nowhere but here and, by way of the
 * redirect that ends the flow, to the application.
 */
export const policyOf = (formTargets: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${hash("sha256", style, "base64")}'`,
    `form-action ${formTargets.join(" ") || "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ")

/** The headers every page goes out with: it shows who somebody is, so nobody keeps, frames or sniffs it. */
export const pageHeaders = (formTargets: readonly string[] = []) => ({
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": policyOf(formTargets),
  // Not no-referrer, with which a browser does not say where a form is from (Fetch, section 3.1).
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
})

export const page = (title: string, main: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Petstore</title>
<style>${style}</style>
<main>
<p class="brand">Petstore</p>
${main}
</main>
</html>
`

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** What a person sees when the flow cannot go on and there is nowhere safe to send them back to. */
export function sendErrorPage(ctx: KoaContextWithOIDC, out: ErrorOut): void {
  ctx.set(pageHeaders())
  ctx.body = errorPage(out.error, out.error_description)
}

export const errorPage = (error: string, description = "The request cannot be continued."): string =>
  page(
    "This did not work",
    `<h1>This did not work</h1>
<p class="alarm" role="alert">${escaped(description)}</p>
<p>Go back to the application and start again. If it happens again, tell whoever runs the application.</p>
<p class="soft"><code>${escaped(error)}</code></p>`,
  )
