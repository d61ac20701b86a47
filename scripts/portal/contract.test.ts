import { existsSync, readdirSync, readFileSync } from 'node:fs'
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

test('no module of the first screen hands rows on, which other screens would get without their schemas', async () => {
  const { buildStart, load } = contractOfFirstScreen() as unknown as Hooks
  await buildStart()
  const files = readdirSync(join(root, 'portal'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  )
  const codes = await Promise.all(files.map(async (file) => [file, await load(join(root, 'portal', file))] as const))
  const changed = codes.filter(([, code]) => code?.includes('?data'))
  expect(changed.length).toBeGreaterThan(10)
  expect(changed.filter(([, code]) => handsRowsOn(code ?? '')).map(([file]) => file)).toEqual([])
  const table = `import { firmwareRules as firmwareRules } from "/contract/updates/firmware-rule.ts?data";
export const kinds = {
  firmware: {
    row: firmwareRules.listFirmwareRules,
  },
} as const`
  expect(handsRowsOn(table)).toBe(true)
})

/** Whether a constant of a module has rows that it imports as data. */
const handsRowsOn = (code: string): boolean => {
  const imports = [...code.matchAll(/import \{ ([^}]*) \} from "[^"]*\?data"/g)]
  const names = imports.flatMap(([, list = '']) => list.split(', ').map((one) => one.split(' as ').at(-1)))
  const tables = [...code.matchAll(/^export const \w+[^=]*= \{[\s\S]*?^\}/gm)].map(([text]) => text)
  return tables.some((text) => names.some((name) => new RegExp(`: ${name}\\.\\w+,`).test(text)))
}
