// A sender of webhooks for tests that kill it. Argument: the owner's address.
import { openPools } from '#database/frame/pool.ts'
import { openDoors } from '#database/frame/tenant.ts'
import { startSender } from '#server/webhooks/sender.ts'
import { testVault } from './nouns/webhooks.ts'

const [adminUrl = ''] = process.argv.slice(2)
startSender({
  doors: openDoors(openPools(adminUrl, 'gettone', 4)),
  vault: testVault,
  live: { announce: () => undefined },
  config: { production: false },
  log: { warn: (facts, text) => console.error(text, facts) },
})
