import { html, type Markup } from "../html.ts"

/** A state in one word, with a matching color. */
export const badge = (word: string): Markup => html`<span class="badge ${tones[word] ?? "plain"}">${word}</span>`

const tones: Record<string, string> = {
  available: "good",
  active: "good",
  delivered: "good",
  done: "good",
  ready: "good",
  pending: "busy",
  placed: "busy",
  approved: "busy",
  testing: "busy",
  paused: "waiting",
  degraded: "waiting",
  unavailable: "waiting",
  "not ready": "bad",
  failed: "bad",
  failing: "bad",
  disabled: "bad",
  refused: "bad",
}
