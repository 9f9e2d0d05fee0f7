import { createServer } from "node:http"

const pet =
  '{"id":1,"category":{"id":2,"name":"Cats"},"name":"Cat 1","photoUrls":["/images/d31ddfa539c363378455a16619a0242e364ee1bb7487efbbcf55c1cbad40c60b"],"tags":[{"id":1,"name":"tag1"},{"id":2,"name":"tag2"}],"status":"available"}'

createServer((_request, response) => {
  response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": pet.length })
  response.end(pet)
}).listen(18081, "127.0.0.1")
