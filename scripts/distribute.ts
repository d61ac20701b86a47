// npm run distribute: spreads the tables of a Citus coordinator over its nodes. Run it as the owner of the tables after the
// first migrations, with Gettone stopped; `-- --nodes a:5432,b:5432` sets the nodes up first. `-- --move <merchant> --to a:5432` moves a
// merchant to another node, while Gettone runs. See docs/scaling.md.
import { parseArgs } from 'node:util'
import pg from 'pg'
import { distribute } from '#database/distribute/distribute.ts'
import { moveMerchant } from '#database/distribute/move.ts'
import { joinNodes } from '#database/distribute/nodes.ts'

const { DATABASE_URL } = process.env
const { nodes, move, to } = parseArgs({
  options: { nodes: { type: 'string' }, move: { type: 'string' }, to: { type: 'string' } },
}).values
if (!DATABASE_URL || (move === undefined) !== (to === undefined)) {
  console.log(
    'Usage: DATABASE_URL=postgres://owner@coordinator/gettone npm run distribute [-- --nodes host:port,host:port | --move merchant --to host:port]',
  )
  process.exit(1)
}
const owner = new pg.Client({ connectionString: DATABASE_URL })
try {
  const joined = nodes ? await joinNodes(DATABASE_URL, nodes.split(','), console.log) : 0
  await owner.connect()
  if (move !== undefined && to !== undefined) await moveMerchant(owner, move, to, console.log)
  else {
    const steps = await distribute(owner, console.log)
    const count = joined + steps.length
    console.log(count > 0 ? `${count} steps done.` : 'Nothing to do: every table is distributed.')
  }
} catch (error) {
  console.log(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await owner.end()
}
