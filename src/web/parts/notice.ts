import { html, type Markup } from "../html.ts"

/** What was done, or why something was refused. */
export type Notice = { text: string; isFailure: boolean }

/** Says it above what it is about; `id` is for the fields that it describes. */
export const notice = ({ text, isFailure }: Notice, id?: string): Markup =>
  isFailure
    ? html`<p class="alarm" role="alert"${id !== undefined && html` id="${id}"`}>${text}</p>`
    : html`<p class="notice" role="status">${text}</p>`

export const alarm = (text: string, id?: string): Markup => notice({ text, isFailure: true }, id)
