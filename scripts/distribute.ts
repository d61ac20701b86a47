// npm run distribute: prepares a Citus coordinator. Run it as the owner of the tables after the migrations, with
// Gettone stopped, and again after each update. See docs/scaling.md for the proven parts.
import pg from 'pg'
import { distribute } from '#database/distribute/distribute.ts'

const { DATABASE_URL } = process.env
if (!DATABASE_URL) {
  console.log('Usage: DATABASE_URL=postgres://owner@coordinator/gettone npm run distribute')
  process.exit(1)
}
const owner = new pg.Client({ connectionString: DATABASE_URL })
try {
  await owner.connect()
  const steps = await distribute(owner, console.log)
  console.log(steps.length > 0 ? `${steps.length} steps done.` : 'Nothing to do: every table is distributed.')
} catch (error) {
  console.log(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await owner.end()
}
