import { jsonOrXml } from "../../../kernel/network/media-types.ts"
import { text } from "../../../kernel/schema/schema.ts"
import { Type } from "../../../kernel/schema/type.ts"
import { endpointsWith } from "../../endpoint.ts"

const credentials = {
  username: text(0, 1024, { description: "Not case-sensitive", examples: ["user1"] }),
  password: text(0, 1024, { format: "password", description: "The password of that user", examples: ["password1"] }),
}

const login = endpointsWith({
  tag: "user",
  scope: "open",
  hashesPassword: true,
  response: Type.String({ description: "A bearer token", examples: ["pss_…"], xml: { name: "token" } }),
  produces: jsonOrXml,
  headers: {
    "X-Rate-Limit": { description: "Requests a minute the user's plan allows", example: 60 },
    "X-Expires-After": { description: "When the token expires (RFC 3339)", example: "2026-01-01T12:00:00.000Z" },
  },
  problems: ["invalid-credentials", "too-many-attempts"],
  audited: ["session.created"],
})

const logout = endpointsWith({
  tag: "user",
  scope: "open",
  produces: jsonOrXml,
  audited: ["session.ended"],
})

export const sessions = {
  logIn: login("POST", "/user/login", {
    summary: "Log in",
    command: "users login",
    body: Type.Object(credentials),
  }),

  loginUser: login("GET", "/user/login", {
    summary: "Log in through query parameters",
    description: "Query strings end up in logs and browser histories: use POST instead.",
    command: "users login-by-query",
    query: Type.Object(credentials),
    deprecated: "2026-11-21",
  }),

  logOut: logout("POST", "/user/logout", {
    summary: "Log out: revoke the bearer token, if there is one",
    command: "users logout",
    tool: { replaces: true, repeatable: true },
  }),

  logoutUser: logout("GET", "/user/logout", {
    summary: "Log out with GET",
    description: "The same as POST.",
    command: "users logout-by-get",
  }),
}
