import { html, type Markup } from "../../../site/pages/html.ts"
import type { Visit } from "../page.ts"
import type { MappingFields } from "./mapping.ts"

/** Uploads a file for preview or import. With the script, the file stays selected after the preview. */
export function importForm({ root, path, token }: Visit, { map = "", columns = "" }: MappingFields = {}): Markup {
  const to = (action: string) => `${root}${path}?${new URLSearchParams({ form: token, action })}`
  return html`<form method="post" enctype="multipart/form-data" data-upload data-result="result" action="${to("preview")}">
<label for="file">File</label>
<input id="file" type="file" name="file" required accept=".ndjson,.jsonl,.json,.csv,text/csv,application/x-ndjson,application/json" aria-describedby="file-hint">
<p class="hint" id="file-hint">At most 32 MiB, 100,000 pets, 200,000 lines and 100 columns, in UTF-8. In CSV, separate several tags or photo URLs with |, put one per line, or write a JSON array.</p>
<label for="map">Map columns</label>
<textarea id="map" name="map" rows="3" maxlength="20000" aria-describedby="map-hint">${map}</textarea>
<p class="hint" id="map-hint">One a line, such as species=category: a title of CSV or a member of JSON, and id, name, category, status, tags, photoUrls or nothing.</p>
<label for="columns">Titles</label>
<input id="columns" name="columns" value="${columns}" maxlength="20000" aria-describedby="columns-hint">
<p class="hint" id="columns-hint">Only for CSV whose first line is a pet: name,category,status.</p>
<label class="check"><input type="checkbox" name="newIds" value="yes"> Give every pet a new id</label>
<label class="check"><input type="checkbox" name="again" value="yes"> Import pets again that were imported before</label>
<progress max="100" value="0" aria-label="Progress" hidden></progress>
<p class="alarm" role="alert" hidden></p>
<p class="actions"><button formaction="${to("preview")}" class="quiet">Preview</button> <button formaction="${to("import")}">Import</button></p>
</form>`
}
