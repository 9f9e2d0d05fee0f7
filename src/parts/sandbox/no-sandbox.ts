import type { Part } from "../../core/assembly/part.ts"
import { sandbox as contract } from "./contract.ts"
import { refuseName } from "./named/selected-name.ts"

/** Where there is no sandbox, refuses requests that name one. */
export const noSandbox: Part = {
  name: "no sandbox",
  open: () => ({
    contract,
    serve: () => ({ enter: (exchange, isPage) => refuseName(exchange, isPage, "production has none") }),
  }),
}
