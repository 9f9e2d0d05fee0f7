import { join } from "node:path"
import { after } from "node:test"
import { openSqlite } from "../../src/storage/sqlite/open.ts"
import { temporaryDirectory } from "../harness/petstore.ts"
import { oauthConformance } from "./oauth.ts"
import { ordersAndUsersConformance } from "./orders-and-users.ts"
import { storeConformance } from "./store.ts"

const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())

const open = (file: string) => async () => openSqlite(join(directory.path, file))

storeConformance("SQLite", open("pets.db"))
ordersAndUsersConformance("SQLite", open("orders.db"))
oauthConformance("SQLite", open("oauth.db"))
