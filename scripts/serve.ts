// npm start (with --demo) and npm run serve: the portal is built when its sources changed, then the server runs in this process.
import '../server/compile-cache.ts'
import { ensurePortal } from './portal-build.ts'

const options = new Set(process.argv.slice(2))
if (options.has('--demo')) process.env.DEMO = 'true'
else process.env.NODE_ENV ??= 'production'
if (options.has('--https')) process.env.HTTPS = 'true'

if (!ensurePortal()) {
  console.error('The portal could not be built. See the reason above.')
  process.exit(1)
}
await import(process.env.DEMO === 'true' ? '#demo/main.ts' : '#server/main.ts')
