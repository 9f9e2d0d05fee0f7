import { createRequire } from "node:module"
import { join } from "node:path"
import { describe } from "node:test"
import { filesOf, root } from "../../harness/together.ts"

/** Tests whose outcome depends on SQL: lists, searches, races, unique names, transactions, and values that a database may refuse. */
const files = filesOf([
  "test/{cases,oauth/oauth,http/classic/round-trip,slow/any-request}.test.ts",
  "test/{events/events,images/images}.test.ts",
  "test/pets/*.test.ts",
  "test/orders/{orders,races,records,stale}.test.ts",
  "test/users/{users,sessions}.test.ts",
  "test/accounts/{accounts,keys,limits}.test.ts",
  "test/webhooks/{retention,waking,webhooks}.test.ts",
  "test/properties/{links,pets}.test.ts",
])

const require = createRequire(import.meta.url)
for (const file of files) describe(file, () => void require(join(root, file)))
