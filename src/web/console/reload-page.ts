import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { document, pageHeaders } from "../document.ts"
import { html } from "../html.ts"

/** Asks for the same page again, this time from a page of ours. */
export const renderReload = (): HttpResponse => ({
  status: 200,
  headers: pageHeaders({ style: "'none'", forms: [] }, "no-store"),
  body: document({
    title: "Petstore console",
    root: "",
    look: html`<meta http-equiv="refresh" content="0">`,
    body: html`<main><h1>Petstore console</h1><p><a href="">Open the page</a></p></main>`,
  }).text,
})
