// Runs with: npx playwright test

import { createPetstore } from "@petstore-service/petstore"
import { test as base, expect } from "@playwright/test"

// Each worker has its own service, so that parallel test files do not affect each other.
const test = base.extend({
  petstore: [
    async ({ playwright: _ }, use) => {
      const petstore = await createPetstore()
      await use(petstore)
      await petstore.close()
    },
    { scope: "worker" },
  ],
  baseURL: ({ petstore }, use) => use(petstore.url),
})

test("the first page has a heading", async ({ page }) => {
  await page.goto("/")
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
})

test("a new pet can be read by its id", async ({ request }) => {
  const headers = { api_key: "special-key" }
  const added = await request.post("/api/v3/pet", { headers, data: { name: "Rex", photoUrls: [] } })
  const { id } = await added.json()
  const found = await request.get(`/api/v3/pet/${id}`, { headers })
  expect(await found.json()).toMatchObject({ id, name: "Rex", status: "available" })
})
