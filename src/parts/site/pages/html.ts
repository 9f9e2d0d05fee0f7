/** Markup that `html` inserts unescaped. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Piece = Markup | string | number | false | undefined | readonly Piece[]

/** Builds markup. Inserted texts are escaped, arrays joined, `false` and undefined omitted. */
export const html = (strings: TemplateStringsArray, ...pieces: Piece[]): Markup =>
  new Markup(String.raw({ raw: strings }, ...pieces.map(render)))

function render(piece: Piece): string {
  if (piece instanceof Markup) return piece.text
  if (Array.isArray(piece)) return piece.map(render).join("")
  return piece === false || piece === undefined ? "" : escapeHtml(String(piece))
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] as string)

/** Renders a text in which backticks mark code. */
export const prose = (text: string): Markup[] =>
  text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
