/** The body of a request that creates a pet. */
type Draft = {
  name: string
  status: "available" | "pending" | "sold"
  category: { name: string }
  tags: { name: string }[]
  photoUrls: string[]
}

const kinds = {
  Dogs: ["Labrador", "Beagle", "Poodle", "Dachshund", "Border Collie", "Boxer"],
  Cats: ["Siamese", "Maine Coon", "Bengal", "Persian", "Domestic Shorthair"],
  Rabbits: ["Lionhead", "Dutch", "Angora"],
  Birds: ["Budgerigar", "Cockatiel", "Canary"],
  Fish: ["Goldfish", "Guppy", "Betta"],
  Reptiles: ["Leopard Gecko", "Corn Snake", "Bearded Dragon"],
}
const names = ["Bella", "Max", "Luna", "Charlie", "Daisy", "Rocky", "Molly", "Leo", "Sadie", "Oscar", "Ruby", "Felix"]
const traits = [
  "friendly",
  "shy",
  "playful",
  "calm",
  "house-trained",
  "good with children",
  "senior",
  "puppy",
  "rescue",
]
const seed = 20_240_229

/** Generates the same pets in every run: seven in ten are available, most have tags and a photo. */
export function* generatePets(count: number): Generator<Draft> {
  const random = mulberry32(seed)
  const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  for (let n = 1; n <= count; n++) {
    const category = oneOf(Object.keys(kinds) as (keyof typeof kinds)[])
    const share = random()
    yield {
      name: `${oneOf(names)} ${n}`,
      status: share < 0.7 ? "available" : share < 0.85 ? "pending" : "sold",
      category: { name: category },
      tags: [...new Set([oneOf(kinds[category]), oneOf(traits), oneOf(traits)])].map((name) => ({ name })),
      photoUrls: random() < 0.8 ? [`https://images.example/pets/${n}.jpg`] : [],
    }
  }
}

/** A generator of numbers in [0, 1) with the same sequence for the same seed (Tommy Ettinger's mulberry32). */
function mulberry32(state: number): () => number {
  let a = state
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
