import { goldenPages } from "../../harness/golden-pages.ts"

const pet = (name: string, more: object = {}) => JSON.stringify({ name, photoUrls: [], ...more })

goldenPages(import.meta.dirname, "import-export", async ({ special, visitor, fetch }) => {
  const staff = await visitor("staff")
  await staff.see("/console/pets/import")
  const csv = 'Name;Colour;Tags;Status\nSeen <1>;red;a|b;sold\nSeen 2;;;\n ;red;;\n"Seen 3;x'
  await staff.sendFile("preview", csv)
  await staff.open("/console/pets/import")
  await staff.sendFile("preview", "n,c\nRex,Dogs\n", { map: "n=name\nc=category\n \n" })
  await staff.open("/console/pets/import")
  await staff.sendFile("preview", "Rex,Dogs,7\nAda,,x\n", { columns: "name,category,id" })
  await staff.open("/console/pets/import")
  await staff.sendFile("preview", "Rex,Dogs\n", { map: "nothing" })
  const file = `${pet("One", { id: 1 })}\n${pet("Two", { category: { name: "Dogs" } })}\n{"name":\n${pet("")}\n=1+1\n`
  await staff.open("/console/pets/import")
  await staff.sendFile("import", file)
  await staff.open("/console/pets/import")
  await staff.sendFile("import", `${file}${pet("Three")}`)
  await staff.open("/console/pets/import")
  await staff.sendFile("import", file, { again: "yes", newIds: "yes" })
  await staff.open("/console/pets/import")
  await staff.sendFile("import", Array.from({ length: 21 }, (_, n) => `{"name":${n}`).join("\n"))
  await staff.open("/console/pets/import")
  await staff.sendFile("import", "")
  await staff.open("/console/pets/import")
  await staff.sendFile("preview", Array.from({ length: 7 }, (_, n) => pet(`Row ${n}`)).join("\n"))

  const customer = await visitor("customer")
  await customer.see("/console/pets/import")
  await customer.see("/console/pets/export?category=Dogs")
  await customer.see("/console/pets/export?format=&name=T&category=Dogs")
  await customer.seeWhole("/console/pets/export?format=&category=Dogs&name=&status=&tag=")
  await customer.seeWhole("/console/pets/export?format=ndjson&name=T")
  await fetch("/console/pets/export?format=csv")
  await special.deletePet({ params: { petId: 1 } })
})
