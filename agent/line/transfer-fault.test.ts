import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { transferFaults } from './transfer-fault.ts'

const root = join(import.meta.dirname, '../..')

test.each(['de', 'en', 'es', 'fr', 'it', 'pt'])(
  'the portal says each fault of a transfer in its own words (%s)',
  (language) => {
    const { fault } = JSON.parse(readFileSync(join(root, `language/${language}/machines/agent-set-up.json`), 'utf8'))
    expect(Object.keys(fault).toSorted()).toEqual([...Object.keys(transferFaults), 'port'].toSorted())
  },
)
