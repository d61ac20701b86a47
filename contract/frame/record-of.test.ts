import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../endpoints.ts'
import { capital, recordNouns } from '../vocabulary/record-nouns.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { recordOf } from './record-of.ts'
import { Day, LineText } from './shapes.ts'

const NewStand = z.strictObject({
  name: LineText.trim().min(1).max(5),
  opensOn: Day.nullable().default(null),
  country: z
    .string()
    .length(2)
    .toUpperCase()
    .pipe(z.enum(['IT', 'ES'])),
  places: z.array(z.int().min(1)).min(1),
  ownerId: z.uuid(),
})
const Stand = recordOf(NewStand, { machines: z.int() }, { country: z.string() })

const stored = {
  id: '0190d2a1-0000-7000-8000-000000000001',
  version: 1,
  merchantId: '0190d2a1-0000-7000-8000-000000000002',
  merchantName: 'Baristello',
  timeZone: 'Europe/Rome',
  createdAt: '2026-11-27T16:00:00.000',
  name: 'Longer than the form allows',
  opensOn: null,
  country: 'XX',
  places: [],
  ownerId: '0190d2a1-0000-7000-8000-000000000003',
  machines: 3,
}

test('a record has the fields of its form, and its own facts', () => {
  expectTypeOf<z.output<typeof Stand>>().toEqualTypeOf<{
    id: string
    version: number
    merchantId: string
    merchantName: string
    timeZone: string
    createdAt: string
    name: string
    opensOn: string | null
    places: number[]
    ownerId: string
    country: string
    machines: number
  }>()
  expect(Stand.parse(stored)).toEqual(stored)
})

test('a record is read whatever the rules of its form say, and of the kinds that the form says', () => {
  expect(NewStand.safeParse(stored).success).toBe(false)
  expect(Stand.safeParse(stored).success).toBe(true)
  for (const wrong of [{ name: 3 }, { opensOn: 'today' }, { places: [1.5] }, { ownerId: 'me' }, { machines: 'many' }])
    expect(Stand.safeParse({ ...stored, ...wrong }).success, JSON.stringify(wrong)).toBe(false)
})

test('no field of the form may be left out', () => {
  for (const field of Object.keys(NewStand.shape)) {
    const { [field as 'name']: _, ...others } = stored
    expect(Stand.safeParse(others).success, field).toBe(false)
  }
})

test('a fact of its own is no field of the form, and what is read otherwise is one', () => {
  // @ts-expect-error A field of the form is not said again.
  recordOf(NewStand, { name: z.string() })
  // @ts-expect-error Every record has an id.
  recordOf(NewStand, { id: z.string() })
  // @ts-expect-error The form has no such field.
  recordOf(NewStand, {}, { city: z.string() })
})

/** What an edit takes that is no field of the record: machines that join and leave a group. */
const acts = ['addedPosIds', 'removedPosIds']

const fieldsOf = (schema: unknown) => Object.keys((schema as z.ZodObject | undefined)?.shape ?? {})

test.each(recordNouns)('a %s answers every field that an edit may write', (noun) => {
  const rows = endpoints as unknown as Readonly<Record<string, AnyEndpoint>>
  const written = fieldsOf(rows[`update${capital(noun)}`]?.body)
  const created = fieldsOf(rows[`create${capital(noun)}`]?.body)
  const read = fieldsOf(rows[`get${capital(noun)}`]?.ok)
  expect(written).toContain('version')
  expect(read).toEqual(expect.arrayContaining(written.filter((field) => !acts.includes(field))))
  expect(read).toEqual(expect.arrayContaining(created))
})
