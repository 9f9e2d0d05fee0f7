import { html, type Markup } from "../html.ts"

/** The result of an action, or the reason for a failure. */
export type Notice = { text: string; isFailure: boolean }

/** `id` is for the `aria-describedby` of fields. */
export const notice = ({ text, isFailure }: Notice, id?: string): Markup =>
  isFailure
    ? html`<p class="alarm" role="alert"${id !== undefined && html` id="${id}"`}>${text}</p>`
    : html`<p class="notice" role="status">${text}</p>`

export const alarm = (text: string, id?: string): Markup => notice({ text, isFailure: true }, id)
