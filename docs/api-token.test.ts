import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { anApiToken } from '#testkit/api-tokens.ts'
import { aPortal } from '#testkit/browser/portal.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'

const run = promisify(execFile)
const text = readFileSync(join(import.meta.dirname, 'api-token.md'), 'utf8')
const [, example = ''] = /```sh\n([\s\S]+?)```/.exec(text) ?? []

test('the call that the page shows reads the merchant’s machines, and nothing with another’s token', async () => {
  const portal = await aPortal()
  const own = await aMerchant(portal.database)
  const other = await aMerchant(portal.database)
  const machine = await aMachine(portal.database, own.id)
  const call = (token: string) =>
    run('sh', ['-c', example], {
      env: { ...process.env, GETTONE_URL: portal.url, GETTONE_MERCHANT: own.id, GETTONE_TOKEN: token },
    })
  const { stdout } = await call((await anApiToken(portal.database, own.id)).token)
  expect(JSON.parse(stdout).items).toMatchObject([{ id: machine.id }])
  await expect(call((await anApiToken(portal.database, other.id)).token)).rejects.toMatchObject({ code: 22 })
}, 120_000)
