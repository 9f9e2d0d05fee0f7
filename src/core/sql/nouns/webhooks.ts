import type { StoredWebhook } from "../../domain/webhooks/model.ts"
import type { WebhookStore } from "../../domain/webhooks/store.ts"
import { pageOf } from "../../kernel/endpoint/page.ts"
import { andThen } from "../../kernel/flow/awaitable.ts"
import { idMax } from "../../kernel/schema/schema.ts"
import { hashedIn, requireIntactColumns } from "../hashes/columns.ts"
import { storeHash } from "../hashes/hashes.ts"
import { type PageRow, type Stored, withoutNulls } from "../rows.ts"
import { fragment, type None, returningId, type SqlConnection, sql } from "../statement.ts"
import { countOfAccount } from "./accounts.ts"
import { lockWebhook, updateDue } from "./due.ts"

type Plain = Omit<StoredWebhook, "events" | "ordered">
type WebhookRow = Stored<Plain> & { ordered: number; hashed: string }
type WrittenRow = Plain & { ordered: number }

const columns = fragment<None>`
         id, account_id AS "accountId", url, description, ordered, status, disabled_reason AS "disabledReason",
         failing_since AS "failingSince", lane, average_ms AS "averageMs", created_at AS "createdAt",
         ${hashedIn("webhooks")} AS "hashed"`

const add = sql<Omit<WrittenRow, "id"> & { userId: number | undefined }>`
  INSERT INTO webhooks (user_id, account_id, url, description, ordered, status, disabled_reason, failing_since,
                        lane, average_ms, created_at)
  VALUES (${"userId"}, ${"accountId"}, ${"url"}, ${"description"}, ${"ordered"}, ${"status"},
          ${"disabledReason"}, ${"failingSince"}, ${"lane"}, ${"averageMs"}, ${"createdAt"})
  ${returningId}`

const count = sql<{ accountId: number }, { count: number }>`
  SELECT count(*) AS "count" FROM webhooks WHERE account_id = ${"accountId"} AND deleted_at IS NULL`

const read = sql<{ id: number }, WebhookRow>`SELECT ${columns} FROM webhooks WHERE id = ${"id"} AND deleted_at IS NULL`

const put = sql<Omit<WrittenRow, "accountId" | "createdAt">>`
  UPDATE webhooks
  SET url = ${"url"}, description = ${"description"}, ordered = ${"ordered"}, status = ${"status"},
      disabled_reason = ${"disabledReason"}, failing_since = ${"failingSince"}, lane = ${"lane"},
      average_ms = ${"averageMs"}
  WHERE id = ${"id"}`

const putHealth = sql<Pick<WrittenRow, "id" | "failingSince" | "lane" | "averageMs">>`
  UPDATE webhooks SET failing_since = ${"failingSince"}, lane = ${"lane"}, average_ms = ${"averageMs"}
  WHERE id = ${"id"}`

const remove = sql<{ id: number; at: number }>`
  UPDATE webhooks SET deleted_at = ${"at"}, due_at = NULL WHERE id = ${"id"}`

const ofPerson = sql<{ userId: number; accountId: number }, { id: number }>`
  SELECT id FROM webhooks WHERE user_id = ${"userId"} AND deleted_at IS NULL
  UNION
  SELECT id FROM webhooks WHERE account_id = ${"accountId"} AND deleted_at IS NULL`

const list = sql<{ accountId: number } & PageRow, WebhookRow>`
  SELECT ${columns} FROM webhooks
  WHERE account_id = ${"accountId"} AND deleted_at IS NULL AND id < ${"before"}
  ORDER BY id DESC LIMIT ${"limit"}`

const select = sql<{ id: number; kind: string }>`
  INSERT INTO webhook_events (webhook_id, kind) VALUES (${"id"}, ${"kind"})`

const deselect = sql<{ id: number }>`DELETE FROM webhook_events WHERE webhook_id = ${"id"}`

const anySelected = sql<None, { id: number }>`SELECT webhook_id AS "id" FROM webhook_events LIMIT 1`

const secrets = sql<{ id: number; at: number }, { sealed: string }>`
  SELECT sealed FROM webhook_secrets
  WHERE webhook_id = ${"id"} AND (retired_at IS NULL OR retired_at > ${"at"}) ORDER BY id DESC`

const retire = sql<{ id: number; at: number }>`
  UPDATE webhook_secrets SET retired_at = ${"at"} WHERE webhook_id = ${"id"} AND retired_at IS NULL`

const addSecret = sql<{ id: number; sealed: string }>`
  INSERT INTO webhook_secrets (webhook_id, sealed) VALUES (${"id"}, ${"sealed"})`

const removeSecrets = sql<{ id: number }>`DELETE FROM webhook_secrets WHERE webhook_id = ${"id"}`

const secretsAfter = sql<{ after: number; limit: number }, { id: number; sealed: string }>`
  SELECT id, sealed FROM webhook_secrets WHERE id > ${"after"} ORDER BY id LIMIT ${"limit"}`

const reseal = sql<{ id: number; sealed: string }>`UPDATE webhook_secrets SET sealed = ${"sealed"} WHERE id = ${"id"}`

const anySecret = sql<None, { sealed: string }>`SELECT sealed FROM webhook_secrets ORDER BY id DESC LIMIT 1`

const pruneSecrets = sql<{ at: number; limit: number }>`
  DELETE FROM webhook_secrets WHERE id IN (SELECT id FROM webhook_secrets WHERE retired_at < ${"at"} LIMIT ${"limit"})`

const deserted = sql<{ deletedBefore: number; limit: number }, { id: number }>`
  SELECT id FROM webhooks
  WHERE id IN (SELECT id FROM webhooks WHERE deleted_at < ${"deletedBefore"} ORDER BY deleted_at LIMIT ${"limit"})
    AND NOT EXISTS (SELECT 1 FROM deliveries WHERE webhook_id = webhooks.id)`

const purge = sql<{ id: number }>`DELETE FROM webhooks WHERE id = ${"id"}`

export const webhookStore = (db: SqlConnection): WebhookStore => ({
  async add(webhook, sealed, userId) {
    const id = await db.insert(add, { ...webhook, ordered: Number(webhook.ordered), userId })
    for (const kind of webhook.events) await db.run(select, { id, kind })
    await db.run(addSecret, { id, sealed })
    await storeHash(db, "webhooks", id)
    return { ...webhook, id }
  },
  count: (accountId) => countOfAccount(db, count, { accountId }),
  anyListens: () => andThen(undefined, db.one(anySelected, {}), (_, found) => found !== undefined),
  read: (id, accountId) => findWebhook(db, id, accountId),
  async lock(id, accountId) {
    await lockWebhook(db, id)
    return findWebhook(db, id, accountId)
  },

  async put(webhook) {
    await db.run(put, { ...webhook, ordered: Number(webhook.ordered) })
    await db.run(deselect, { id: webhook.id })
    for (const kind of webhook.events) await db.run(select, { id: webhook.id, kind })
    await storeHash(db, "webhooks", webhook.id)
    await updateDue(db, webhook.id)
    if (webhook.status === "active") db.noteChange("delivery-due")
  },
  putHealth: (webhook) => db.exec(putHealth, webhook),
  async remove(id, at) {
    await db.run(remove, { id, at })
    await db.run(deselect, { id })
    await db.run(removeSecrets, { id })
    await storeHash(db, "webhooks", id)
  },
  async removeOfPerson(userId, accountId, at) {
    const ids = (await db.all(ofPerson, { userId, accountId })).map(({ id }) => id)
    for (const id of ids) await this.remove(id, at)
    return ids
  },
  async list(accountId, { before = idMax + 1, limit }) {
    const rows = await db.all(list, { accountId, before, limit: limit + 1 })
    return pageOf(rows, limit, toStoredWebhook)
  },

  secrets: async (id, at) => (await db.all(secrets, { id, at })).map(({ sealed }) => sealed),
  async addSecret(id, sealed, retireAt) {
    await db.run(retire, { id, at: retireAt })
    await db.run(addSecret, { id, sealed })
  },
  secretsAfter: async (after, limit) => db.all(secretsAfter, { after, limit }),
  reseal: (id, sealed) => db.exec(reseal, { id, sealed }),
  anySecret: async () => (await db.one(anySecret, {}))?.sealed,
  pruneSecrets: async (at, limit) => db.run(pruneSecrets, { at, limit }),
  async prune(deletedBefore, limit) {
    const rows = await db.all(deserted, { deletedBefore, limit })
    for (const { id } of rows) await db.run(purge, { id })
    return rows.length
  },
})

async function findWebhook(db: SqlConnection, id: number, accountId: number | undefined) {
  const row = await db.one(read, { id })
  return row && (accountId === undefined || row.accountId === accountId) ? toStoredWebhook(row) : undefined
}

function toStoredWebhook({ ordered, hashed, ...row }: WebhookRow): StoredWebhook {
  const events = requireIntactColumns("webhooks", hashed)
  return { ...withoutNulls<Plain>(row), events, ordered: ordered === 1 }
}
