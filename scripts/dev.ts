// npm run dev: Vite serves the portal with hot reload on the usual port and passes other requests to the server behind
// it, which restarts when its own sources change.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensurePortal, isPortalBuilt } from './portal-build.ts'

const root = join(import.meta.dirname, '..')
const port = Number(process.env.PORT ?? 8080)
const behind = Number(process.env.SERVER_PORT ?? port + 1)
const publicUrl = process.env.PUBLIC_URL ?? `http://localhost:${port}`

// The server needs any built portal to start; the portal in the browser is served by Vite.
if (!isPortalBuilt() && !ensurePortal()) process.exit(1)

const isDemo = (process.env.DEMO ?? 'true') === 'true'
const server = spawn(
  process.execPath,
  [
    '--watch',
    '--watch-preserve-output',
    join(root, isDemo ? 'demo/main.ts' : 'server/main.ts'),
    ...process.argv.slice(2),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, DEMO: String(isDemo), PORT: String(behind), PUBLIC_URL: publicUrl },
  },
)
process.env.PORTAL_PORT = String(port)
process.env.PORT = String(behind)
const { createServer } = await import('vite')
const portal = await createServer({ configFile: join(root, 'vite.config.ts') })
await portal.listen()
console.log(`The portal reloads automatically on ${publicUrl} (server on ${behind})`)

let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (isStopping) return
    isStopping = true
    server.kill('SIGTERM')
    void portal.close()
  })
}
server.on('exit', (code) => process.exit(isStopping ? 0 : (code ?? 1)))
