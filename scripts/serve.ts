// npm start (with --demo) and npm run serve: the portal is built when its sources changed, then the server runs in this process.
import { buildPortal } from './portal-build.ts'

const asked = new Set(process.argv.slice(2))
if (asked.has('--demo')) process.env.DEMO = 'true'
else process.env.NODE_ENV ??= 'production'
if (asked.has('--https')) process.env.HTTPS = 'true'

try {
  await buildPortal((line) => console.log(line))
} catch (error) {
  console.error(`The portal could not be built: ${error instanceof Error ? error.message : error}`)
  process.exit(1)
}
await import('#server/main.ts')
