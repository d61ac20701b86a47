import { expect, test } from 'vitest'
import { openTab } from './openTab.ts'

const tabs = ['/m/$id', '/m/$id/audits', '/m/$id/audits/days', '/m/$id/notes'].map((to) => ({ to }))

test('a page belongs to the tab with the longest matching address', () => {
  expect(openTab(tabs, '/m/$id/audits')?.to).toBe('/m/$id/audits')
  expect(openTab(tabs, '/m/$id/audits/days')?.to).toBe('/m/$id/audits/days')
  expect(openTab(tabs, '/m/$id/notes/create')?.to).toBe('/m/$id/notes')
  expect(openTab(tabs, '/m/$id/')?.to).toBe('/m/$id')
})

test('a page without a tab opens none', () => {
  expect(openTab(tabs, '/m/$id/notebook')).toBeUndefined()
})
