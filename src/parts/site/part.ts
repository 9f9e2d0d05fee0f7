import { problemExample } from "../../core/api/problems/problem-example.ts"
import type { Part } from "../../core/assembly/part.ts"
import { addSitePages, assetsOf } from "./mount.ts"
import { notFoundPage } from "./pages/problem-pages.ts"

/** What the pages of other parts share: the frame, the style and static files; and the pages of problems. */
export const sitePart: Part = {
  name: "site",
  open: ({ config }) => ({
    notFoundPage,
    openStore: () => ({
      pages: {
        paths: ["/problems", "/assets"],
        add(router, { http: { respondNotFound }, name }) {
          const header = { hasStore: config.hasPublicStore, area: name }
          const furtherAssets = () => assetsOf(router)
          addSitePages(router, { header, problemExample, furtherAssets, respondNotFound, isPage: true })
        },
      },
    }),
  }),
}
