const spareItemsMax = 64

/** First in, first out, in one array; `shift` takes constant time. An empty queue has no items. */
export class Queue<T> {
  #items: T[] = []
  #first = 0

  get length(): number {
    return this.#items.length - this.#first
  }

  get last(): T | undefined {
    return this.#items.at(-1)
  }

  at(n: number): T | undefined {
    return this.#items[this.#first + n]
  }

  push(item: T): void {
    this.#items.push(item)
  }

  shift(): void {
    this.#first++
    const isWorthCopying = this.#first >= spareItemsMax && this.#first * 2 >= this.#items.length
    if (this.length > 0 && !isWorthCopying) return
    this.#items = this.#items.slice(this.#first)
    this.#first = 0
  }
}
