// Generated from the contract; npm run golden writes it again.

import type { CallOptions, ClientResponse, FileOrForm, Idempotent } from "../client.ts"

export interface PetOperations {
  /**
   * Add a pet to the store. Without an id, or with id 0, the pet gets a new one. `status` defaults to `available`.
   * Needs the scope `write:pets`. May be refused with `pet-exists`.
   */
  addPet(input: { body: NewPet } & Idempotent, options?: CallOptions): Promise<ClientResponse<Pet>>

  /**
   * Add up to 500 pets. Adds each pet as `POST /pet` does, in one transaction; the results are in the order of the
   * pets. A refused pet does not undo the others. Each pet counts against the plan as a request, and those beyond
   * it are refused with `quota-exceeded`. Needs the scope `write:pets`. An item may be refused with `pet-exists`.
   */
  importPets(input: { body: NewPet[] } & Idempotent, options?: CallOptions): Promise<ClientResponse<PetResult[]>>

  /**
   * Replace a pet. An omitted category or tags is cleared; an omitted status is kept. Needs the scope
   * `write:pets`. May be refused with `pet-not-found`, `pet-has-open-order`, `precondition-failed`,
   * `invalid-pet-id`.
   */
  updatePet(input: { body: PetReplacement }, options?: CallOptions): Promise<ClientResponse<Pet>>

  /**
   * List pets by status. Newest first: pets with any of the statuses, which may be repeated or separated by
   * commas. Needs the scope `read:pets`.
   */
  findPetsByStatus(input?: { query?: { status?: PetStatus[]; limit?: number; cursor?: string } }, options?: CallOptions): Promise<ClientResponse<Pet[]>>

  /**
   * List pets by tags. Newest first: pets with any of the tags, which may be repeated or separated by commas.
   * Needs the scope `read:pets`.
   */
  findPetsByTags(input?: { query?: { tags?: string[]; limit?: number; cursor?: string } }, options?: CallOptions): Promise<ClientResponse<Pet[]>>

  /**
   * Find a pet by its id. Needs the scope `read:pets`. May be refused with `pet-not-found`.
   */
  getPetById(input: { params: { petId: number } }, options?: CallOptions): Promise<ClientResponse<Pet>>

  /**
   * Change some fields of a pet. A JSON merge patch (RFC 7396). Needs the scope `write:pets`. May be refused with
   * `pet-not-found`, `pet-has-open-order`, `precondition-failed`.
   */
  patchPet(input: { params: { petId: number }; body: PetPatch }, options?: CallOptions): Promise<ClientResponse<Pet>>

  /**
   * Change a pet's name or status. Each may be in the query or in a form. Without either, nothing changes and no
   * event is emitted. Needs the scope `write:pets`. May be refused with `pet-not-found`, `pet-has-open-order`,
   * `precondition-failed`.
   */
  updatePetWithForm(input: { params: { petId: number }; query?: { name?: string; status?: PetStatus }; body?: { name?: string; status?: PetStatus } }, options?: CallOptions): Promise<ClientResponse<Pet>>

  /**
   * Delete a pet. Needs the scope `write:pets`. May be refused with `pet-not-found`, `pet-has-open-order`,
   * `precondition-failed`.
   */
  deletePet(input: { params: { petId: number } }, options?: CallOptions): Promise<ClientResponse<ApiResponse>>

  /**
   * List pets. Newest first, and with `name` in order of name. `status`, `category` and `tag` can be combined, and
   * `status` with `name`. `sort` is `id` or `-id` with `category` or `tag`, `name` or `-name` with `name`, and any
   * of the four otherwise. Any other combination is 400 `invalid-parameter`. When few pets have both a category
   * and a tag, a page may have fewer than `limit`, even none, and still have a `Link`. Needs the scope
   * `read:pets`.
   */
  listPets(input?: { query?: { status?: PetStatus[]; category?: string[]; tag?: string[]; name?: string; sort?: "-id" | "id" | "name" | "-name"; limit?: number; cursor?: string } }, options?: CallOptions): Promise<ClientResponse<Pet[]>>

  /**
   * List pets with the times of their changes. As `GET /pet`, whose pets have the members of the classic Petstore
   * only; exports are made of it. Needs the scope `read:pets`.
   */
  listPetRecords(input?: { query?: { status?: PetStatus[]; category?: string[]; tag?: string[]; name?: string; sort?: "-id" | "id" | "name" | "-name"; limit?: number; cursor?: string } }, options?: CallOptions): Promise<ClientResponse<PetRecord[]>>

  /**
   * Find a pet with the times of its changes. Needs the scope `read:pets`. May be refused with `pet-not-found`.
   */
  getPetRecord(input: { params: { petId: number } }, options?: CallOptions): Promise<ClientResponse<PetRecord>>

  /**
   * Change up to 500 pets. Applies each `patch` as `PATCH /pet/{petId}` does, in one transaction; the results are
   * in the order of the lines. A refused line does not undo the others. Each line counts against the plan as a
   * request, and those beyond it are refused with `quota-exceeded`. Several lines for one pet apply in their
   * order. Needs the scope `write:pets`. An item may be refused with `pet-not-found`, `pet-has-open-order`,
   * `precondition-failed`.
   */
  patchPets(input: { body: PetChange[] } & Idempotent, options?: CallOptions): Promise<ClientResponse<PetChangeResult[]>>

  /**
   * Delete up to 500 pets. Deletes each pet as `DELETE /pet/{petId}` does, in one transaction; the results are in
   * the order of the lines. A refused line does not undo the others. Each line counts against the plan as a
   * request, and those beyond it are refused with `quota-exceeded`. A pet with an open order stays. Needs the
   * scope `write:pets`. An item may be refused with `pet-not-found`, `pet-has-open-order`, `precondition-failed`.
   */
  deletePets(input: { body: PetDeletion[] } & Idempotent, options?: CallOptions): Promise<ClientResponse<PetResult[]>>

  /**
   * Upload an image of a pet. JPEG, PNG, WebP, GIF or AVIF, detected by content. Metadata such as GPS coordinates
   * is removed and the orientation applied. The image's URL is appended to the pet's `photoUrls`; append `/320` or
   * `/1280` to it for smaller copies. Needs the scope `write:pets`. May be refused with `pet-not-found`,
   * `unsupported-image`, `unreadable-image`, `image-too-large`, `too-many-photos`, `image-quota-exceeded`.
   */
  uploadFile(input: { params: { petId: number }; query?: { additionalMetadata?: string }; upload: FileOrForm }, options?: CallOptions): Promise<ClientResponse<ApiResponse>>

  /**
   * List the images of a pet that are stored here. In the order of its `photoUrls`, which may contain other URLs
   * too. Needs the scope `read:pets`. May be refused with `pet-not-found`.
   */
  listPetImages(input: { params: { petId: number } }, options?: CallOptions): Promise<ClientResponse<PetImage[]>>

  /**
   * Remove an image from a pet. Removes its URL from `photoUrls`. The image itself is deleted a day after no pet
   * refers to it any more. Needs the scope `write:pets`. May be refused with `pet-not-found`, `image-not-found`,
   * `precondition-failed`.
   */
  deletePetImage(input: { params: { petId: number; sha256: string } }, options?: CallOptions): Promise<ClientResponse<ApiResponse>>
}

export type NewPet = {
  id?: number
  category?: NewCategory
  name: string
  photoUrls: string[]
  tags?: NewTag[]
  status?: PetStatus
}

type NewCategory = {
  name: string
}

type NewTag = {
  name: string
}

type PetStatus = "available" | "pending" | "sold"

export type Pet = {
  id: number
  category?: Category
  name: string
  photoUrls: string[]
  tags: Tag[]
  status: PetStatus
}

type Category = {
  id: number
  name: string
}

type Tag = {
  id: number
  name: string
}

type PetResult = {
  id?: number
  problem?: PetRefusal
}

type PetRefusal = {
  code: string
  detail: string
  errors?: PetViolation[]
}

type PetViolation = {
  pointer: string
  code: string
  detail: string
}

type PetReplacement = {
  id: number
  category?: NewCategory
  name: string
  photoUrls: string[]
  tags?: NewTag[]
  status?: PetStatus
}

type PetPatch = {
  id?: number
  category?: {
  name?: string
} | null
  name?: string
  photoUrls?: string[]
  tags?: NewTag[] | null
  status?: PetStatus
}

export type ApiResponse = {
  code: number
  type: string
  message: string
}

type PetRecord = {
  id: number
  category?: Category
  name: string
  photoUrls: string[]
  tags: Tag[]
  status: PetStatus
  createdAt?: string
  updatedAt?: string
}

type PetChange = {
  id: number
  ifMatch?: string
  patch: PetPatch
}

type PetChangeResult = {
  id?: number
  etag?: string
  problem?: PetRefusal
}

type PetDeletion = {
  id: number
  ifMatch?: string
}

type PetImage = {
  sha256: string
  url: string
  type: "image/jpeg" | "image/png" | "image/webp" | "image/gif" | "image/avif"
  width: number
  height: number
  frames: number
  bytes: number
  description?: string
  sizes: ({ edge: number; url: string })[]
}
