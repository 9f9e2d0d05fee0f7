import { html, type Markup } from "../html.ts"
import type { OnPage } from "./post-form.ts"

type Options = {
  action: string
  accept: string
  label: string
  hint: string
  button: string
  variant?: "quiet"
  fields: Markup
}

/**
 * A form that uploads a file. The token is in the address, because the operation reads the body itself. With the script, the
 * form accepts dropped files and shows progress.
 */
export const fileForm = (
  { root, path, token }: OnPage,
  { action, accept, label, hint, button, variant, fields }: Options,
): Markup =>
  html`<form method="post" enctype="multipart/form-data" data-upload
  action="${root}${path}?${new URLSearchParams({ form: token, action }).toString()}">
${fields}
<label for="file">${label}</label>
<input id="file" type="file" name="file" required accept="${accept}" aria-describedby="file-hint">
<p class="hint" id="file-hint">${hint}</p>
<progress max="100" value="0" aria-label="Upload progress" hidden></progress>
<p class="alarm" role="alert" hidden></p>
<button${variant && html` class="${variant}"`}>${button}</button>
</form>`
