import { applyMutants, type Mutant } from "./mutate.ts"

/** Code of which a review found that no test can or should observe a change, by the reason. */
type Review = { reason: string; excerpts: readonly Excerpt[] }

/**
 * A file and its code as it is written, of which no change is made; with `becomes`, only the change to that is not.
 * The code must be in the file once, so that the list stays true.
 */
type Excerpt = { file: string; code: string; becomes?: string }

const at = (file: string, code: string, becomes?: string): Excerpt => ({ file, code, ...(becomes && { becomes }) })

const reviews: readonly Review[] = [
  {
    reason: "how much memory a cache or a buffer takes; only speed changes",
    excerpts: [
      at("src/server/writing/header-names.ts", "{ entriesMax: 200, lengthMax: 64 }"),
      at("src/server/writing/logged-address.ts", "{ entriesMax: 1_000, lengthMax: 64 }"),
      at("src/server/writing/json-response.ts", "{ entriesMax: 100, lengthMax: 250 }"),
      at("src/server/writing/request-log.ts", "{ entriesMax: 100, lengthMax: 32 }"),
      at("src/server/reading/read-input.ts", "{ entriesMax: 50, lengthMax: 200 }"),
      at("src/storage/sqlite/copy-ends.ts", "prepared.set(text, fresh)"),
      at("src/storage/sqlite/connection.ts", "prepared.set(statement, fresh)"),
      at("src/storage/sqlite/open.ts", "labels.commit()"),
      at("src/storage/sqlite/start-over.ts", "fresh.close()"),
      at("src/storage/memory/queue.ts", "if (this.length > 0 && !isWorthCopying) return"),
      at("src/storage/memory/queue.ts", "this.#first >= spareItemsMax && this.#first * 2 >= this.#items.length"),
      at("src/storage/sqlite/checkpoint.ts", "resourceLimits: { maxOldGenerationSizeMb: 16 }"),
      at("src/operator/archive/file-list.ts", "const bufferedMax = 64 * 1024"),
      at("src/pet-files/held-bytes.ts", "else this.#parts = []", "else ;"),
      at("src/pet-files/json-objects.ts", "const heldBytesMax = 16 * 1024 * 1024"),
      at("src/cli/import/source.ts", "linesMax = 10_000_000"),
      at("src/storage/sql/pets/label-memory.ts", "const namesMax = 2_500"),
      at(
        "src/storage/sql/pets/label-memory.ts",
        "this.forget(kind, name)\n    this.#learnt = []",
        "this.forget(kind, name)\n    ;",
      ),
      at("src/storage/memory/queue.ts", "const spareItemsMax = 64"),
      at("src/api/authentication/principal-cache.ts", "const principalsMax = 20_000"),
      at("src/sandbox/journal-entry.ts", "const copiedLengthMax = 4 * 1024"),
      at("src/sandbox/journal-entry.ts", "const wholeLengthMax = 64 * 1024"),
      at(
        "src/sandbox/journal.ts",
        "identified.bytes + anonymous.bytes > bytesMax",
        "identified.bytes + anonymous.bytes >= bytesMax",
      ),
      at("src/site/pages/reference/description.ts", "written.set(key, made)"),
      at("src/site/pages/reference/description.ts", "if (known) return known", ";"),
      at("src/site/serving/visit.ts", "made.get(name) ?? make(name)", "make(name)"),
      at("src/site/serving/visit.ts", "made.set(name, one)"),
      at("src/kernel/flow/slots.ts", "if (count > 0) held.set(key, count)", "if (count >= 0) held.set(key, count)"),
      at("src/server/limits/unread-responses.ts", "share.responses++"),
      at("src/server/limits/unread-responses.ts", "--share.responses", "++share.responses"),
      at("src/server/limits/unread-responses.ts", "shares.delete(account)", ";"),
      at("src/server/limits/connection.ts", "this.#current = undefined", ";"),
      at("src/api/authentication/principal-cache.ts", "byAccount.delete(id)", ";"),
      at("src/api/images/images.ts", "objectMode: false", "objectMode: true"),
    ],
  },
  {
    reason: "what is still held of a part that has ended; only memory changes",
    excerpts: [
      at("src/sandbox/journal.ts", "this.#journals.delete(journal)"),
      at("src/storage/sqlite/group-commit.ts", "this.#flushing = undefined", ";"),
      // The end of a transaction releases it.
      at("src/storage/sqlite/group.ts", "rollback.run()\n        release.run()", "rollback.run()\n        ;"),
      at("src/api/sandbox/named.ts", "clearInterval(this.#timer)"),
      at("src/client/retry.ts", 'signal?.removeEventListener("abort", end)', ";"),
      at("src/api/faults/delayed-responses.ts", "wakers.delete(end)"),
      at("src/sandbox/journal-queue.ts", "this.#first++ % this.#length", "this.#first++ * this.#length"),
    ],
  },
  {
    reason: "a shortcut to the same result; only speed changes",
    excerpts: [
      at("src/main.ts", "flushCompileCache()"),
      at("src/pet-files/csv-file.ts", "if (isBlank(line)) return { blank: true }", ";"),
      at("src/pet-files/lines.ts", "if (start < chunk.length)", "if (start <= chunk.length)"),
      at("src/pet-files/draft.ts", "map.size > 0 ?", "map.size >= 0 ?"),
      at("src/pet-files/csv-records.ts", "field.length <= 4", "field.length <= 5"),
      at("src/server/reading/conditional-requests.ts", "if (header === etag) return true"),
      at("src/server/reading/request-head.ts", 'if (!url.includes("%")) return'),
      at("src/server/reading/parameters.ts", "digits.length <= 20"),
      at("src/site/oauth-server/provider.ts", "if (token.clientId === asking.clientId) return true", ";"),
      at("src/site/oauth-server/mount.ts", "current = { kid: newest?.kid, provider }", ";"),
      at("src/kernel/clock.ts", "stampedAt = ms\n", ";"),
      at("src/kernel/json/parse-json.ts", "end > digitsEnd", "end >= digitsEnd"),
      at(
        "src/kernel/network/ip-address.ts",
        "bits > block.bits && isIn(network, block)",
        "bits > block.bits || isIn(network, block)",
      ),
      at("src/kernel/network/ip-address.ts", "parts.length > 0", "parts.length > 1"),
      at("src/kernel/schema/omit-nulls.ts", "if (members.length === 0) return undefined", ";"),
      at("src/server/reading/parameters.ts", "if (names.length === 0) return query", ";"),
      at("src/server/reading/parameters.ts", "if (Object.keys(schema.properties).length === 0) return () => ({})", ";"),
      at("src/server/listeners.ts", "reusePort && port !== 0", "reusePort || port !== 0"),
      at("src/api/feeds/feed.ts", "listeners.size > 0 && changes", "listeners.size >= 0 && changes"),
      at("src/server/listeners.ts", "noDelay: true"),
      at("src/kernel/schema/check.ts", "meta: false,\n  validate", "meta: true"),
      at("src/api/admission/account-quota.ts", "headers.set(quota, header)", ";"),
      at(
        "src/api/authentication/principal-cache.ts",
        "lastOf.set(connection, { kind, secret, known, generation })",
        ";",
      ),
      at("src/api/sandbox/journal-feed.ts", "listeners.size > 0", "listeners.size >= 0"),
      at("src/api/sandbox/secret-forms.ts", "if (decoded === shown) return shown", ";"),
      at("src/domain/pets/add.ts", "rest.length > 0", "rest.length >= 0"),
      at("src/workers/sweep-images.ts", "lacking.length > 0", "lacking.length >= 0"),
      at("src/storage/sql/nouns/events.ts", "if ((await db.one(anyUnpublished, {})) === undefined) return 0", ";"),
      at("src/storage/sql/nouns/events.ts", "if (count === 0) return 0", ";"),
      at("src/storage/sql/nouns/events.ts", "removed.length > 0", "removed.length >= 0"),
      at("src/storage/sql/nouns/events.ts", "if (selections === 0) return count", ";"),
      at("src/storage/sql/nouns/due.ts", "if (petId === null) return", ";"),
      at("src/storage/sql/nouns/images.ts", "if (references.length === 0) return", ";"),
      at("src/storage/sql/nouns/users.ts", "if ((await db.run(add, row)) > 0) return true", ";"),
      at("src/storage/sql/pets/labels.ts", "if (missing.length === 0) return ids", ";"),
      at("src/storage/sql/pets/labels.ts", "await findLabels(db, kind, unknown, ids)", ";"),
      at("src/storage/sql/pets/labels.ts", "if (names.length === 0) return", ";"),
      at(
        "src/storage/sql/pets/by-labels.ts",
        "if (categoryIds.length === 0 || tagIds.length === 0) return nothing",
        ";",
      ),
      at(
        "src/storage/sql/pets/by-labels.ts",
        "categoryIds.length === 0 || tagIds.length === 0",
        "categoryIds.length === 0 && tagIds.length === 0",
      ),
      at("src/workers/delivery/fairness/allot.ts", "if (occupancy.isFull(lane)) continue", ";"),
      at("src/workers/delivery/fairness/allot.ts", "waiting.length > 0", "waiting.length >= 0"),
      at("src/workers/delivery/fairness/allot.ts", "while (left > 0", "while (left >= 0"),
      at("src/workers/delivery/fairness/allot.ts", "left > 0 && waiting", "left > 0 || waiting"),
      at("src/server/inner-requests.ts", "bytes.length > 0", "bytes.length >= 0"),
      at("src/storage/sqlite/connection.ts", "if (known) return known", ";"),
      at(
        "src/storage/sql/pets/by-labels.ts",
        "if (rare.length < rowsAtOnce) return { ids, examinedTo: undefined }",
        ";",
      ),
      at("src/storage/sqlite/schema.ts", "deterministic: true", "deterministic: false"),
      at("src/storage/sqlite/copy-ends.ts", "if (known) return known", ";"),
      at("src/storage/sqlite/snapshot-memory.ts", "if (this.#bytes === 0) return", ";"),
      at("src/storage/sqlite/snapshot-memory.ts", "if (this.#bytes === 0) return", "if (this.#bytes === 1) return"),
    ],
  },
  {
    reason: "how much is done before something else has its turn; only speed changes",
    excerpts: [
      at("src/storage/sqlite/checkpoint.ts", "return statSync(file).size - bytes > shrinkingHereMax"),
      at("src/storage/sqlite/checkpoint.ts", "(await copyElsewhere(file)) ?? copyHere()", "copyHere()"),
      at("src/imaging/decode.ts", "const effort = frames > 1 ? movingEffort : stillEffort"),
      at("src/imaging/decode.ts", "edge > small ? await resize", "edge >= small ? await resize"),
      at("src/storage/sql/pets/tags-of-pets.ts", "if (rows.length > 0)", "if (rows.length >= 0)"),
      at("src/storage/sql/pets/tags-of-pets.ts", "if (tagIds.length > 0)", "if (tagIds.length >= 0)"),
      at("src/api/sandbox/journal-feed.ts", "if (turns.isOver()) await turns.next()"),
      at("src/api/sandbox/requests.ts", "await turns.start()"),
      at("src/server/xml/write-xml.ts", "await turn.start()"),
      at("src/api/sandbox/requests.ts", "if (turns.isOver()) await turns.next()"),
      at("src/api/sandbox/verify-requests.ts", "await turns.start()"),
      at("src/api/sandbox/verify-requests.ts", "if (turns.isOver()) await turns.next()"),
      at("src/domain/pets/batch/run-lines.ts", "if (turns.isOver()) await turns.next()"),
      at("src/domain/pets/add.ts", "if (turns.isOver()) await turns.next()\n    const found"),
      at("src/domain/pets/add.ts", "if (turns.isOver()) await turns.next()\n    const composed"),
      at("src/domain/pets/add.ts", "if (turns.isOver()) await turns.next()\n      for"),
      at("src/pet-files/lines.ts", "feed !== -1 &&"),
      at("src/pet-files/lines.ts", "if (lone !== -1 &&"),
      at("src/sandbox/journal-entry.ts", "3 * text.length <= free"),
      at("src/storage/sqlite/checkpoint.ts", "const shrinkingHereMax = 32 * 1024 * 1024"),
      at("src/storage/sqlite/checkpoint.ts", "export const framesMax = 1000"),
      at("src/storage/sql/pets/by-label.ts", "const chunkMin = 8"),
      at("src/storage/sql/pets/by-label.ts", "Math.max(chunkMin, Math.ceil(limit / labels.length))"),
      at("src/storage/sql/pets/page.ts", "reading.turns.isOver() ? reading.turns.next()"),
      at("src/storage/sql/ids.ts", "const walkMax = 200"),
      at("src/storage/sql/nouns/orders.ts", "max: max + 1", "max: max + 2"),
      at("src/storage/sql/nouns/events.ts", "const sameTimeMax = 200"),
      at("src/storage/sql/tables.ts", "const boundMax = 20_000"),
      at("src/workers/check-hashes.ts", "const recordsMax = 20_000"),
      at("src/workers/check-hashes.ts", "const imageBytesMax = 64 * 1024 * 1024"),
      at("src/server/xml/parse-xml.ts", "at < text.length; at += sliceLength", "at <= text.length; at += sliceLength"),
      at("src/site/pages/console/import-export/export.ts", "if (piece.length < pieceLength) continue"),
      at("src/site/pages/console/import-export/export.ts", "await setImmediate()"),
      at("src/site/pages/console/import-export/import-run.ts", "await setImmediate()"),
    ],
  },
  {
    reason:
      "locks and their order, and what another transaction did meanwhile: only PostgreSQL, which only slow tests start, has several writers",
    excerpts: [
      at(
        "src/storage/sql/nouns/deliveries.ts",
        "outcome, progress) {\n    await lockWebhook(db, webhookId)",
        "outcome, progress) {\n    ;",
      ),
      at(
        "src/storage/sql/nouns/deliveries.ts",
        "since, at, limit) {\n    await lockWebhook(db, webhookId)",
        "since, at, limit) {\n    ;",
      ),
      at(
        "src/storage/sql/nouns/deliveries.ts",
        "at: number): Promise<void> {\n  await lockWebhook(db, webhookId)",
        "at: number): Promise<void> {\n  ;",
      ),
      at("src/storage/sql/nouns/deliveries.ts", "await lockWebhooks(db, rows)", ";"),
      at("src/storage/sql/nouns/deliveries.ts", ".sort((a, b) => a - b)) await lockWebhook(db, id)"),
      at("src/storage/sql/nouns/due.ts", "await db.one(lock, { id })", ";"),
      at("src/storage/sql/nouns/keys.ts", "await db.one(lock, { id })", ";"),
      at("src/storage/sql/nouns/accounts.ts", "await db.one(lock, { id: values.accountId })", ";"),
      at("src/storage/sql/nouns/origin.ts", "await db.one(lock, {})", ";"),
      at("src/storage/sql/pets/inventory.ts", "one < other ? -1 : 1"),
      at("src/storage/sql/pets/pets.ts", "a.id - b.id"),
      at("src/storage/sql/nouns/events.ts", "await db.all(lockConcerned, { last })", ";"),
      at(
        "src/storage/sql/nouns/images.ts",
        "if ((await db.run(add, row)) === 0) return this.add({ sha256, blob, ...image }, accountId)",
        ";",
      ),
    ],
  },
  {
    reason: "what only PostgreSQL runs, which only slow tests start",
    excerpts: [
      at("src/storage/sql/pets/each-status.ts", "const walkMax = word(String(rowsAtOnce + 1))"),
      at("src/storage/sql/copying.ts", "dialect.slots > 1", "dialect.slots > 2"),
      at("src/storage/sql/migrations/0020-replicas.ts", "slots - 1"),
      // SQLite gives one run of ids, in order.
      at("src/storage/sql/ids.ts", "count / runs.length", "count * runs.length"),
      at("src/storage/sql/ids.ts", "a - b", "a + b"),
      at("src/storage/stopped.ts", "requireKnown(found.schema)"),
      at("src/storage/stopped.ts", "await found[Symbol.asyncDispose]()"),
      at("src/operator/backup/source.ts", "if (await repositories.images.read(sha256)) needed.add(sha256)"),
      at(
        "src/operator/backup/restore.ts",
        'else await restoreInto((await openBlobs(installation)).blobs, "")',
        "else ;",
      ),
    ],
  },
  {
    reason: "a margin of time far from what any test or user waits for",
    excerpts: [
      at("src/api/sandbox/gate.ts", "{ ref: false }"),
      at("src/workers/delivery/sending/address-guard.ts", "{ ref: false }"),
      at("src/workers/replicas.ts", "performance.now() > giveUpAt", "performance.now() >= giveUpAt"),
      at("src/api/sandbox/bounds.ts", "ref: false"),
      at("src/workers/sweep-images.ts", "const uploadMaxMs = 60 * 60 * 1000"),
      at("src/imaging/worker-main.ts", "memoryBytes() > memoryBytesMax", "memoryBytes() >= memoryBytesMax"),
      at("src/site/serving/plan-use.ts", "{ ref: false }"),
      at("src/site/serving/webhook-receiver.ts", "ref: false"),
      at("src/site/oauth-server/provider.ts", "Math.floor(systemClock.now() / 1000)", "Math.ceil"),
      at("src/site/oauth-server/provider.ts", "Math.max(1, exp", "Math.max(2"),
    ],
  },
  {
    reason: "a counter that is only compared with itself",
    excerpts: [
      at("src/api/sandbox/gate.ts", "resets++"),
      at("src/storage/temporary.ts", "++count"),
      at("src/imaging/worker.ts", "jobs++"),
      at("src/storage/sqlite/group.ts", "this.#written += rows"),
      at("src/api/authentication/principal-cache.ts", "generation++"),
    ],
  },
  {
    reason: "both of the values give the same result",
    excerpts: [
      at("src/storage/sql/pets/by-labels.ts", "return one.length <= other.length", "return one.length < other.length"),
      at("src/api/faults/fault-rules.ts", "drawn.share >= share", "drawn.share > share"),
      // Positions are unique.
      at("src/sandbox/journal.ts", "own < position", "own <= position"),
      at("src/sandbox/journal.ts", "anonymous < identified", "anonymous <= identified"),
      at("src/storage/sql/pets/page.ts", "texts.length > 1", "texts.length >= 1"),
      at("src/storage/sql/pets/page.ts", "texts.length > 1", "texts.length > 0"),
      at("src/api/faults/make-problem.ts", "headers.length - 2", "headers.length + 2"),
      at("src/api/faults/fault-chooser.ts", "draw.share >= share", "draw.share > share"),
      at("src/api/defects/catalogue/state.ts", "quantity) < 1", "quantity) <= 1"),
      at("src/api/sandbox/json-secrets.ts", "token.startsWith('\"')"),
      at("src/api/sandbox/sandboxes.ts", "at(pointer, ms < min", "at(pointer, ms <= min"),
      at("src/api/sandbox/selected-name.ts", "if (end < 0)", "if (end <= 0)"),
      at("src/api/sandbox/selected-name.ts", "end < 0)", "end < 1)"),
      at("src/domain/sandbox/rules.ts", "(draw * 2 ** 16) % 1", "(draw * 2 ** 16) * 1"),
      at("src/pet-files/lines.ts", "feed < from)", "feed <= from)"),
      at("src/pet-files/lines.ts", "lone < from)", "lone <= from)"),
      at("src/cli/output/show.ts", "count += items.length", "count -= items.length"),
      at("src/cli/mcp/serve.ts", "json: false", "json: true"),
      at("src/cli/service/http.ts", "ok: status >= 200"),
      // The agent makes the connection.
      at("src/cli/service/http.ts", "(isSecure ? https : http)", "(!(isSecure) ? https : http)"),
      // An error before it is read has no JSON.
      at("src/cli/run.ts", "let json = false", "let json = true"),
      at("src/cli/arguments/parse.ts", "?.length ?? 0) > 1", "?.length ?? 1) > 1"),
      // A journal without a line is none.
      at("src/cli/import/journal.ts", "= [0, false, false]", "= [0, true, false]"),
      at("src/storage/sqlite/group-commit.ts", "return this.#waiting.length > 0", "return this.#waiting.length >= 0"),
      // The lock and the draft are always there.
      at(
        "src/storage/process-directory.ts",
        "rm(path + lockEnding, { force: true })",
        "rm(path + lockEnding, { force: false })",
      ),
      at("src/storage/disk/private.ts", "rmSync(draft, { force: true })", "rmSync(draft, { force: false })"),
      // Anything but undefined says that the file was there.
      at("src/storage/disk/blobs.ts", "(await unlink(join(directory, agreementName)).then(() => true"),
      at("src/storage/disk/blobs.ts", "(await access(path).then(() => true"),
      at("src/storage/sqlite/group-commit.ts", "group.jobs.length < batchSize", "group.jobs.length <= batchSize"),
      at("src/storage/sqlite/reserve.ts", "left > 0", "left > 1"),
      at("src/storage/sqlite/checkpoint.ts", "let isPausing = false"),
      at("src/kernel/schema/schema.ts", '"x-visible": true', '"x-visible": false'),
      at("src/storage/memory/tally.ts", "this.#moments.length - 1; n >= 0", "this.#moments.length + 1"),
      at("src/storage/memory/tally.ts", "this.#moments.length > 0", "this.#moments.length >= 0"),
      at("src/storage/sqlite/connection.ts", "errcode ?? 0) % 256", "errcode ?? 1) % 256"),
      // Primary codes are below 128.
      at("src/storage/sqlite/connection.ts", "% 256 === 10", "% 128 === 10"),
      // Leaving the loop destroys it, too.
      at("src/workers/delivery/sending/send.ts", 'body.on("error", () => {}).destroy()', ";"),
      // The columns of every key are in its order.
      at("src/storage/sqlite/tables.ts", "Number(a.pk) - Number(b.pk)", "Number(a.pk) + Number(b.pk)"),
      at("src/storage/sqlite/unfinished.ts", "readOnly: true", "readOnly: false"),
      at("src/imaging/decode.ts", "animated: frames > 1", "animated: frames >= 1"),
      at("src/imaging/decode.ts", "animated: frames > 1", "animated: frames > 0"),
      ...["<= 0", "< 1"].flatMap((isNone) => [
        at(
          "src/imaging/jpeg.ts",
          "found < 0 ? undefined : file.bytes[found + 1]\n    if (code === undefined) return undefined",
          `found ${isNone}`,
        ),
        at(
          "src/imaging/jpeg.ts",
          "found < 0 ? undefined : file.bytes[found + 1]\n    if (code === undefined) return file",
          `found ${isNone}`,
        ),
        at("src/imaging/jpeg.ts", "subarray(start, found < 0", `subarray(start, found ${isNone}`),
      ]),
      at("src/site/pages/parts/traffic-plot.ts", "Math.max(2, ...slots"),
      // Generated ids do not come near it.
      at("src/storage/sql/nouns/webhooks.ts", "idMax + 1", "idMax - 1"),
      at("src/storage/sql/nouns/audit.ts", "{ id: idMax - 1 }", "{ id: idMax + 1 }"),
      at("src/storage/sql/pets/labels.ts", "a < b ? -1 : 1", "a <= b ? -1 : 1"),
      at("src/storage/sql/pets/by-labels.ts", "end > otherEnd", "end >= otherEnd"),
      at("src/storage/sql/pets/by-labels.ts", "end < otherEnd", "end <= otherEnd"),
      at("src/site/pages/store/filters.ts", "one < other ? -1 : 1", "one <= other ? -1 : 1"),
      at("src/storage/sql/pets/inventory.ts", "one < other ? -1 : 1", "one <= other ? -1 : 1"),
      at("src/workers/delivery/worker.ts", "{ once: true }", "{ once: false }"),
      at("src/storage/sql/pets/texts.ts", "ids.length > limit ? 1 : 0", "ids.length >= limit ? 1 : 0"),
      at("src/site/oauth-server/records.ts", "let first = false"),
      at("src/site/mounts.ts", "knownKeys.length > 0", "knownKeys.length > 1"),
      at("src/site/pages/console/sandbox/clock.ts", "aheadSeconds > 0 ?", "aheadSeconds >= 0 ?"),
      // The key leaves this function in no way.
      at("src/client/receiving/webhooks.ts", 'hmac, false, ["verify"]'),
      // A line is not empty.
      at("src/site/pages/parts/form-values.ts", "[line], true)"),
      // Streams of requests cost nothing, so whether their first page is paid does not matter.
      at("src/site/serving/sandbox-access.ts", "request: { socket, headers } }, false)"),
      at("src/site/oauth-server/provider.ts", "index < headers.length", "index <= headers.length"),
      at("src/site/serving/plan-use.ts", "refusal.retryAfter ?? 0", "refusal.retryAfter ?? 1"),
      at("src/kernel/json/parse-json.ts", "at >= 48", "at >= 47"),
      at("src/kernel/json/parse-json.ts", "let at = 0; at < text.length", "let at = 0; at <= text.length"),
      at(
        "src/kernel/json/parse-json.ts",
        "let at = start + 1; at < text.length",
        "let at = start + 1; at <= text.length",
      ),
      at("src/kernel/network/ip-address.ts", "bits > block.bits && isIn", "bits >= block.bits && isIn"),
      at("src/kernel/schema/type.ts", "{ value: true }"),
      at("src/server/reading/form-fields.ts", "at < bytes.length", "at <= bytes.length"),
      at("src/kernel/flow/on-demand.ts", "let isAsked = false", "let isAsked = true"),
      at("src/api/feeds/feed.ts", "let isPublished = true", "let isPublished = false"),
      at("src/server/listeners.ts", "allowHalfOpen: true"),
      at("src/server/listeners.ts", "this.#servers.length > 1", "this.#servers.length > 2"),
      at("src/server/limits/connection.ts", "#isStream = false\n\n", "#isStream = true"),
      at("src/api/openapi/components.ts", "(a < b ? -1 : 1)", "(a <= b ? -1 : 1)"),
      at("src/pet-files/lines.ts", "lone < feed) ?", "lone <= feed) ?"),
      at("src/api/defects/catalogue/authorization.ts", "memory.set(key, true)", "memory.set(key, false)"),
      at("src/api/defects/catalogue/authorization.ts", "order.id}`, true)", "order.id}`, false)"),
    ],
  },
]

/** Whether a review left out this change of a file with this text. */
export const isReviewed = (
  text: string,
  mutant: Mutant,
  excerpts = reviews.flatMap(({ excerpts }) => excerpts),
): boolean =>
  excerpts.some(({ file, code, becomes }) => {
    const start = text.indexOf(code)
    const end = start + code.length
    if (file !== mutant.file || start < 0 || mutant.start < start || mutant.end > end) return false
    return becomes === undefined || applyMutants(text, [mutant]).slice(start).startsWith(becomes)
  })

/** Code whose code is not in its file, or more than once, so that it is not known what was reviewed. */
export const outdated = (read: (file: string) => string): string[] =>
  reviews
    .flatMap(({ excerpts }) => excerpts)
    .filter(({ file, code }) => read(file).split(code).length !== 2)
    .map(({ file, code }) => `${file}: ${code}`)
