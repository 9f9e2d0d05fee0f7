import assert from "node:assert/strict"
import { test } from "node:test"
import { joinList, readTags, readUrls, separatorIn } from "./csv-lists.ts"

test("the separator of texts is the earliest one in any of them, up to that of the column", () => {
  assert.equal(separatorIn(["a", "b"]), undefined)
  assert.equal(separatorIn([]), undefined)
  assert.equal(separatorIn(["a\tb", "a,b", "a;b", "a|b"]), "|")
  assert.equal(separatorIn(["a\tb", "a,b", "a;b"]), ";")
  assert.equal(separatorIn(["a\tb", "a,b"]), ",")
  assert.equal(separatorIn(["a\tb"]), "\t")
  assert.equal(separatorIn(["a,b\n", "[1,2]", "{a,b}", "a,b\nc"]), undefined)
  assert.equal(separatorIn(["a;b", "a,b"], "|"), undefined)
  assert.equal(separatorIn(["a;b", "a,b"], ";"), ";")
  assert.equal(separatorIn(["a,b"], ";"), undefined)
  assert.equal(separatorIn(["a\tb"], "\t"), "\t")
})

test("tags are items of a JSON array, lines, or separated", () => {
  for (const [text, tags] of [
    ["", []],
    [" a ; b;;c ", ["a", "b", "c"]],
    ["a|b;c", ["a", "b;c"]],
    ["one", ["one"]],
    ["a;b\n", ["a;b"]],
    ["a\n b \n\n", ["a", "b"]],
    ["a,b\nc", ["a,b", "c"]],
    [' ["a", "b,c", 7, " ", " d "] ', ["a", "b,c", "7", "d"]],
    ['[{"name":"a"},{"name":1,"id":2},"b"]', ["a", "1", "b"]],
    ["[]", []],
    ["[true]", "[true]"],
    ["[null]", "[null]"],
    ['[{"id":1}]', '[{"id":1}]'],
    ["['a']", "['a']"],
    ["{a;b}", "{a;b}"],
    ['{"name":"a"}', '{"name":"a"}'],
    ["[a\n;b]", "[a\n;b]"],
    ["[a;b", ["[a", "b"]],
    ["x[a;b]", ["x[a", "b]"]],
    ["[a];b", ["[a]", "b"]],
  ] as const)
    assert.deepEqual(readTags(text), tags, text)
  assert.deepEqual(readTags("a,b;c", "|"), ["a,b;c"])
  assert.deepEqual(readTags("a,b;c", ";"), ["a,b", "c"])
  assert.deepEqual(readTags("a,b;c", ","), ["a,b", "c"])
})

test("photo URLs are separated by bars, or by commas and semicolons that are not part of one", () => {
  for (const [text, urls] of [
    ["/a.jpg | /b,c.jpg", ["/a.jpg", "/b,c.jpg"]],
    ["https://a/1,https://a/2; http://a/3", ["https://a/1", "https://a/2", "http://a/3"]],
    ["https://a/1,x", ["https://a/1,x"]],
    ["https://a/1, x", ["https://a/1", "x"]],
    ["/a, /b;  /c", ["/a", "/b", "/c"]],
    ["/a,/b", ["/a,/b"]],
    ["a.jpg,b.jpeg;c.png,d.gif,e.webp,f.avif", ["a.jpg", "b.jpeg", "c.png", "d.gif", "e.webp", "f.avif"]],
    ["a.JPG,b.PNG", ["a.JPG", "b.PNG"]],
    ["a.jpg,b.jpgs", ["a.jpg,b.jpgs"]],
    ["ajpg,b.jpg", ["ajpg,b.jpg"]],
    ["/a.jpg\n/b.jpg\n", ["/a.jpg", "/b.jpg"]],
    ['["/a,b.jpg"]', ["/a,b.jpg"]],
    ["", []],
  ] as const)
    assert.deepEqual(readUrls(text), urls, text)
})

test("a list is joined with bars, or on lines where it would be read as another list", () => {
  assert.equal(joinList([]), "")
  assert.equal(joinList(["a", "b"]), "a|b")
  for (const [items, joined] of [
    [["a;b"], "a;b\n"],
    [["a|b", "c"], "a|b\nc\n"],
    [["[1]"], "[1]\n"],
    [["{x}"], "{x}\n"],
    [["a;b", "c"], "a;b|c"],
  ] as [string[], string][]) {
    assert.equal(joinList(items), joined)
    assert.deepEqual(readTags(joined), items)
  }
  assert.equal(joinList(["/a, /b"], readUrls), "/a, /b\n")
  assert.equal(joinList(["/a,/b"], readUrls), "/a,/b")
})
