import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contractOfFirstScreen, importsIn } from './contract.ts'

const root = join(import.meta.dirname, '../..')
const path = join(root, 'portal/app/merchant.tsx')
const provider = join(root, 'portal/shell/MerchantProvider.tsx')

test('imports of our own files are found without types, styles and libraries', () => {
  const code = [
    "import { useState } from 'react'",
    "import type { Role } from '#contract/vocabulary/roles.ts'",
    "import { type Me, users as people } from '#contract/people/user.ts'",
    "import './theme/base.css'",
    "export { go } from './go.ts'",
    "export type { Screen } from './screen.ts'",
  ].join('\n')
  expect(importsIn(path, code).map(({ path, names }) => [path, names])).toEqual([
    [join(root, 'contract/people/user.ts'), [{ name: 'users', local: 'people' }]],
    [join(root, 'portal/app/go.ts'), undefined],
  ])
})

interface Hooks {
  buildStart: () => Promise<void>
  load: (id: string) => Promise<string | undefined>
}

test('the first screen imports calls and tables as data, and functions from their modules', async () => {
  const { buildStart, load } = contractOfFirstScreen() as unknown as Hooks
  await buildStart()
  const code = (await load(provider)) ?? ''
  const user = join(root, 'contract/people/user.ts')
  expect(code).toContain(`import { users as users } from "${user}?data";`)
  expect(code).toContain("import { roleMay } from '#contract/access.ts'")
  const data = (await load(`${user}?data`)) ?? ''
  expect(data).toContain('"path":"/users/me"')
  expect(data).not.toMatch(/schema|_zod/i)
  // A later screen has the whole contract.
  expect(await load(join(root, 'portal/features/stock/round/CandidateList.tsx'))).toBeUndefined()
  expect(existsSync(user) && readFileSync(user, 'utf8')).toContain("from 'zod'")
})
