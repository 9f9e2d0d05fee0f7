import { join } from "node:path"
import { after } from "node:test"
import { openSqlite } from "../../src/storage/sqlite/open.ts"
import { temporaryDirectory } from "../harness/petstore.ts"
import { storeConformance } from "./store/suite.ts"

const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())

let count = 0
storeConformance("SQLite", async () => openSqlite(join(directory.path, `${count++}.db`)))
