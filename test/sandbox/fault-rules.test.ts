import assert from "node:assert/strict"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, test } from "node:test"
import { createClient } from "../../src/client/client.ts"
import { verifyWebhook } from "../../src/client/receiving/webhooks.ts"
import { api } from "../../src/core/domain/api.ts"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import type { FaultRule } from "../../src/parts/sandbox/faults/contract.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { serverUrl } from "../harness/database.ts"
import { malformed } from "../harness/malformed.ts"
import { refusedAs } from "../harness/petstore.ts"
import { newPet } from "../harness/samples.ts"
import { asker, statusReceived } from "../harness/send.ts"
import { until } from "../harness/until.ts"
import { use, usePetstore } from "../harness/use.ts"

const clientFor = (url: string, key: string) => createClient(api, { url, headers: { api_key: key } })

describe("fault rules of a sandbox", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore({ delivery: { timeouts: { connectMs: 1000, attemptMs: 5000 } } })
  let count = 0

  /** A new sandbox, its rules, and requests to it: a status, or 0 when the connection is closed. */
  function newSandbox() {
    const sandbox = createSandboxClient({ url: petstore.url, name: `faulty-${++count}` })
    const setRules = (...rules: FaultRule[]) => sandbox.setFaults({ body: { rules } })
    const ask = asker(sandbox, "/api/v3")
    const statusOf = (...request: Parameters<typeof ask>) => statusReceived(ask(...request))
    const faultsMet = async () => (await sandbox.requests()).flatMap(({ fault }) => fault ?? [])
    return { sandbox, setRules, statusOf, faultsMet, admin: clientFor(sandbox.url, "special-key") }
  }
  const statuses = async (count: number, statusOf: () => Promise<number>) => {
    const seen: number[] = []
    for (let n = 0; n < count; n++) seen.push(await statusOf())
    return seen
  }

  test("a rule that is switched off stays in the list and has no effect", async () => {
    const { sandbox, setRules, statusOf } = newSandbox()
    await setRules({ fault: "code=503", enabled: false }, { match: { times: 1 }, fault: "code=500" })
    assert.deepEqual([await statusOf("/pet/1"), await statusOf("/pet/1")], [500, 200])
    assert.deepEqual(
      (await sandbox.getFaults()).value.rules.map(({ enabled, count }) => ({ enabled, count })),
      [
        { enabled: false, count: 0 },
        { enabled: undefined, count: 1 },
      ],
    )
  })

  test("a rule has every fault of a request, in the same words", async () => {
    const { setRules, statusOf, faultsMet } = newSandbox()
    const faults = ["fault=reset", "fault=html", "fault=empty", "fault=garbage", "code=overloaded; retry-after-date=3"]
    const statuses: number[] = []
    for (const fault of faults) {
      await setRules({ match: { times: 1 }, fault })
      statuses.push(await statusOf("/pet/1"))
    }
    assert.deepEqual(statuses, [0, 502, 0, 200, 503])
    assert.deepEqual(await faultsMet(), faults)
    await assert.rejects(setRules({ fault: "code=503, fault=html" }), refusedAs("invalid-body"))
  })

  test("a rule affects what it matches: operation, path, key, number of times", async () => {
    const { sandbox, setRules, statusOf, admin } = newSandbox()
    await setRules({ match: { operation: "getPetById" }, fault: "code=503" })
    assert.deepEqual([await statusOf("/pet/1"), await statusOf("/pet/findByStatus")], [503, 200])
    await setRules(
      { match: { path: "/pet/find*" }, fault: "code=500" },
      { match: { path: "/pet/2" }, fault: "code=429" },
    )
    assert.deepEqual(
      [await statusOf("/pet/findByStatus"), await statusOf("/pet/2/"), await statusOf("/pet/1")],
      [500, 429, 200],
    )
    await setRules({ match: { key: 2 }, fault: "code=503" })
    assert.deepEqual(
      [await statusOf("/pet/1", { headers: { api_key: "pro-key" } }), await statusOf("/pet/1")],
      [503, 200],
    )
    const { value: token } = await admin.logIn({ body: { username: "user1", password: "password1" } })
    await setRules({ match: { key: 1 }, fault: "code=503" })
    const headers = { authorization: `Bearer ${token}` }
    assert.equal((await fetch(`${sandbox.url}/api/v3/pet/1`, { headers })).status, 200, "session 1 is not key 1")
    await setRules({ match: { times: 2 }, fault: "code=503" })
    assert.deepEqual(await statuses(4, () => statusOf("/pet/1")), [503, 503, 200, 200])
    assert.equal((await sandbox.getFaults()).value.rules[0]?.count, 2)
  })

  test("the first rule that matches decides; one whose problem the operation does not have, or whose share is over, does not", async () => {
    const { setRules, statusOf, faultsMet } = newSandbox()
    await setRules(
      { fault: "code=pet-not-available" },
      { match: { operation: "getPetById", share: 0 }, fault: "code=500" },
      { match: { operation: "getPetById", times: 1 }, fault: "wait=0.002, fault=lose" },
      { fault: "code=503" },
    )
    assert.deepEqual(await statuses(2, () => statusOf("/pet/1")), [0, 503])
    const order = { method: "POST", body: '{"petId":1}' }
    assert.equal(await statusOf("/store/order", order), 409)
    assert.deepEqual(await faultsMet(), ["wait=0.002, fault=lose", "code=overloaded", "code=pet-not-available"])
  })

  test("a share with a seed is the same each time, and without a fault any that a correct client can encounter (slow)", async () => {
    const { sandbox, setRules, statusOf, faultsMet } = newSandbox()
    const rule = { match: { share: 0.4, seed: "seven", operation: "getPetById" } }
    const once = async () => {
      await setRules(rule)
      return statuses(25, () => statusOf("/pet/1"))
    }
    const [first, second] = [await once(), await once()]
    assert.deepEqual(second, first)
    const failed = first.filter((status) => status !== 200).length
    assert.ok(failed >= 4 && failed <= 16, `${failed} of 25`)
    const kinds = new Set(await faultsMet())
    assert.ok(kinds.size >= 3, [...kinds].join())

    const preferred = () =>
      statuses(10, () => statusOf("/pet/1", { headers: { prefer: "faults=0.5; seed=s, code=503" } }))
    const before = await preferred()
    await sandbox.resetSandbox()
    assert.deepEqual(await preferred(), before, "a reset restarts every series")
  })

  test("a delay varies by its jitter (slow)", async () => {
    const { setRules, statusOf, faultsMet } = newSandbox()
    await setRules({ match: { operation: "getPetById" }, fault: "wait=0.02; jitter=0.015" })
    for (let n = 0; n < 8; n++) await statusOf("/pet/1")
    const delays = (await faultsMet()).map((fault) => Number(fault.slice("wait=".length)))
    assert.ok(delays.length === 8 && new Set(delays).size > 1 && delays.every((each) => each >= 0.005 && each <= 0.035))
  })

  test("faults in Prefer take precedence; operations of the sandbox are exempt; other sandboxes are not affected", async () => {
    const [one, other] = [newSandbox(), newSandbox()]
    await one.setRules({ fault: "fault=drop" })
    assert.equal(await one.statusOf("/pet/1", { headers: { prefer: "code=404" } }), 404)
    assert.equal(await one.statusOf("/pet/1", { headers: { prefer: "wait=0" } }), 200)
    assert.deepEqual([await one.statusOf("/pet/1"), await other.statusOf("/pet/1")], [0, 200])
    const { status } = await petstore.as("special-key").getPetById({ params: { petId: 1 } })
    assert.equal(status, 200)
    await one.sandbox.deleteFaults()
    assert.deepEqual((await one.sandbox.getFaults()).value, { rules: [] })
    assert.equal(await one.statusOf("/pet/1"), 200)
    await one.setRules({ fault: "fault=drop" })
    await one.sandbox.resetSandbox()
    assert.equal(await one.statusOf("/pet/1"), 200)
    await one.setRules({ fault: "code=500" })
    await one.sandbox.forkSandbox({ body: { name: "faulty-fork" } })
    assert.equal(
      (await clientFor(`${petstore.url}/s/faulty-fork`, "special-key").getPetById({ params: { petId: 1 } })).status,
      200,
    )
  })

  test("the service's own sandbox has rules too", async () => {
    const own = createSandboxClient({ url: petstore.url })
    await own.setFaults({ body: { rules: [{ match: { operation: "getPetById", times: 1 }, fault: "code=500" }] } })
    await assert.rejects(petstore.as("special-key").getPetById({ params: { petId: 1 } }), { code: "internal-error" })
    await own.deleteFaults()
  })

  test("an impossible rule is refused with all its faults, and the rules stay", async () => {
    const { sandbox, setRules } = newSandbox()
    await setRules({ fault: "code=503" })
    const refused = async (...rules: FaultRule[]) => {
      const error = await setRules(...rules).then(
        () => assert.fail("accepted"),
        (error) => error,
      )
      return (error.errors as { pointer: string; detail: string }[]).map(
        ({ pointer, detail }) => `${pointer} ${detail}`,
      )
    }
    assert.deepEqual(await refused({ match: { operation: "getPetByID" }, fault: "code=503" }), [
      "/rules/0/match/operation must be the operationId of an operation; did you mean getPetById?",
    ])
    assert.match(
      (await refused({ match: { operation: "getPetById" }, fault: "code=409" })).join(),
      /^\/rules\/0\/fault has code=409, .*404 \(pet-not-found\)/,
    )
    assert.match(
      (await refused({ fault: "wait=1; jitter=2, fault=burn" })).join(),
      /jitter=SECONDS.*unknown fault=burn/,
    )
    assert.match((await refused({ fault: "faults=0.1" })).join(), /the match has the share/)
    assert.match((await refused({ fault: "" })).join(), /must have wait=, code=, fault=, token= or webhook=/)
    assert.match((await refused({ fault: "webhook=lost" })).join(), /known are duplicate, reordered/)
    assert.match((await refused({ fault: "webhook=forged, code=503" })).join(), /either webhook= or code=/)
    assert.match(
      (await refused({ match: { path: "/pet/1" }, fault: "webhook=forged" })).join(),
      /must not name operation, path or key/,
    )
    assert.match((await refused({ match: { event: "pet.created" } })).join(), /must not name webhook or event/)
    assert.match((await refused({ match: { path: "/pet/*/x" } })).join(), /must be a path of the API/)
    assert.match(
      (await refused({ match: { path: "/pet/{petId}" } })).join(),
      /path must be a path of the API without braces/,
    )
    assert.match((await refused({ match: { share: 1.5, times: 0, seed: "a b" } })).join(), /share.*times.*seed/)
    const { value } = await sandbox.getFaults()
    assert.deepEqual(value, { rules: [{ fault: "code=503", count: 0 }] })
    await assert.rejects(createSandboxClient({ url: petstore.url, apiKey: "pro-key" }).getFaults(), {
      code: "forbidden",
    })
  })

  test("an unknown member is refused with the nearest one, in the list, a rule and its match", async () => {
    const { sandbox, setRules, statusOf } = newSandbox()
    await setRules({ match: { operation: "placeOrder" }, fault: "code=503" })
    for (const [body, expected] of [
      [
        { rules: [{ match: { opertion: "placeOrder" } }] },
        "/rules/0/match/opertion is not a member; did you mean operation?",
      ],
      [{ rules: [{ matches: { operation: "placeOrder" } }] }, "/rules/0/matches is not a member; did you mean match?"],
      [{ rules: [], rule: [] }, "/rule is not a member; did you mean rules?"],
      [{ rules: [{ fault: "code=503", "a/b~": 1 }] }, "/rules/0/a~1b~0 is not a member"],
    ] as const)
      await assert.rejects(sandbox.setFaults({ body: malformed(body) }), (error: { errors?: unknown }) => {
        const [one, ...more] = error.errors as { pointer: string; code: string; detail: string }[]
        assert.deepEqual([`${one?.pointer} ${one?.detail}`, one?.code, more], [expected, "unknown", []])
        return true
      })
    assert.equal((await sandbox.getFaults()).value.rules.length, 1, "the rules are replaced")
    assert.equal(await statusOf("/pet/1"), 200)
  })

  test("a path may have its base path and percent-encoding, and one that no operation has is refused (slow)", async () => {
    const { sandbox, setRules, statusOf } = newSandbox()
    const { pathname } = new URL(sandbox.url)
    for (const path of [
      "/api/v3/pet/1",
      "/v2/pet/1",
      `${pathname}/api/v3/pet/1`,
      "/pet/1/",
      "/pet/%31",
      "/api/v3/pet/1*",
    ]) {
      await setRules({ match: { path }, fault: "code=503" })
      assert.deepEqual([path, await statusOf("/pet/1"), await statusOf("/pet/2")], [path, 503, 200])
      assert.equal((await sandbox.getFaults()).value.rules[0]?.match?.path, path)
    }
    await setRules({ match: { path: "/api/v3/*" }, fault: "code=503" })
    assert.deepEqual([await statusOf("/pet/1"), await statusOf("/store/inventory")], [503, 503])
    await setRules({ match: { path: "/user/user%31" }, fault: "code=503" })
    assert.deepEqual(
      [await statusOf("/user/user1"), await statusOf("/user/%75ser1"), await statusOf("/user/user2")],
      [503, 503, 200],
    )
    for (const path of [
      ...["/PET/1", "/petz/1", "/pet/1/2", "/", "/api/v3", "/api/v3/", "//pet/1", "/pet/1/uploadImage/x", "/pet/%zz"],
      ...[
        "/store/orders*",
        "/sandbox/reset",
        "/sandbox/*",
        "/s/other/api/v3/pet/1",
        "/api/v3/api/v3/pet/1",
        "/images/x",
      ],
    ])
      await assert.rejects(setRules({ match: { path }, fault: "code=503" }), /must be a path of an operation/, path)
    await assert.rejects(setRules({ match: { path: "/store/inventry" } }), /did you mean \/store\/inventory\?/)
    await assert.rejects(
      setRules({ match: { operation: "placeOrder", path: "/pet/1" } }),
      /must be a path of placeOrder, which has \/store\/order/,
    )
    await assert.rejects(
      setRules({ match: { path: "/store/inventory" }, fault: "code=pet-not-found" }),
      /not a problem of/,
    )
  })

  test("a rule ends at its time of the sandbox, and rules that are given back with their count go on", async () => {
    const { sandbox, setRules, statusOf } = newSandbox()
    await statusOf("/pet/1")
    const { value: clock } = await sandbox.getClock()
    const until = new Date(Date.parse(clock.time) + 3_600_000).toISOString()
    await setRules(
      { match: { operation: "getPetById", until }, fault: "code=500" },
      { match: { times: 3 }, fault: "code=503" },
    )
    await sandbox.advanceClock({ body: { advance: "PT59M" } })
    assert.equal(await statusOf("/pet/1"), 500)
    await sandbox.advanceClock({ body: { advance: "PT1M" } })
    assert.deepEqual(await statuses(2, () => statusOf("/pet/1")), [503, 503])
    const { rules } = (await sandbox.getFaults()).value
    assert.deepEqual(
      rules.map(({ count }) => count),
      [1, 2],
    )
    assert.deepEqual((await sandbox.setFaults({ body: { rules } })).value.rules, rules)
    assert.deepEqual(await statuses(2, () => statusOf("/pet/1")), [503, 200])
    await assert.rejects(setRules({ match: { until: "tomorrow" } }), /until must be a date-time/)
  })

  test("the command line applies faults by their names, lists and ends them", async () => {
    const { sandbox, setRules, statusOf } = newSandbox()
    await statusOf("/pet/1")
    await setRules({ match: { operation: "getPetById" }, fault: "code=500" })
    const run = (...argv: string[]) => petstoreCommand(sandbox.url, ["fault", ...argv])
    const order = () => statusOf("/store/order", { method: "POST", body: '{"petId":1}' })
    for (const name of ["next-order-fails", "next order fails"]) {
      assert.match((await run(name)).out, /refused with 503.*\nEnd it: petstore fault next-order-fails --end\n$/s)
      assert.match((await run()).out, /next-order-fails +yes +The next order/)
      assert.deepEqual([await order(), await statusOf("/pet/1")], [503, 500])
      assert.match((await run()).out, /next-order-fails +The next order/)
      assert.equal((await sandbox.getFaults()).value.rules.length, 2)
    }
    await run("limit-reached")
    assert.deepEqual([await statusOf("/pet/1"), await order()], [429, 429])
    assert.equal((await run("limit-reached", "--end")).out, "Ended: limit reached\n")
    assert.deepEqual([await statusOf("/pet/1"), await order()], [500, 200])
    const json = JSON.parse((await run("--json")).out) as { name: string; inForce: boolean }[]
    assert.ok(json.length >= 6 && json.every(({ inForce }) => !inForce))
    assert.match((await run("--end")).out, /have ended/)
    assert.equal(await statusOf("/pet/1"), 200)
    const refused = await run("slow-netwrk")
    assert.deepEqual(
      [refused.code, refused.err],
      [2, 'petstore: unknown fault "slow-netwrk"; did you mean slow-network?\n'],
    )
  })

  test("the command line sets, shows and ends them", async () => {
    const { sandbox, statusOf } = newSandbox()
    const body = '{"rules":[{"match":{"operation":"getPetById"},"fault":"code=503"}]}'
    const set = await petstoreCommand(sandbox.url, ["sandbox", "set-faults", "--body", body])
    assert.equal(set.code, 0, set.err)
    assert.equal(await statusOf("/pet/1"), 503)
    assert.match((await petstoreCommand(sandbox.url, ["sandbox", "faults", "--json"])).out, /"count":1/)
    await petstoreCommand(sandbox.url, ["sandbox", "clear-faults"])
    assert.equal(await statusOf("/pet/1"), 200)
  })

  describe("for webhooks", () => {
    const receiver = use(startRawReceiver)

    /** A sandbox with a webhook, whose receiver has received these messages. */
    async function withWebhook(...rules: FaultRule[]) {
      const one = newSandbox()
      const { value: webhook } = await one.admin.createWebhook({
        body: { url: `${receiver.url}/${one.sandbox.url.slice(-9)}`, events: ["pet.created"] },
      })
      await one.setRules(...rules.map(({ match, fault = "" }) => ({ match: { ...match, webhook: webhook.id }, fault })))
      const received = () => receiver.received.filter(({ path }) => webhook.url.endsWith(path))
      const add = (name: string) => newPet(one.admin, { name })
      const verdictOf = ({ headers, body }: Received) =>
        verifyWebhook({ headers, body }, { secret: webhook.secret, now: petstore.clock.now }).then(
          ({ event }) => (event.data as { name: string }).name,
          ({ message }: Error) => message,
        )
      return { ...one, webhook, received, add, verdictOf }
    }
    const once = (fault: string): FaultRule => ({ match: { times: 1 }, fault })

    test("a forged signature, a stale timestamp and a truncated body are refused by a correct receiver, and then sent correctly", async () => {
      const { sandbox, add, received, verdictOf, faultsMet } = await withWebhook(
        once("webhook=forged"),
        once("webhook=stale"),
        once("webhook=truncated"),
      )
      receiver.judge.accepts = async (message) => !message.isCut && (await verdictOf(message)) === "Rex"
      await add("Rex")
      await sandbox.advanceClock({ body: { advance: "PT2H" } })
      const verdicts = await Promise.all(received().map(async (each) => (each.isCut ? "cut" : verdictOf(each))))
      assert.deepEqual(verdicts, ["no signature is valid", "the timestamp is more than 300 s off", "cut", "Rex"])
      assert.deepEqual(await faultsMet(), ["webhook=forged", "webhook=stale", "webhook=truncated"])
      const [, , cut] = received()
      assert.ok(Number(cut?.headers["content-length"]) > (cut?.body.length ?? 0))
      const recorded = (await sandbox.requests()).find(({ fault }) => fault === "webhook=truncated")
      assert.ok(
        recorded?.webhook !== undefined && !("status" in recorded),
        "a message without a response has no status",
      )
    })

    test("a receiver that is down for an hour receives nothing, and everything afterwards", async () => {
      const { sandbox, add, received, verdictOf, faultsMet } = await withWebhook()
      receiver.judge.accepts = async () => true
      assert.equal((await petstoreCommand(sandbox.url, ["fault", "receiver-down-for-an-hour"])).code, 0)
      await add("Rex")
      await sandbox.advanceClock({ body: { advance: "PT59M" } })
      assert.deepEqual([received(), await faultsMet()], [[], Array(4).fill("webhook=down")])
      const tried = (await sandbox.requests()).find(({ fault }) => fault !== undefined)
      assert.ok(tried && !("status" in tried) && tried.request.body?.includes("Rex"))
      await sandbox.advanceClock({ body: { advance: "PT3H" } })
      assert.deepEqual(await Promise.all(received().map(verdictOf)), ["Rex"])
    })

    test("a message is sent twice, after the next one, later, or slowly, and accepted (slow)", async () => {
      const { sandbox, add, received, verdictOf, admin, setRules, webhook } = await withWebhook(
        once("webhook=duplicate"),
      )
      receiver.judge.accepts = async (message) => /^\w+$/.test(await verdictOf(message))
      await add("one")
      await sandbox.advanceClock({ body: { advance: "PT0S" } })
      await setRules({ match: { webhook: webhook.id, event: "pet.created", times: 1 }, fault: "webhook=reordered" })
      await Promise.all([add("two"), add("three")])
      await sandbox.advanceClock({ body: { advance: "PT1S" } })
      await setRules({ match: { event: "pet.created" }, fault: "wait=0.3, webhook=delayed" })
      const startedAt = performance.now()
      await add("four")
      await sandbox.advanceClock({ body: { advance: "PT1S" } })
      assert.ok(performance.now() - startedAt >= 300)
      await setRules({ fault: "webhook=slow" })
      await add("five")
      await sandbox.advanceClock({ body: { advance: "PT1S" } })
      const names = await Promise.all(received().map(verdictOf))
      assert.deepEqual(names.slice(0, 2), ["one", "one"])
      assert.deepEqual(names.slice(2, 4).toSorted(), ["three", "two"])
      assert.deepEqual(names.slice(4), ["four", "five"])
      const positions = received().map(({ headers }) => Number(String(headers["webhook-id"]).split("_")[1]))
      assert.ok((positions[2] as number) > (positions[3] as number), "in the usual order")
      const { value: deliveries } = await admin.listDeliveries({ params: { webhookId: webhook.id } })
      assert.deepEqual(
        deliveries.map(({ state }) => state),
        Array(5).fill("delivered"),
      )
      const sent = (await sandbox.requests()).filter((each) => each.webhook === webhook.id)
      assert.deepEqual(
        sent.map(({ fault, method, path, status }) => [fault, method, path, status]),
        ["webhook=duplicate", "webhook=reordered", "wait=0.3, webhook=delayed", "webhook=slow"].map((fault) => [
          fault,
          "POST",
          webhook.url,
          204,
        ]),
      )
      assert.match(sent[0]?.request.body ?? "", /"name":"one"/)
    })

    test("a message to a webhook without an answer yet is reordered and delayed without delaying the next one (slow)", async () => {
      for (const [fault, expected] of [
        ["webhook=reordered", ["second", "first"]],
        ["wait=2, webhook=delayed", ["second", "first"]],
        ["wait=2, webhook=duplicate", ["second", "first", "first"]],
      ] as const) {
        receiver.judge.accepts = async () => true
        const { sandbox, add, received, verdictOf } = await withWebhook(once(fault))
        await add("first")
        const isHeld = async () => (await sandbox.getFaults()).value.rules[0]?.count === 1
        await until(isHeld, "the first message is not attempted")
        await add("second")
        await until(() => received().length > 0, "the second message is not sent")
        await sandbox.advanceClock({ body: { advance: "PT0S" } })
        assert.deepEqual(await Promise.all(received().map(verdictOf)), expected, fault)
      }
    })

    test("a message under way does not end the wait of one that is reordered after it", async () => {
      const { sandbox, add, received, verdictOf, setRules, webhook } = await withWebhook()
      receiver.judge.accepts = async () => true
      await add("warm")
      await sandbox.advanceClock({ body: { advance: "PT0S" } })
      const answered = Promise.withResolvers<boolean>()
      receiver.judge.accepts = () => answered.promise
      await add("one")
      await until(() => received().length === 2, "the message is not sent")
      await setRules({ match: { webhook: webhook.id, times: 1 }, fault: "webhook=reordered" })
      await add("two")
      await until(async () => (await sandbox.getFaults()).value.rules[0]?.count === 1, "the message is not attempted")
      answered.resolve(true)
      receiver.judge.accepts = async () => true
      await add("three")
      await sandbox.advanceClock({ body: { advance: "PT0S" } })
      assert.deepEqual(await Promise.all(received().map(verdictOf)), ["warm", "one", "three", "two"])
    })

    test("a message that was held is for its webhook as it is then: gone, paused, or at another URL (slow)", async () => {
      const held = async (
        change: (params: { webhookId: number }, one: Awaited<ReturnType<typeof withWebhook>>) => unknown,
      ) => {
        receiver.judge.accepts = async () => true
        const one = await withWebhook({ match: { times: 1 }, fault: "wait=0.8, webhook=delayed" })
        await one.add("late")
        const isHeld = async () => (await one.sandbox.getFaults()).value.rules[0]?.count === 1
        await until(isHeld, "the message is not attempted")
        await change({ webhookId: one.webhook.id }, one)
        await one.sandbox.advanceClock({ body: { advance: "PT0S" } })
        return one
      }
      const gone = await held((params, { admin }) => admin.deleteWebhook({ params }))
      assert.deepEqual([gone.received(), await gone.faultsMet()], [[], []])
      const paused = await held((params, { admin }) => admin.updateWebhook({ params, body: { status: "paused" } }))
      assert.deepEqual([paused.received(), await paused.faultsMet()], [[], []])
      const params = { webhookId: paused.webhook.id }
      await paused.admin.updateWebhook({ params, body: { status: "active" } })
      await until(() => paused.received().length === 1, "the message is lost")
      const moved = await held((params, { admin, webhook }) =>
        admin.updateWebhook({ params, body: { url: `${webhook.url}-moved` } }),
      )
      assert.deepEqual(moved.received(), [])
      assert.equal(receiver.received.filter(({ path }) => path.endsWith("-moved")).length, 1)
    })

    test("messages to an ordered webhook are not reordered: the rule is refused, or does not match", async () => {
      const { admin, webhook, setRules, sandbox, add, received, verdictOf } = await withWebhook()
      const params = { webhookId: webhook.id }
      receiver.judge.accepts = async () => true
      await setRules({ match: { event: "pet.created" }, fault: "webhook=reordered" })
      await admin.updateWebhook({ params, body: { ordered: true } })
      for (const match of [{}, { webhook: webhook.id }, { event: "pet.created" as const }])
        await assert.rejects(setRules({ match, fault: "webhook=reordered" }), /webhook \d+, which is ordered/)
      await setRules(
        { match: { event: "pet.deleted" }, fault: "webhook=reordered" },
        { fault: "webhook=delayed, wait=0.1" },
      )
      await admin.updateWebhook({ params, body: { ordered: false } })
      await setRules({ fault: "webhook=reordered" })
      await admin.updateWebhook({ params, body: { ordered: true } })
      await add("in order")
      await sandbox.advanceClock({ body: { advance: "PT0S" } })
      assert.deepEqual(await Promise.all(received().map(verdictOf)), ["in order"])
      assert.equal((await sandbox.getFaults()).value.rules[0]?.count, 0)
    })

    test("a message that waits for a later one does not delay a reset, and is not sent after it", async () => {
      const { sandbox, add, received } = await withWebhook({ fault: "webhook=reordered" })
      await add("alone")
      const isHeld = async () => (await sandbox.getFaults()).value.rules[0]?.count === 1
      await until(isHeld, "the message is not attempted")
      const startedAt = performance.now()
      await sandbox.resetSandbox()
      assert.ok(performance.now() - startedAt < 3_000)
      assert.deepEqual(received(), [])
    })
  })
})

type Received = { path: string; headers: IncomingHttpHeaders; body: string; isCut: boolean }

/** A receiver that also records messages whose connection was closed before their end. */
async function startRawReceiver() {
  const received: Received[] = []
  const judge = { accepts: async (_message: Received) => true }
  const receiver = { url: "", received, judge }
  const server = createServer((request, response) => {
    let body = ""
    const end = async (isCut: boolean) => {
      const message = { path: request.url ?? "", headers: request.headers, body, isCut }
      received.push(message)
      response.writeHead((await judge.accepts(message)) ? 204 : 400).end()
    }
    request.on("data", (chunk) => {
      body += chunk
    })
    request.on("end", () => void end(false))
    request.on("error", () => void end(true))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(receiver, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}
