import assert from "node:assert/strict"
import { test } from "node:test"
import { imagePath } from "../../../src/core/domain/images/contract.ts"
import type { StoredImage } from "../../../src/core/domain/images/store.ts"
import { addAccount, type OpenStore, putPet, samplePet, useStore } from "./samples.ts"

export function testImages(open: OpenStore): void {
  const store = useStore(open)
  const image = (digit: string): StoredImage => ({
    sha256: digit.repeat(64),
    type: "image/png",
    width: 3,
    height: 2,
    frames: 1,
    bytes: { original: 100, "320": 20, "1280": 3 },
    blob: `blob ${digit}`,
  })
  const add = (of: StoredImage, accountId: number) => store.transaction((tx) => tx.images.add(of, accountId))
  /** Sets the images of a pet. */
  const refer = (petId: number, ...images: StoredImage[]) =>
    store.transaction((tx) =>
      putPet(tx, samplePet(petId, { photoUrls: images.map(({ sha256 }) => imagePath(sha256)) })),
    )
  const addPet = (petId: number) => store.transaction((tx) => tx.pets.add([samplePet(petId)]))
  const mark = (at: number) => store.transaction((tx) => tx.images.markUnreferenced(at, 100))
  const forget = (before: number, limit = 100) => store.transaction((tx) => tx.images.forgetUnreferenced(before, limit))

  test("an image reads back as added, and counts once, for the account that added it first", async () => {
    const [one, other] = [await addAccount(store), await addAccount(store)]
    assert.equal(await add(image("a"), one), true)
    assert.equal(await add({ ...image("a"), blob: "another" }, other), false)
    assert.deepEqual(await store.images.read(image("a").sha256), image("a"))
    assert.equal(await store.images.read(image("b").sha256), undefined)
    await add(image("c"), one)
    assert.deepEqual(
      { one: await store.images.bytesOf(one), other: await store.images.bytesOf(other) },
      { one: 246, other: 0 },
    )
  })

  test("images are read in the order of their SHA-256, a few at a time", async () => {
    const accountId = await addAccount(store)
    for (const digit of ["f", "7", "e"]) await add(image(digit), accountId)
    const [first = image("0"), ...rest] = await store.images.after("6".repeat(64), 2)
    assert.deepEqual({ first, rest: rest.length }, { first: image("7"), rest: 1 })
    assert.deepEqual(
      (await store.images.after(image("d").sha256, 10)).map(({ sha256 }) => sha256[0]),
      ["e", "f"],
    )
    assert.deepEqual(await store.images.after(image("f").sha256, 10), [])
  })

  test("images are read in the order of their keys, a few at a time", async () => {
    const accountId = await addAccount(store)
    const named = (digit: string, blob: string) => ({ ...image(digit), sha256: `${digit}x`.repeat(32), blob })
    const [late, early, middle] = [named("1", "z-late"), named("2", "z-early"), named("3", "z-kept")]
    for (const each of [late, early, middle]) await add(each, accountId)
    assert.deepEqual(await store.images.afterKey("z", 2), [early, middle])
    assert.deepEqual(await store.images.afterKey("z-early", 2), [middle, late])
    assert.deepEqual(await store.images.afterKey("z-late", 2), [])
  })

  test("of concurrent additions of an image exactly one succeeds", async () => {
    const accountId = await addAccount(store)
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => add({ ...image("d"), blob: `racer ${n}` }, accountId)),
    )
    assert.equal(outcomes.filter(Boolean).length, 1)
    assert.equal(await store.images.bytesOf(accountId), 123)
  })

  test("a pet refers to the images of its photo URLs, and keeps their descriptions", async () => {
    const accountId = await addAccount(store)
    await add(image("1"), accountId)
    await add(image("2"), accountId)
    await addPet(1)
    await refer(1, image("1"))
    await store.transaction((tx) => tx.images.describe(1, image("1").sha256, "asleep"))
    await refer(1, image("1"), image("2"))
    const ofPet = async () => (await store.images.ofPet(1)).sort((a, b) => a.image.sha256.localeCompare(b.image.sha256))
    assert.deepEqual(await ofPet(), [
      { image: image("1"), description: "asleep" },
      { image: image("2"), description: undefined },
    ])
    await refer(1, image("2"))
    assert.deepEqual(await ofPet(), [{ image: image("2"), description: undefined }])
    await store.transaction((tx) => tx.pets.remove(1))
    assert.deepEqual(await ofPet(), [])
  })

  test("an image is deleted when no pet has referred to it for long enough, and no longer counts", async () => {
    await mark(1)
    await forget(Number.MAX_SAFE_INTEGER)
    const accountId = await addAccount(store)
    for (const digit of ["3", "4", "5"]) await add(image(digit), accountId)
    for (const petId of [31, 32]) await addPet(petId)
    await refer(31, image("3"), image("4"), image("5"))
    await refer(32, image("4"))
    await refer(31)
    await mark(1000)
    await refer(32, image("4"), image("5"))
    const known = async () => [...(await store.images.known(["blob 3", "blob 4", "blob 5", "none"]))].sort()
    assert.deepEqual(await forget(1000), [])
    assert.deepEqual(await known(), ["blob 3", "blob 4", "blob 5"])
    assert.deepEqual(await forget(1001), ["blob 3"])
    assert.deepEqual(await known(), ["blob 4", "blob 5"])
    assert.equal(await store.images.bytesOf(accountId), 246)
    assert.deepEqual(await store.images.known([]), new Set())
  })

  test("an image that is uploaded again meanwhile is not deleted", async () => {
    const accountId = await addAccount(store)
    await add(image("6"), accountId)
    await addPet(61)
    await refer(61, image("6"))
    await refer(61)
    await mark(1000)
    assert.equal(await add(image("6"), accountId), false)
    assert.deepEqual(await forget(2000), [])
    assert.ok(await store.images.read(image("6").sha256))
  })
}
