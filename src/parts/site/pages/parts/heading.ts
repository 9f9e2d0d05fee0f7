import { html, type Markup } from "../html.ts"

type PageContext = { root: string; path: string }

export type Heading = {
  /** The parent page, below the console; the list at the first segment of the path when absent. */
  back?: { to: string; label: string } | undefined
  picture?: Markup | undefined
  title: string
  badge?: Markup
  links?: Markup | false
}

export function heading(
  { root, path }: PageContext,
  { back = listAbove(path), picture, title, badge, links }: Heading,
): Markup {
  const isAlone = !picture && !badge && links === undefined
  return html`${back && html`<p class="back"><a href="${root}${back.to}">${back.label}</a></p>`}
${
  isAlone
    ? html`<h1>${title}</h1>`
    : html`<div class="heading">${picture}<h1>${title}</h1>
${badge}
${links && html`<p class="actions">${links}</p>`}</div>`
}`
}

function listAbove(path: string): Heading["back"] {
  const [, noun, rest] = path.split("/")
  return rest === undefined ? undefined : { to: `/${noun}`, label: `All ${noun}` }
}
