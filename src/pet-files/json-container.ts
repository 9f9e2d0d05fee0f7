import { JsonPart } from "./json-part.ts"
import type { Line } from "./lines.ts"

/** The name of what contains the pets, when an object has several collections. */
const petsName = "pets"
/** Arrays of a pet itself. */
const arraysOfPet: ReadonlySet<string> = new Set(["photoUrls", "tags"])

/** Elements by the path of their array or object, such as `data.pets`. */
type Collections = ReadonlyMap<string, Line[]>

/** An object or array that is open in a scan, with the values that may be pets. */
export class Container {
  readonly path: string
  readonly isArray: boolean
  /** The bytes of the current value, when it may be a pet. */
  readonly value = new JsonPart()
  /** The name of the current member. */
  key = ""
  isAfterColon = false
  /** Whether it is a pet itself: an object that has a name. */
  hasName = false
  readonly #isOfPets: boolean
  /** Whether the values are objects; of an array, whether the first one is. Undefined before the first one. */
  #isOfObjects: boolean | undefined
  #elements: Line[] = []
  #countNamed = 0
  #arrays = new Map<string, Line[]>()
  #below = new Map<string, Line[]>()

  constructor(path: string, isArray: boolean) {
    this.path = path
    this.isArray = isArray
    this.#isOfPets = nameOf(path) === petsName
    if (isArray && (path === "" || arraysOfPet.has(nameOf(path)))) this.#isOfObjects = false
    else if (isArray && this.#isOfPets) this.#isOfObjects = true
  }

  /** Whether it is the array `pets` of the outermost object, which is read without waiting for the end of that object. */
  get isStreamed(): boolean {
    return this.isArray && this.path === petsName
  }

  /** The path of the current member. */
  get memberPath(): string {
    return this.path === "" ? this.key : `${this.path}.${this.key}`
  }

  beginValue(isObject: boolean, at: number, line: number): void {
    if (this.value.isOpen || this.#isOfObjects === false) return
    this.#isOfObjects = isObject || (this.isArray && this.#isOfObjects === true)
    if (this.#isOfObjects) this.value.open(at, line)
  }

  addElement(element: Line): void {
    this.#elements.push(element)
  }

  /** Takes over what a member contains, at its end. */
  endMember(member: Container): void {
    if (member.hasName) this.#countNamed += 1
    const into = member.isArray ? this.#arrays : this.#below
    for (const [path, elements] of member.collections()) into.set(path, elements)
  }

  /**
   * What contains pets: of a pet nothing; the arrays of objects; or else the object itself, when its values are several objects with
   * names, as Firebase writes them; or else what its members contain.
   */
  collections(): Collections {
    if (this.hasName) return new Map()
    const own = new Map([[this.path, this.#elements]])
    const isCollection = this.#elements.length > 0 || this.#isOfPets
    if (this.isArray) return isCollection && this.#isOfObjects ? own : new Map()
    if (this.#arrays.size > 0) return this.#arrays
    const isKeyed = this.#isOfPets || (this.#countNamed > 0 && this.#elements.length > 1)
    return isKeyed && this.#isOfObjects !== false ? own : this.#below
  }
}

/** The collections of pets: all of them, or the one that is named `pets`. */
export function choosePets(collections: Collections): Collections {
  if (collections.size < 2) return collections
  const named = [...collections].filter(([path]) => nameOf(path) === petsName)
  return named.length === 1 ? new Map(named) : collections
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1)
