import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../test/harness/directory.ts"
import { makeBackup, makeInstallation, rewrite } from "../../test/harness/small-backup.ts"
import { StoreUnavailable } from "../domain/ports/store.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { systemClock } from "../kernel/clock.ts"
import { openMaintenance } from "./maintenance.ts"

/** Opens the commands on a machine whose settings cannot be read. */
function openFailing(error: Error) {
  const fail = () => {
    throw error
  }
  return openMaintenance({ installation: fail, locations: fail }, systemClock)
}

test("what commands create is private to the user", () => {
  const before = process.umask(0o022)
  openFailing(new Error("no"))
  assert.equal(process.umask(before), 0o077)
})

test("damaged records of a backup that was made without comparing them are named", async () => {
  const before = process.umask()
  using directory = temporaryDirectory()
  const at = (name: string) => join(directory.path, name)
  await makeBackup(await makeInstallation(at("data"), 1), at("archive"))
  await rewrite(at("archive"), at("damaged"), {
    change(path) {
      using db = new DatabaseSync(join(path, "petstore.db"))
      db.exec("UPDATE pets SET etag = 'other'")
    },
  })
  const { verify } = openFailing(new Error("no settings are needed"))
  const found = async (name: string) => {
    const verified = await verify(at(name), () => undefined)
    return [verified.wrong, "damaged" in verified && verified.damaged]
  }
  assert.deepEqual(await found("archive"), [[], false])
  assert.deepEqual(await found("damaged"), [[], [{ kind: "pets", ids: [1], count: 1 }]])
  process.umask(before)
})

test("only an address of S3 is a bucket, whose settings are read", async () => {
  const before = process.umask()
  using directory = temporaryDirectory()
  const asked: object[] = []
  const locations = (settings: object) => {
    asked.push(settings)
    throw new StoreUnavailable("away")
  }
  const { verify } = openMaintenance({ installation: assert.fail, locations }, systemClock)
  const nothing = () => undefined
  await assert.rejects(verify("s3://bucket/backup", nothing), new CannotStart("away"))
  await assert.rejects(verify(join(directory.path, "s3:"), nothing), /is not a complete backup/)
  assert.deepEqual(asked, [{ PETSTORE_BLOB_URL: "s3://bucket/backup" }])
  process.umask(before)
})

test("storage that is away is a problem of the operator, and any other error is a bug", async () => {
  const before = process.umask()
  const nothing = () => undefined
  const commands = (error: Error) => {
    const { migrate, backUp, restore, copy } = openFailing(error)
    const ends = { database: "a", images: undefined }
    return [
      migrate,
      () => backUp("/backup", nothing),
      () => restore("/backup", nothing),
      () => copy(ends, ends, nothing),
    ]
  }
  for (const command of commands(new StoreUnavailable("away"))) await assert.rejects(command, new CannotStart("away"))
  for (const command of commands(new TypeError("bug"))) await assert.rejects(command, new TypeError("bug"))
  process.umask(before)
})
