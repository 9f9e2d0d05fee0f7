import type { Failure } from "../console/page.ts"
import { html, type Markup } from "../html.ts"

/** What went wrong with the form that was sent, above it; what is wrong with a field is told there too. */
export const failureNotice = (failure: Failure | undefined): Markup | undefined =>
  failure && html`<p class="alarm" role="alert">${failure.problem.detail}</p>`
