import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const page = join(import.meta.dirname, '../../portal/key/index.html')

/** Serves the customers' app while it is developed: all its pages are one file. There is no service worker. */
export const keyAppInDevelopment = (): Plugin => ({
  name: 'key-app-in-development',
  apply: 'serve',
  configureServer(server) {
    server.middlewares.use(async (request, response, next) => {
      const path = request.url?.split('?')[0] ?? ''
      if (!/^\/key\/[^.@]*$/.test(path) || !request.headers.accept?.includes('text/html')) return next()
      const html = (await readFile(page, 'utf8')).replace('./main.tsx', '/key/main.tsx')
      response.setHeader('content-type', 'text/html').end(await server.transformIndexHtml('/key/index.html', html))
    })
  },
})
