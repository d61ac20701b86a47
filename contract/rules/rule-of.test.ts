import { expect, test } from 'vitest'
import { z } from 'zod'
import { ruleOf, valueAt } from './rule-of.ts'

const broken = (schema: z.ZodType, values: unknown) =>
  Object.fromEntries(
    (schema.safeParse(values).error?.issues ?? []).map((issue) => [
      issue.path.join('.'),
      ruleOf(issue, valueAt(values, issue.path)).key,
    ]),
  )

test('a missing field is required, for any type', () => {
  const schema = z.strictObject({
    name: z.string().trim().min(1),
    amount: z.number(),
    kind: z.enum(['a', 'b']),
    mail: z.email(),
  })
  expect(broken(schema, { name: '', amount: undefined, kind: undefined, mail: '' })).toEqual({
    name: 'rule.required',
    amount: 'rule.required',
    kind: 'rule.required',
    mail: 'rule.required',
  })
})

test('numbers have their bounds', () => {
  const schema = z.strictObject({
    a: z.int().positive(),
    b: z.number().min(0),
    c: z.number().min(5),
    d: z.number().max(9),
    e: z.int(),
  })
  expect(broken(schema, { a: 0, b: -1, c: 4, d: 10, e: 1.5 })).toEqual({
    a: 'rule.greaterThanZero',
    b: 'rule.minimumZero',
    c: 'rule.minimum',
    d: 'rule.maximum',
    e: 'rule.whole',
  })
})

test('texts have lengths and formats, and a rule of the contract has its own sentence', () => {
  const pin = z.string().refine((text) => /^\d{8}$/.test(text), { message: 'rule.pin' })
  const schema = z.strictObject({
    short: z.string().min(3),
    long: z.string().max(3),
    mail: z.email(),
    site: z.url(),
    pin,
  })
  expect(broken(schema, { short: 'ab', long: 'abcd', mail: 'x', site: 'x', pin: '12' })).toEqual({
    short: 'rule.minLength',
    long: 'rule.maxLength',
    mail: 'rule.email',
    site: 'rule.url',
    pin: 'rule.pin',
  })
})
