import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { sender } from "../../harness/send.ts"
import { usePetstore } from "../../harness/use.ts"

const petstore = usePetstore({ env: { PETSTORE_PLAN_FREE: "5/minute, 1000/day" } })

const send = sender(petstore)
const sendV2 = sender(petstore, "/v2")

/** The status and the code of a problem, or of an acknowledgement. */
const outcome = async (...request: Parameters<typeof send>) => {
  const { status, value } = await send(...request)
  return [status, value.code]
}

const pet = { name: "doggie", photoUrls: ["string"] }
const postPet = async () => (await send("POST", "/pet", pet)).value
let users = 0
const postUser = async () => {
  const draft = { username: `user.${++users}`, password: "12345" }
  const { value } = await send("POST", "/user", draft, {})
  const { value: token } = await send("POST", "/user/login", draft, {})
  return { ...draft, id: value.id, shown: value, as: { authorization: `Bearer ${token}` } }
}

/** What a classic client sends and receives, for each row of docs/compatibility.md, by the first cell of the row. */
const rows: Record<string, () => Promise<void>> = {
  "No credential is needed, and any is accepted": async () => {
    assert.deepEqual(await outcome("GET", "/pet/1", undefined, { api_key: "invented" }), [401, "unauthorized"])
    assert.deepEqual(await outcome("GET", "/pet/1", undefined, {}), [401, "unauthorized"])
    assert.equal((await send("GET", "/user/logout", undefined, {})).status, 200)
  },
  "There is no limit to requests": async () => {
    const as = { api_key: "free-key" }
    for (const status of [200, 200, 200, 200, 200, 429]) {
      const response = await send("GET", "/pet/1", undefined, as)
      assert.deepEqual(
        { status: response.status, "retry-after": response.headers.has("retry-after") },
        { status, "retry-after": status === 429 },
      )
    }
  },
  "An error is `{code, type, message}`, or text": async () => {
    const { value, headers } = await send("GET", "/pet/4711")
    assert.equal(headers.get("content-type"), "application/problem+json")
    assert.deepEqual({ code: value.code, message: value.message }, { code: "pet-not-found", message: "Pet not found" })
    const absent = { code: 1, type: "error", message: "Pet not found" }
    assert.deepEqual((await sendV2("GET", "/pet/4711")).value, absent)
  },
  "A body with wrong values is 400, 405 or 500": async () => {
    assert.deepEqual(await outcome("POST", "/pet", "{"), [400, "malformed-json"])
    const { status, value } = await send("POST", "/pet", { name: 1 })
    assert.deepEqual(
      { status, pointers: value.errors.map(({ pointer }: { pointer: string }) => pointer) },
      { status: 422, pointers: ["/photoUrls", "/name"] },
    )
  },
  "A body that an operation does not take is ignored": async () => {
    assert.deepEqual(await outcome("DELETE", "/pet/1", { id: 1 }), [415, "unsupported-media-type"])
    for (const body of ["", {}]) assert.equal((await send("POST", "/user/logout", body)).status, 200)
  },
  "A request without body and without `Content-Type` is 415 (v2)": async () => {
    const as = { api_key: "special-key" }
    assert.deepEqual(await outcome("POST", "/pet", undefined, as), [400, "malformed-json"])
    assert.equal((await sendV2("POST", "/pet", undefined, as)).status, 415)
  },
  "A number may be a string of digits": async () => {
    const draft = { ...pet, id: "4712" }
    assert.deepEqual(await outcome("POST", "/pet", draft), [422, "invalid-body"])
    assert.equal((await sendV2("POST", "/pet", draft)).value.id, 4712)
  },
  "Ids are any 64-bit integer, generated ones too": async () => {
    for (const id of ["9007199254740992", "9223372036854775807"])
      assert.deepEqual(await outcome("POST", "/pet", `{"id":${id},"name":"a","photoUrls":[]}`), [422, "invalid-body"])
    assert.ok((await postPet()).id < 2 ** 53)
  },
  "An id below 1 in a path is 400": async () => {
    for (const id of ["0", "-1", "9000000000000000000"])
      assert.deepEqual(await outcome("GET", `/pet/${id}`), [404, "pet-not-found"])
    for (const id of ["x", "9223372036854775808"])
      assert.deepEqual(await outcome("GET", `/pet/${id}`), [400, "invalid-parameter"])
  },
  "XML may declare entities": async () => {
    const headers = { api_key: "special-key", "content-type": "application/xml" }
    const body = '<!DOCTYPE pet [<!ENTITY a "b">]><pet><name>&a;</name><photoUrls/></pet>'
    assert.deepEqual(await outcome("POST", "/pet", body, headers), [400, "malformed-xml"])
  },

  "`photoUrls` may be absent, null or contain empty texts (v2)": async () => {
    for (const photoUrls of [undefined, null, [""]]) {
      assert.deepEqual(await outcome("POST", "/pet", { name: "a", photoUrls }), [422, "invalid-body"])
      assert.deepEqual((await sendV2("POST", "/pet", { name: "a", photoUrls })).value.photoUrls, [])
    }
  },
  "`POST /pet` with an id that exists overwrites the pet": async () => {
    const { id } = await postPet()
    assert.deepEqual(await outcome("POST", "/pet", { ...pet, id, name: "Rex" }), [409, "pet-exists"])
    assert.equal((await send("GET", `/pet/${id}`)).value.name, "doggie")
    assert.equal((await sendV2("POST", "/pet", { ...pet, id, name: "Rex" })).value.name, "Rex")
  },
  "`PUT /pet` with an id that does not exist creates the pet (v2)": async () => {
    assert.deepEqual(await outcome("PUT", "/pet", { ...pet, id: 4711 }), [404, "pet-not-found"])
    assert.equal((await sendV2("PUT", "/pet", { ...pet, id: 4713 })).value.id, 4713)
  },
  "`PUT /pet` without a status removes it": async () => {
    const { id } = (await send("POST", "/pet", { ...pet, status: "sold" })).value
    assert.equal((await send("PUT", "/pet", { ...pet, id })).value.status, "sold")
  },
  "Ids in `category` and `tags` are kept": async () => {
    const draft = { ...pet, category: { id: 999, name: "mine" }, tags: [{ id: 999, name: "mine" }] }
    const [one, other] = [
      await send("POST", "/pet", draft),
      await send("POST", "/pet", { ...draft, tags: [{ name: "mine" }] }),
    ]
    assert.notEqual(one.value.tags[0].id, 999)
    assert.deepEqual(
      { tags: one.value.tags, category: one.value.category },
      { tags: other.value.tags, category: other.value.category },
    )
    const { id, category, tags } = (await sendV2("POST", "/pet", draft)).value
    assert.deepEqual({ category, tags }, { category: draft.category, tags: draft.tags })
    assert.deepEqual((await send("GET", `/pet/${id}`)).value.tags, one.value.tags)
  },
  "A name may be blank or absent, of a category or tag too, a photo URL any text, a status anything (v2)": async () => {
    const odd = [
      ...[{ name: " " }, { photoUrls: ["javascript:x"] }, { status: "lost" }],
      ...[{ category: { id: 1 } }, { tags: [{ id: 1, name: "" }] }],
    ]
    for (const each of odd)
      for (const ask of [send, sendV2]) assert.equal((await ask("POST", "/pet", { ...pet, ...each })).status, 422)
  },
  "A name may have any length": async () => {
    for (const ask of [send, sendV2]) {
      for (const [length, status] of [
        [255, 200],
        [256, 422],
      ] as const)
        assert.equal((await ask("POST", "/pet", { ...pet, name: "x".repeat(length) })).status, status)
      for (const labels of [{ category: { name: "x".repeat(101) } }, { tags: [{ name: "x".repeat(101) }] }])
        assert.equal((await ask("POST", "/pet", { ...pet, ...labels })).status, 422)
    }
  },
  "A pet without a status has none": async () => {
    for (const ask of [send, sendV2]) assert.equal((await ask("POST", "/pet", pet)).value.status, "available")
  },
  "`GET /pet/` is 404 or 405": async () => {
    for (const path of ["/pet", "/pet/"]) {
      assert.ok(Array.isArray((await send("GET", path)).value))
      assert.equal((await sendV2("GET", path)).status, 405)
    }
  },
  "The form update without a name is 400 (v3)": async () => {
    const made = await postPet()
    const { status, value } = await send("POST", `/pet/${made.id}`)
    assert.deepEqual({ status, value }, { status: 200, value: made })
  },
  "`DELETE` of a pet that is not there is 200 (v3)": async () => {
    assert.deepEqual(await outcome("DELETE", "/pet/4711"), [404, "pet-not-found"])
  },
  "`DELETE` responds with text (v3)": async () => {
    const { value } = await send("DELETE", `/pet/${(await postPet()).id}`)
    assert.deepEqual(value, { code: 200, type: "success", message: "Pet deleted" })
    const { id } = await postPet()
    assert.equal((await sendV2("DELETE", `/pet/${id}`)).value.message, String(id))
  },
  "A pet with an open order can be deleted": async () => {
    const { id } = await postPet()
    await send("POST", "/store/order", { petId: id })
    assert.deepEqual(await outcome("DELETE", `/pet/${id}`), [409, "pet-has-open-order"])
  },
  "PUT, and POST with an existing id (v2), change the status of a pet with an open order": async () => {
    const { id } = await postPet()
    await send("POST", "/store/order", { petId: id })
    const sold = { ...pet, id, status: "sold" }
    assert.deepEqual(await outcome("PUT", "/pet", sold), [409, "pet-has-open-order"])
    for (const method of ["PUT", "POST"]) {
      assert.equal((await sendV2(method, "/pet", sold)).status, 409)
      for (const status of [undefined, "pending"]) {
        const { value } = await sendV2(method, "/pet", { ...sold, status, name: "Rex" })
        assert.deepEqual([value.name, value.status], ["Rex", "pending"])
      }
    }
  },
  "An upload to a pet that does not exist succeeds (v2)": async () => {
    const headers = { api_key: "special-key", "content-type": "application/octet-stream" }
    assert.deepEqual(await outcome("POST", "/pet/4719/uploadImage", "bytes", headers), [404, "pet-not-found"])
    assert.equal((await sendV2("POST", "/pet/4719/uploadImage", "bytes", headers)).status, 404)
  },
  "`uploadImage` takes any bytes": async () => {
    const headers = { api_key: "special-key", "content-type": "application/octet-stream" }
    assert.deepEqual(await outcome("POST", "/pet/1/uploadImage", "bytes", headers), [415, "unsupported-image"])
  },

  "Lists contain all items": async () => {
    const list = Array.from({ length: 101 }, (_, n) =>
      send("POST", "/pet", { ...pet, tags: [{ name: "many" }], id: 5000 + n }),
    )
    await Promise.all(list)
    const { value, headers } = await send("GET", "/pet/findByTags?tags=many")
    assert.deepEqual({ value: value.length, id: value[0].id }, { value: 100, id: 5100 })
    const [, next = ""] = /<.*\/api\/v3(.*)>; rel="next"/.exec(headers.get("link") ?? "") ?? []
    assert.deepEqual((await send("GET", next)).value.length, 1)
  },
  "`findByStatus` without a status finds nothing (v2), or is 400 (v3)": async () => {
    await postPet()
    for (const ask of [send, sendV2])
      for (const query of ["", "?status="]) {
        const { value } = await ask("GET", `/pet/findByStatus${query}`)
        assert.deepEqual(new Set(value.map(({ status }: { status: string }) => status)), new Set(["available"]))
      }
  },
  "The root of an XML list is `ArrayList` (v2), or named after Java (v3)": async () => {
    const headers = { api_key: "special-key", accept: "application/xml" }
    for (const ask of [send, sendV2])
      assert.match((await ask("GET", "/pet/findByStatus", undefined, headers)).text, /^<\?xml [^>]*>\s*<pets><pet><id>/)
    const list = [{ username: "in.xml", password: "12345" }]
    const posted = { ...headers, "content-type": "application/json" }
    assert.match((await send("POST", "/user/createWithList", list, posted)).text, /<users><user><id>/)
  },
  "`findByStatus` with an unknown status finds nothing (v2)": async () => {
    for (const ask of [send, sendV2]) assert.equal((await ask("GET", "/pet/findByStatus?status=lost")).status, 400)
  },
  "The inventory has a key for each status that occurs": async () => {
    assert.deepEqual(Object.keys((await send("GET", "/store/inventory")).value), ["available", "pending", "sold"])
  },

  "An order may be for any pet, existing or not, at any time": async () => {
    assert.deepEqual(await outcome("POST", "/store/order", { petId: 4711 }), [422, "invalid-body"])
    const { id: petId } = await postPet()
    assert.equal((await send("POST", "/store/order", { petId })).status, 200)
    assert.deepEqual(await outcome("POST", "/store/order", { petId }), [409, "pet-not-available"])
  },
  "`status` and `complete` of a new order are kept": async () => {
    const order = { petId: (await postPet()).id, status: "delivered", complete: true }
    assert.deepEqual(await outcome("POST", "/store/order", { ...order, status: "asdf" }), [422, "invalid-body"])
    const { value } = await send("POST", "/store/order", order)
    assert.deepEqual({ status: value.status, complete: value.complete }, { status: "placed", complete: false })
  },
  "A quantity may be 0 or less": async () => {
    for (const quantity of [0, -1])
      assert.deepEqual(await outcome("POST", "/store/order", { petId: 1, quantity }), [422, "invalid-body"])
  },
  "`POST /store/order` with an id that exists overwrites the order": async () => {
    await send("POST", "/store/order", { id: 8, petId: (await postPet()).id })
    const again = { id: 8, petId: (await postPet()).id }
    assert.deepEqual(await outcome("POST", "/store/order", again), [409, "order-exists"])
  },
  "`shipDate` has the offset `+0000`": async () => {
    const order = { petId: (await postPet()).id, shipDate: "2026-01-02T03:04:05.000+0000" }
    assert.equal((await send("POST", "/store/order", order)).value.shipDate, "2026-01-02T03:04:05.000+00:00")
  },
  "`shipDate` may be a local time, a date without a time, or milliseconds since 1970": async () => {
    for (const [given, read] of [
      ["2024-01-01T10:00:00", "2024-01-01T10:00:00Z"],
      ["2024-01-01 10:00:00.5", "2024-01-01T10:00:00.5Z"],
      ["2024-01-01T10:00", "2024-01-01T10:00:00Z"],
      ["2024-01-01", "2024-01-01T00:00:00Z"],
      [1_700_000_000_000, "2023-11-14T22:13:20.000Z"],
      ["1700000000000", "2023-11-14T22:13:20.000Z"],
      ["2024-01-01T10:00:00+02:00", "2024-01-01T10:00:00+02:00"],
    ] as const) {
      const { id: petId } = await postPet()
      const refused = await send("POST", "/store/order", { petId, shipDate: given })
      if (given !== read) {
        assert.equal(refused.status, 422)
        if (typeof given === "string") assert.match(refused.value.detail, /an offset, such as .+Z$/)
      }
      const { status, value } = await sendV2("POST", "/store/order", {
        petId: given === read ? (await postPet()).id : petId,
        shipDate: given,
      })
      assert.deepEqual([status, value.shipDate], [200, read])
    }
    const { id: petId } = await postPet()
    for (const shipDate of ["tomorrow", 1.5, true, "2024-13-01", 999_999_999_999_999])
      assert.equal((await sendV2("POST", "/store/order", { petId, shipDate })).status, 422, String(shipDate))
    const form = await sendV2(
      "POST",
      "/store/order",
      `<Order><petId>${petId}</petId><shipDate>2024-01-01T10:00:00</shipDate></Order>`.replaceAll("Order>", "order>"),
      {
        api_key: "special-key",
        "content-type": "application/xml",
        accept: "application/json",
      },
    )
    assert.equal(form.value.shipDate, "2024-01-01T10:00:00Z")
  },
  "Orders with ids from 6 to 10 are not found": async () => {
    await send("POST", "/store/order", { id: 7, petId: (await postPet()).id })
    assert.equal((await send("GET", "/store/order/7")).status, 200)
  },
  "Every caller reads and deletes every order": async () => {
    const { value } = await send("POST", "/store/order", { petId: (await postPet()).id })
    for (const method of ["GET", "DELETE"])
      assert.deepEqual(await outcome(method, `/store/order/${value.id}`, undefined, { api_key: "pro-key" }), [
        404,
        "order-not-found",
      ])
  },

  "A user is returned with the password": async () => {
    const { username, id, shown } = await postUser()
    assert.deepEqual(shown, { id, username, userStatus: 0 })
    assert.deepEqual((await send("GET", `/user/${username}`)).value, shown)
  },
  "`POST /user` with a username that exists overwrites the user": async () => {
    const { username } = await postUser()
    assert.deepEqual(await outcome("POST", "/user", { username, password: "other" }), [409, "user-exists"])
  },
  "A user needs neither username nor password": async () => {
    for (const user of [{}, { username: "visitor" }, { password: "12345" }])
      assert.deepEqual(await outcome("POST", "/user", user), [422, "invalid-body"])
  },
  "A username is any text": async () => {
    for (const username of ["ab", "x".repeat(65), "a b c", "a@b.example", "Ünïcode", "login"])
      for (const ask of [send, sendV2])
        assert.equal((await ask("POST", "/user", { username, password: "12345" })).status, 422, username)
  },
  "An e-mail address is any text": async () => {
    for (const email of ["john", "a b@c", "@"])
      for (const ask of [send, sendV2])
        assert.equal((await ask("POST", "/user", { username: "mail", email, password: "12345" })).status, 422, email)
    assert.equal((await send("POST", "/user", { username: "mail", email: "", password: "12345" })).status, 200)
  },
  "`PUT /user/{username}` of a user that does not exist creates the user (v2)": async () => {
    const draft = { username: "put.user", password: "12345678" }
    assert.deepEqual(await outcome("PUT", "/user/put.user", draft), [404, "user-not-found"])
    assert.equal((await sendV2("PUT", "/user/put.user", draft)).status, 200)
  },
  "Usernames are case-sensitive": async () => {
    const { username, id } = await postUser()
    assert.equal((await send("GET", `/user/${username.toUpperCase()}`)).value.id, id)
  },
  "Every caller registers lists of users": async () => {
    const { as } = await postUser()
    const list = [
      { username: "listed", password: "12345" },
      { username: "user1", password: "12345" },
    ]
    assert.deepEqual(await outcome("POST", "/user/createWithList", list, as), [403, "role-missing"])
    assert.deepEqual(await outcome("POST", "/user/createWithList", list, {}), [401, "unauthorized"])
    assert.deepEqual(await outcome("POST", "/user/createWithList", list), [409, "user-exists"])
    assert.equal((await send("GET", "/user/listed")).status, 404)
  },
  "`createWithList` is described with one user, and responds with a list (v3); a login is described as text, and responds with an object (v2)":
    async () => {
      const list = [{ username: "alone", password: "1" }]
      assert.deepEqual(
        (await send("POST", "/user/createWithList", list)).value.map(({ username }: { username: string }) => username),
        ["alone"],
      )
      const { value } = await sendV2("GET", "/user/login?username=user1&password=password1")
      assert.deepEqual(Object.keys(value), ["code", "type", "message"])
    },
  "Every login succeeds": async () => {
    assert.deepEqual(await outcome("GET", "/user/login?username=user1&password=x"), [400, "invalid-credentials"])
  },
  "A login responds with text that contains a number": async () => {
    const login = "/user/login?username=user1&password=password1"
    assert.match((await send("GET", login)).value, /^pss_\w+$/)
    assert.match((await sendV2("GET", login)).value.message, /^logged in user session:pss_\w+$/)
  },
  "`X-Expires-After` is a date as Java writes it": async () => {
    const { headers } = await send("GET", "/user/login?username=user1&password=password1")
    assert.match(headers.get("x-expires-after") ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  },
  "Logout responds with text": async () => {
    assert.deepEqual((await send("GET", "/user/logout")).value, {
      code: 200,
      type: "success",
      message: "User logged out",
    })
  },
  "Every caller reads, changes and deletes every user": async () => {
    const { as } = await postUser()
    for (const [method, body] of Object.entries({ GET: undefined, PUT: { firstName: "x" }, DELETE: undefined }))
      assert.deepEqual(await outcome(method, "/user/user2", body, as), [404, "user-not-found"])
  },
  "Any caller can change any password": async () => {
    const { username, id, as } = await postUser()
    const change = { password: "another" }
    assert.deepEqual(await outcome("PUT", `/user/${username}`, change, as), [403, "current-password-required"])
    assert.equal((await send("PUT", `/user/${username}`, { ...change, currentPassword: "12345" }, as)).status, 200)
    const record = { id, username, password: "third" }
    assert.deepEqual(await outcome("PUT", `/user/${username}`, record), [403, "session-required"])
    assert.equal((await sendV2("PUT", `/user/${username}`, record)).status, 200)
  },
  "Any user can be deleted or renamed": async () => {
    const known = [409, "well-known-user"]
    for (const username of ["user1", "USER10", "admin"]) {
      assert.deepEqual(await outcome("DELETE", `/user/${username}`), known)
      assert.deepEqual(await outcome("PUT", `/user/${username}`, { username: "renamed" }), known)
      assert.equal((await sendV2("DELETE", `/user/${username}`)).status, 409)
    }
    const { username } = await postUser()
    assert.equal((await send("PUT", `/user/${username}`, { username: "renamed" })).status, 200)
    assert.equal((await send("DELETE", "/user/renamed")).status, 200)
  },
}

for (const [row, hold] of Object.entries(rows)) test(`differs here: ${row}`, hold)

test("the table of deviations has these rows and no others, each with the alternative", () => {
  const text = readFileSync(join(import.meta.dirname, "../../../docs/compatibility.md"), "utf8")
  const [ofRequests = ""] = text.split("\n## The description\n")
  const cells = ofRequests
    .split("\n")
    .flatMap((line) => (/^\| (?!---|classic behaviour)/.test(line) ? [line.split(" | ")] : []))
  assert.deepEqual(
    cells.map(([first = ""]) => first.slice(2)),
    Object.keys(rows),
  )
  for (const row of cells) assert.ok(row.length === 3 && row.every((cell) => cell.trim().length > 2), row.join(" | "))
})
