import assert from "node:assert/strict"

/** Texts that become markup or script when a page does not escape them. */
export const hostileTexts = [
  `<script>alert("1")</script>&'`,
  `"><img src=x onerror=alert(1)>`,
  `' onmouseover='alert(1)`,
  `"autofocus onfocus="alert(1)`,
  "</title><script>alert(1)</script>",
  "</pre></textarea><svg/onload=alert(1)>",
  "</datalist><iframe src=//elsewhere.example>",
  "<!--<script>",
  "]]><script>alert(1)</script>",
  "javascript:alert(1)//",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "<style>*{background:url(//elsewhere.example)}</style>",
  "<base href=//elsewhere.example>",
  "<form action=//elsewhere.example>",
  "\u202e<b>evil</b>\u2066",
  `<script>alert(1)</script>`,
  `'><svg/onload=alert(1)>`,
  `</textarea></title></script><script>alert(1)</script>`,
  `javascript:alert(1)`,
  `\${alert(1)}{{alert(1)}}`,
  `&lt;script&gt;alert(1)&lt;/script&gt;`,
]

/** Asserts that a page shows the text, escaped. */
export function requireAsText(html: string, text: string, where: string): void {
  assert.ok(html.includes(escaped(text)), `${where} shows ${text}`)
  if (/[<>"']/.test(text)) assert.ok(!html.includes(text), `${where} has ${text} in its markup`)
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? "")
