import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AuditFileRow } from '#contract/audits/audit-file.ts'
import { show } from '#testkit/component/show.tsx'
import AuditFilesScreen from './AuditFilesScreen.tsx'

const words = ['audit-file', 'audit-warning', 'reconciliation', 'assigned', 'vocabulary', 'errors']
const machine = { posId: '01990000-0000-7000-8000-000000000009', name: 'Bar Roma', serial: 'VN-1' }
const base: AuditFileRow = {
  name: 'a.dex',
  outcome: 'new',
  fault: null,
  machine,
  foundBy: 'file',
  names: ['VN-1'],
  readAt: '2026-11-21T08:00:00.000',
  isDated: true,
  kind: 'counted',
  crc: 'holds',
  currency: 'EUR',
  salesTotal: 1500,
  vendsTotal: 10,
  selections: 4,
  unread: { lines: [], total: 0 },
  warnings: [],
  warningsTotal: 0,
}
const nothing = {
  machine: null,
  foundBy: null,
  readAt: null,
  kind: null,
  currency: null,
  salesTotal: null,
  vendsTotal: null,
}
const unclear: AuditFileRow = { ...base, ...nothing, name: 'b.dex', outcome: 'unclear', names: ['ASSET-7'] }
const table: AuditFileRow = {
  ...base,
  ...nothing,
  name: 'c.csv',
  outcome: 'refused',
  fault: 'table',
  names: [],
  crc: null,
}
const odd: AuditFileRow = {
  ...base,
  name: 'd.dex',
  unread: { lines: [{ line: 4, text: 'XX9*maker', isBlock: true }], total: 1 },
}

interface Sent {
  path: string
  files: { name: string; serial?: string }[]
}
const sent: Sent[] = []
beforeEach(() => {
  sent.length = 0
  vi.stubGlobal('fetch', async (address: string | URL | Request, init?: RequestInit) => {
    const request = address instanceof Request ? address : new Request(new URL(String(address), location.href), init)
    const { pathname } = new URL(request.url)
    if (request.method === 'GET' && !pathname.endsWith('/pos/paged')) return Response.error()
    if (request.method === 'GET')
      return new Response(
        JSON.stringify({ items: [{ id: machine.posId, ...machine, serial: 'VN-7' }], total: 1, capped: false }),
      )
    const { files } = (await request.json()) as { files: Sent['files'] }
    sent.push({ path: pathname.replace(/.*audit-files/, ''), files })
    const rows: AuditFileRow[] = [base, unclear, table, odd].map((row, at) =>
      files[at]?.serial ? { ...row, outcome: 'new', machine, foundBy: 'sender' } : row,
    )
    return new Response(JSON.stringify({ files: rows.slice(0, files.length) }))
  })
})
afterEach(() => vi.unstubAllGlobals())

const file = (name: string) => new File(['DXS*1'], name)
async function withFiles() {
  const user = await show(<AuditFilesScreen />, words)
  await screen.findByRole('button', { name: 'Choose files' })
  const input = document.querySelector('input[type=file]') as HTMLInputElement
  await user.upload(input, [file('a.dex'), file('b.dex'), file('c.dex'), file('d.dex')])
  await screen.findByRole('button', { name: 'Store 2 audits' })
  return user
}
const rowOf = (name: string) => screen.getByText(name).closest('tr') as HTMLTableRowElement

test('the preview says what is understood of each file, and what is not', async () => {
  await withFiles()
  expect(sent.map(({ path, files }) => [path, files.length])).toEqual([['/preview', 4]])
  expect(rowOf('a.dex').textContent).toMatch(/10 vends.*15.*4 selections · No reset.*Everything understood/)
  expect(rowOf('b.dex').textContent).toContain('Names in the file: ASSET-7')
  expect(rowOf('c.csv').textContent).toContain('A table, not an audit.')
  expect(rowOf('d.dex').textContent).toContain('1 line not understood:XX9*maker')
  expect(screen.getByText('2 files are left out.')).toBeTruthy()
})

test('a machine that is chosen is sent with its file, and storing shows the outcome of each', async () => {
  const user = await withFiles()
  await user.click(within(rowOf('b.dex')).getByRole('combobox'))
  await user.click(await screen.findByRole('option', { name: /VN-7/ }))
  await user.click(await screen.findByRole('button', { name: 'Store 3 audits' }))
  await waitFor(() => expect(rowOf('b.dex').textContent).toContain('Stored'))
  expect(sent.map(({ path, files }) => [path, files[1]?.serial])).toEqual([
    ['/preview', undefined],
    ['/preview', 'VN-7'],
    ['', 'VN-7'],
  ])
  expect(screen.queryByRole('button', { name: /^Store/ })).toBeNull()
})

test('more files than a call takes are not sent', async () => {
  const user = await show(<AuditFilesScreen />, words)
  await screen.findByRole('button', { name: 'Choose files' })
  const input = document.querySelector('input[type=file]') as HTMLInputElement
  await user.upload(
    input,
    Array.from({ length: 101 }, (_, at) => file(`${at}.dex`)),
  )
  expect((await screen.findByRole('alert')).textContent).toBe('More than 100 files.')
  expect(sent).toEqual([])
})
