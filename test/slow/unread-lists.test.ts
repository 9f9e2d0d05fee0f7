import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { test } from "node:test"
import { spawnPetstore } from "../harness/spawn.ts"
import { use } from "../harness/use.ts"

const petstore = use(spawnPetstore)
/** The idle service takes 150 MiB, and the attack the same again. */
const memoryMaxMiB = 512
const largePets = 42

test("60 unread XML lists of a Free key do not exhaust the service's memory, and other clients are served", async () => {
  const photoUrls = Array(50).fill(`https://pets.example/?${"&".repeat(2000)}`)
  for (let n = 0; n < largePets; n++) await petstore.as("special-key").addPet({ body: { name: `pet ${n}`, photoUrls } })
  using attackers = new DisposableStack()
  const statuses = await Promise.all(Array.from({ length: 60 }, () => attackers.use(requestList()).status))
  // The kernel's buffers take a response or not; those that they do not take share the budget of the account.
  for (const status of statuses) assert.match(status, /^(200|503)$/)
  for (let n = 0; n < 100; n++) await petstore.as("special-key").getPetById({ params: { petId: 1 } })
  const [, peakKiB] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${petstore.pid}/status`, "utf8")) ?? []
  assert.ok(Number(peakKiB) < memoryMaxMiB * 1024, `${Number(peakKiB) / 1024} MiB`)
})

/** Requests a list of the maximum page size, reads the status, and then stops reading. */
function requestList(): { status: Promise<string> } & Disposable {
  const { hostname, port } = new URL(petstore.url)
  const socket = connect(Number(port), hostname)
  const status = new Promise<string>((resolve, reject) => {
    socket.on("error", reject)
    socket.once("readable", () => resolve(String(socket.read(12)).slice(-3)))
  })
  socket.write(
    "GET /api/v3/pet/findByStatus?limit=1000 HTTP/1.1\r\nHost: petstore\r\nAccept: application/xml\r\n" +
      "api_key: free-key\r\n\r\n",
  )
  return { status, [Symbol.dispose]: () => void socket.destroy() }
}
