import { html, type Markup } from "../html.ts"

/** How something stands: in a word, which its color repeats. */
export const badge = (word: string): Markup => html`<span class="badge ${tones[word] ?? "plain"}">${word}</span>`

const tones: Record<string, string> = {
  ...{ available: "good", active: "good", delivered: "good", done: "good", ready: "good", responds: "good" },
  ...{ pending: "waiting", placed: "waiting", approved: "waiting", paused: "waiting", testing: "waiting" },
  ...{ degraded: "waiting", away: "waiting", "not ready": "bad" },
  ...{ failed: "bad", disabled: "bad", refused: "bad" },
}
