import { expect, test } from 'vitest'
import { screens } from '#portal/screens.ts'
import { openTab } from '#portal/ui/page/openTab.ts'
import { type MachinePage, machineTabs } from './machineTabs.ts'

const pages: readonly MachinePage[] = machineTabs.flatMap((tab): readonly MachinePage[] => tab.pages)
const screensOfMachine = screens.filter(({ tabOf }) => tabOf === '/devices/$posId')

test('a machine has at most eight groups of pages', () => {
  expect(machineTabs.length).toBeLessThanOrEqual(8)
})

test('every page of a machine belongs to a tab, and every tab leads to a page', () => {
  expect(screensOfMachine.filter(({ path }) => !openTab(pages, path)).map(({ path }) => path)).toEqual([])
  const paths = new Set(screensOfMachine.map(({ path }) => path.replace(/\/$/, '')))
  expect(pages.map(({ to }) => to).filter((to) => !paths.has(to))).toEqual([])
  expect(new Set(pages.map(({ to }) => to)).size).toBe(pages.length)
})

test('a tab requires the feature and the permission of its screen', () => {
  for (const { to, feature, needs } of pages) {
    const screen = screensOfMachine.find(({ path }) => path.replace(/\/$/, '') === to)
    expect({ to, feature }).toEqual({ to, feature: screen?.feature })
    if (needs) expect({ to, needs }).toEqual({ to, needs: screen?.needs })
  }
})
