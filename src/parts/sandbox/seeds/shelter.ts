import type { PetStatus } from "../../../core/domain/pets/contract.ts"
import type { Animal } from "./animals.ts"

const names = (
  "Milo Luna Bella Oscar Nala Felix Ruby Toby Hazel Bruno Willow Rocky Maggie Otis Poppy Archie Stella Finn Rosie Gus " +
  "Ivy Jasper Olive Moose Pepper Leo Daisy Ziggy Coco Bear Honey Max Clover Scout Pearl Rusty Juno Monty Sadie Ace " +
  "Biscuit Freya Duke Mabel Hugo Tilly Chip Nova Baxter Fern Murphy Lola Teddy Dot Winston Kiki Barney Sage Loki Mimi " +
  "Ranger Bonnie Ollie Misty Hank Piper Theo Gigi Rex Lottie Benny Echo Walter Tansy Louie Pixie Samson Wren Alfie Nell " +
  "Bandit Skye Percy Minnie Ozzy Flora Casper Dora Tucker Lily Ash Tess Boris Suki Quincy Etta Buddy Cleo Nico Penny " +
  "Marlow Indie Rufus Birdie Comet Greta Basil Maple Dexter Roxy Pip Vera Linus Edith Sunny Thea Cosmo Betsy Frank Zuzu"
).split(" ")

const ages = ["young", "adult", "adult", "senior"]
const tempers = ["friendly", "playful", "calm", "shy", "curious"]
const needs = [
  "house-trained",
  "good-with-children",
  "good-with-cats",
  "needs-a-garden",
  "needs-company",
  "indoor",
  "chipped",
]

/** `firstName` is the index of its first name in the list. */
type Species = {
  category: string
  count: number
  firstName: number
  breeds: readonly string[]
  pictures: readonly string[]
}

const species: readonly Species[] = [
  {
    category: "Dogs",
    count: 120,
    firstName: 0,
    breeds: ["Border Collie", "Beagle", "Dachshund", "Labrador", "Terrier mix", "Whippet", "Poodle", "Shepherd mix"],
    pictures: ["dog-1", "dog-2", "dog-3"],
  },
  {
    category: "Cats",
    count: 120,
    firstName: 41,
    breeds: ["Domestic Shorthair", "Maine Coon", "Siamese", "Tabby", "Tortoiseshell", "Norwegian Forest", "Ragdoll"],
    pictures: ["cat-1", "cat-2", "cat-3"],
  },
  {
    category: "Rabbits",
    count: 60,
    firstName: 83,
    breeds: ["Lionhead", "Dwarf Lop", "Rex", "Angora", "Dutch"],
    pictures: ["rabbit-1"],
  },
]

/** The statuses of ten consecutive animals. */
const statuses: readonly PetStatus[] = [
  "available",
  "available",
  "pending",
  "available",
  "available",
  "sold",
  "available",
  "available",
  "available",
  "available",
] as PetStatus[]

/** The 300 animals of an invented shelter, always the same; no two of a species have the same name. */
export const shelterAnimals = (): Animal[] =>
  mixed(species.map(animalsOf)).map((animal, n) => ({ ...animal, status: at(statuses, n) }))

/** Cycles through lists of different lengths, so that neighbours differ. */
const animalsOf = ({ category, count, firstName, breeds, pictures }: Species): Omit<Animal, "status">[] =>
  Array.from({ length: count }, (_, n) => ({
    category,
    name: at(names, firstName + n),
    tags: [
      at(breeds, n * 3),
      at(ages, firstName + n * 3),
      at(tempers, firstName + n * 2),
      ...(n % 3 === 0 ? [] : [at(needs, firstName + n)]),
    ],
    picture: at(pictures, n * 2),
  }))

/** Takes one item of each list in turn until all are empty. */
function mixed<T>(lists: readonly T[][]): T[] {
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, n) => lists.flatMap((list) => list.slice(n, n + 1))).flat()
}

const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T
