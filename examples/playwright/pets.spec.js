// Runs with: npx playwright test
import { test as base, expect } from "@playwright/test"
import { createPetstore } from "petstore"

// Each worker has a service of its own, so that files which run side by side do not meet.
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

test("the first page says what this is", async ({ page }) => {
  await page.goto("/")
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
})

test("a pet that was added is shown by its address", async ({ request }) => {
  const headers = { api_key: "special-key" }
  const added = await request.post("/api/v3/pet", { headers, data: { name: "Rex", photoUrls: [] } })
  const { id } = await added.json()
  const found = await request.get(`/api/v3/pet/${id}`, { headers })
  expect(await found.json()).toMatchObject({ id, name: "Rex", status: "available" })
})
