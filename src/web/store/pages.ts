import { petPage } from "./pet-page.ts"
import { storePage } from "./store-page.ts"
import type { ListView, PetView, Shop } from "./views.ts"

/** The pages of the store, each made of what it shows. */
export const storePages = (shop: Shop) => ({
  list: (view: ListView) => storePage(shop, view),
  pet: (view: PetView) => petPage(shop, view),
})
