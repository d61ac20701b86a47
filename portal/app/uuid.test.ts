import { expect, test } from 'vitest'
import { z } from 'zod'
import { newId } from './uuid.ts'

test('ids are of version 7, differ, and sort by their time', () => {
  const ids = [newId(0), newId(1_700_000_000_000), newId(1_700_000_000_001), newId()]
  for (const id of ids) expect(z.uuidv7().safeParse(id).success, id).toBe(true)
  expect([...ids].sort()).toEqual(ids)
  expect(newId(1)).not.toBe(newId(1))
  expect(Number.parseInt((ids[1] as string).replaceAll('-', '').slice(0, 12), 16)).toBe(1_700_000_000_000)
})
