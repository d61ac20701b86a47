import { expect, test } from 'vitest'
import { summaryOf, withoutValues } from './statement-text.ts'

test('the text of a statement has none of its values', () => {
  const text = withoutValues(`select name, 'it''s Anna' as a, 12.5 -- Anna's
    from users /* anna@example.com */ where "e'mail" = 'anna@example.com' and level2 > 3 and id = $17`)
  expect(text).toBe(`select name, $ as a, $ from users where "e'mail" = $ and level2 > $ and id = $`)
})

test('statements that differ in their values, or in how many there are, have one text', () => {
  const texts = [
    'insert into a (x, y) values ($1, $2)',
    'insert into a (x, y)\n values ($1, $2), ($3, $4), ($5, $6)',
    `insert into a (x, y) values (1, 'two'), (3, 'four')`,
  ].map(withoutValues)
  expect([...new Set(texts)]).toEqual(['insert into a (x, y) values ($, …)'])
  expect(withoutValues('select 1 where x in ($1, $2, $3)')).toBe(withoutValues('select 2 where x in ($1, $2)'))
})

test.each([
  ['select "a" from "machines" where x', 'select machines'],
  ['with s as (select 1 from b) update c set x = $', 'select b'],
  ['insert into remote_commands (a) values ($)', 'insert remote_commands'],
  ['begin; set local application_name = $', 'begin'],
  ['vacuum', 'statement'],
])('%s is shown as %s', (text, summary) => {
  expect(summaryOf(text)).toBe(summary)
})
