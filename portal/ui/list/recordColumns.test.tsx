import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ListColumns } from '#contract/frame/list-columns.ts'
import type { Say } from './listProps.ts'
import { recordColumns } from './recordColumns.tsx'

interface Row {
  id: string
  name: string
  clientName: string | null
  pieces: number | null
  level: number
  by: string | null
  kind: string
  opensOn: string | null
}

const columns = {
  name: { kind: 'text', heading: 'row:field.name' },
  client: { kind: 'text', heading: 'row:field.client', field: 'clientName', ord: 'clientName' },
  pieces: { kind: 'number', heading: 'row:field.pieces' },
  level: { kind: 'number', unit: 'percent', heading: 'row:field.level' },
  by: { kind: 'person', heading: 'row:field.by' },
  kind: { kind: 'word', of: 'roundStatus', heading: 'row:field.kind' },
  opensOn: { kind: 'day', heading: 'row:field.opensOn' },
  acts: { kind: 'own', heading: 'row:acts' },
  id: { kind: 'plain', heading: 'row:field.id', only: 'file' },
} as const satisfies ListColumns

const say = {
  t: (key: string, { defaultValue }: { defaultValue?: string } = {}) =>
    key.endsWith('.unknown') ? defaultValue : `<${key}>`,
  format: { number: (value: number) => value.toFixed(1), day: (day: string) => `day ${day}`, locale: 'en' },
} as unknown as Say

const row: Row = {
  id: '1',
  name: 'Lobby',
  clientName: 'Aurora',
  pieces: 3,
  level: 40,
  by: null,
  kind: 'planned',
  opensOn: '2026-05-01',
}
const columnsWith = (looks: Parameters<typeof recordColumns<Row>>[2] = {}) => {
  const all = recordColumns<Row>(columns, ['name', 'clientName', 'level'], looks)(say)
  return {
    all,
    of: (id: string) => {
      const match = all.find((column) => column.id === id)
      if (!match) throw new Error(`No column ${id}`)
      return match
    },
    textOf: (id: string, item: Row = row) => {
      const cell = all.find((column) => column.id === id)?.cell(item)
      return renderToStaticMarkup(<>{cell}</>)
    },
  }
}

test('headings, order keys and formats come from the contract', () => {
  const { all, of, textOf } = columnsWith()
  expect(all.map(({ id }) => id)).toEqual(['name', 'client', 'pieces', 'level', 'by', 'kind', 'opensOn', 'acts'])
  expect(of('client')).toMatchObject({ name: '<row:field.client>', sort: 'clientName' })
  expect([of('name').sort, of('pieces').sort]).toEqual([true, false])
  expect(textOf('client')).toBe('Aurora')
  expect(textOf('pieces')).toBe('3.0')
  expect(textOf('opensOn')).toBe('day 2026-05-01')
  expect(of('level')).toMatchObject({ align: 'end', unit: 'percent' })
  expect(of('level').number?.(row)).toBe(40)
})

test('a number that is not known is a dash, and a user without a name is the provider', () => {
  const { textOf } = columnsWith()
  expect(textOf('pieces', { ...row, pieces: null })).toBe('–')
  expect(textOf('by')).toBe('&lt;ui:provider&gt;')
  expect(textOf('by', { ...row, by: 'Anna' })).toBe('Anna')
})

test('a code is shown by its word, and a code without one unchanged', () => {
  const { textOf } = columnsWith()
  expect(textOf('kind')).toBe('&lt;round:status.planned&gt;')
  expect(textOf('kind', { ...row, kind: 'unknown' })).toBe('unknown')
})

test('the first column is the row’s name, unless the screen names another', () => {
  expect(columnsWith().of('name')).toMatchObject({ isFixed: true, card: 'title' })
  const { of } = columnsWith({ title: 'client' })
  expect(of('name').isFixed).toBeUndefined()
  expect(of('client').label?.(row)).toBe('Aurora')
})

test('a screen hides, leaves out and places columns, and gives cells of its own', () => {
  const { all, of, textOf } = columnsWith({
    hidden: ['pieces'],
    lines: ['client'],
    aside: 'level',
    offCards: ['kind'],
    without: ['by'],
    looks: { acts: { cell: () => 'press' }, level: { cell: ({ level }) => `${level} of 100` } },
  })
  expect(all.some(({ id }) => id === 'by')).toBe(false)
  expect(of('pieces')).toMatchObject({ isHidden: true, card: 'none' })
  expect([of('client').card, of('level').card, of('kind').card]).toEqual(['line', 'aside', 'none'])
  expect([textOf('acts'), textOf('level')]).toEqual(['press', '40 of 100'])
})

test('a state without a look of its own does not go unnoticed', () => {
  const states = {
    state: { kind: 'status', of: 'roundStatus', heading: 'row:field.state' },
  } as const satisfies ListColumns
  expect(() => recordColumns(states, [])(say)).toThrow('roundStatus')
  const looks = { planned: { tone: 'mute', mark: 'ring', word: 'round:status.planned' } } as const
  expect(recordColumns(states, [], { statuses: { roundStatus: looks } })(say)).toMatchObject([{ card: 'title' }])
})
