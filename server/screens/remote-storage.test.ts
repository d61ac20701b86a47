import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openRemoteStorage } from './remote-storage.ts'

/** A WebDAV server that answers questions about a file with a document of its own, and the paths that were requested. */
async function aStorage(documentAt: (origin: string) => string) {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(String(request.url))
    const { port } = server.address() as AddressInfo
    response.writeHead(207, { 'content-type': 'application/xml' }).end(documentAt(`http://127.0.0.1:${port}`))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dav`
  const storage = openRemoteStorage({ url, username: 'a', password: 'b', protocol: 'webdav' }, { isPublicOnly: false })
  onTestFinished(() => {
    storage.close()
    server.close()
  })
  return { storage, paths }
}

const documentWith = (prolog: string, size: string) =>
  `<?xml version="1.0"?>${prolog}<D:multistatus xmlns:D="DAV:"><D:response><D:href>/dav/file.png</D:href><D:propstat><D:prop><D:getcontentlength>${size}</D:getcontentlength><D:resourcetype/></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>`

test('the size of a file is read from the answer of a WebDAV storage', async () => {
  const { storage } = await aStorage(() => documentWith('', '1234'))
  expect(await storage.size('file.png')).toBe(1234)
})

test('entities in the answer of a WebDAV storage are neither fetched nor unfolded', async () => {
  const outside = await aStorage((origin) =>
    documentWith(`<!DOCTYPE a [<!ENTITY x SYSTEM "${origin}/elsewhere">]>`, '&x;'),
  )
  expect(await outside.storage.size('file.png').catch(() => undefined)).not.toBe(1234)
  expect(outside.paths.filter((path) => path.includes('elsewhere'))).toEqual([])
  const levels = Array.from({ length: 12 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`)
  const laughs = await aStorage(() => documentWith(`<!DOCTYPE a [<!ENTITY l0 "1234">${levels.join('')}]>`, '&l12;'))
  expect(await laughs.storage.size('file.png').catch(() => undefined)).not.toBe(1234)
})
