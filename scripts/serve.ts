// npm start (with --demo) and npm run serve: the portal is built when its sources changed, then the server runs in this process.
import { buildPortal } from './portal-build.ts'

if (!process.argv.includes('--demo')) process.env.NODE_ENV ??= 'production'

try {
  await buildPortal((line) => console.log(line))
} catch (error) {
  console.error(`The portal could not be built: ${error instanceof Error ? error.message : error}`)
  process.exit(1)
}
await import('#server/main.ts')
