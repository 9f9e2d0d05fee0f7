import { goldenPages } from "../../harness/golden-pages.ts"

goldenPages(import.meta.dirname, "users", async ({ special, visitor }) => {
  await special.createUser({ body: { username: "bare", password: "a long password" } })
  const staff = await visitor("staff")
  await staff.see("/console/users?sort=-id")
  await staff.see("/console/users?username=%20bare%20")
  await staff.see("/console/users?username=none")
  await staff.see("/console/users/named/bare")
  await staff.see("/console/users/new")
  const draft = { password: "a long password", firstName: "Ada", lastName: "", email: "ada@pets.example", phone: "" }
  await staff.send({ action: "add", ...draft, username: "not valid", email: "none" })
  await staff.send({ action: "add", ...draft, username: "ada" })
  await staff.send({
    action: "save",
    username: "ada",
    firstName: "",
    lastName: "L.",
    email: "ada@pets.example",
    phone: "1",
  })
  await staff.send({
    action: "save",
    username: "ada2",
    firstName: "",
    lastName: "L.",
    email: "",
    phone: "",
    currentPassword: "password2",
  })
  await staff.send({
    action: "save",
    username: "ada",
    firstName: "",
    lastName: "",
    email: "",
    phone: "",
    currentPassword: "",
  })
  await staff.see("/console/users/named/ada2/password")
  await staff.send({ action: "reset", password: "", currentPassword: "password2" })
  await staff.send({ action: "reset", password: "another password", currentPassword: "password2" })
  await staff.see("/console/users/named/ada2/delete")
  await staff.send({ action: "delete", currentPassword: "wrong" })
  await staff.send({ action: "delete", currentPassword: "password2" })
  await staff.see("/console/users/named/ada2")

  const admin = await visitor("admin")
  await admin.see("/console/users/named/bare")
  await admin.confirm({ action: "grant", role: "staff", currentPassword: "" })
  await admin.send({ action: "grant", role: "admin", currentPassword: "wrong" })
})

goldenPages(import.meta.dirname, "profile", async ({ special, visitor }) => {
  const password = "correct horse battery staple"
  await special.createUser({ body: { username: "ada", password, email: "ada@pets.example" } })
  const ada = await visitor("anonymous")
  await ada.see("/console/sign-in?next=%2Fprofile")
  await ada.send({ username: "ada", password: "wrong" })
  await ada.send({ username: "ada", password })
  const record = {
    action: "save",
    username: "ada",
    firstName: "Ada",
    lastName: "L.",
    phone: "1 23",
    currentPassword: "",
  }
  await ada.send({ ...record, email: "ada@pets.example" })
  await ada.send({ ...record, email: "changed@pets.example" })
  await ada.see("/console/profile/password")
  await ada.send({ action: "change", password: "", currentPassword: password })
  await ada.send({ action: "change", password: "quite a new one", currentPassword: password })
  await ada.open("/console/sign-in?next=%2Fprofile%2Fdelete")
  await ada.send({ username: "ada", password: "quite a new one" })
  await ada.send({ action: "delete", currentPassword: "" })
  await ada.send({ action: "delete", currentPassword: "quite a new one" })
})

goldenPages(import.meta.dirname, "accounts", async ({ visitor, special }) => {
  const admin = await visitor("admin")
  await admin.see("/console/accounts")
  await admin.see("/console/accounts/new")
  await admin.send({ action: "open", name: " ", plan: "gold" })
  await admin.send({ action: "open", name: "Partner", plan: "enterprise" })
  await admin.send({ action: "save", name: "Partner & Co", plan: "pro" })
  await special.getInventory()
  await admin.see("/console/accounts/1")
  await admin.send({ action: "rename", name: "The shop" })
  await admin.send({ action: "act" })
  admin.showCookies()
  await admin.see("/console/keys/new")
  await admin.see("/console/accounts/999")
})
