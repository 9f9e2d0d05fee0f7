import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { renderPage } from "../layout.ts"
import { problemMain } from "./problem-main.ts"

/** What a person is shown who was refused before the console knew them. */
export const problemPage = (told: Parameters<typeof problemMain>[0]): HttpResponse =>
  renderPage({
    ...{ title: `${told.title} · Petstore console`, root: "", status: told.status, cacheControl: "no-store" },
    main: problemMain(told),
  })
