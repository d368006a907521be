// The floor of an answered request: node:http, one route, one JSON body. No gate, no grants, no routes.
import { Buffer } from 'node:buffer'
import { createServer } from 'node:http'

const body = JSON.stringify({ leuria: '0.1.0', ok: true, agent: 'Demo AI (no model)', approvals: 'page', paired: true })
const server = createServer((request, response) => {
  if (request.url !== '/health') {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, {
    'content-type': 'application/json',
    'access-control-allow-origin': request.headers.origin ?? '*',
    vary: 'Origin',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address()
  console.log(JSON.stringify({ event: 'ready', port, url: `http://127.0.0.1:${port}`, version: '0', agent: 'none' }))
})
