import { expect, test } from 'vitest'
import type { Role } from '#contract/vocabulary/roles.ts'
import type { Screen } from '#portal/app/screen.ts'
import { menuGroups, screens as table } from '#portal/screens.ts'
import { ancestorsOf, firstPlace, maySee, menuOf, placeOf } from './menu.ts'
import { screenIcons } from './screenIcons.tsx'

const screen = (path: Screen['path'], rest: Partial<Screen> = {}): Screen => ({
  path,
  needs: 'machine.read',
  load: async () => ({ default: () => null }),
  label: path,
  words: [],
  menu: {},
  ...rest,
})
const as = (role: Role) => ({ role, mayLicense: false })
const none = { features: new Set<never>(), families: new Set<never>() }
const pathsOf = (role: Role, screens: Screen[], mayLicense = false) =>
  menuOf([{ screens }], { role, mayLicense }, none).flatMap((group) => group.screens.map(({ path }) => path))

test('each screen of the menu has its icon, and no icon is of another screen', () => {
  const labels = [...new Set(table.filter(({ menu }) => menu).map(({ label }) => label))]
  expect(labels.length).toBeGreaterThan(50)
  expect(Object.keys(screenIcons).toSorted()).toEqual(labels.toSorted())
})

test('a role sees the screens of its permissions and no others', () => {
  const screens = [screen('/devices/list'), screen('/demo', { needs: 'demo.control' })]
  expect(pathsOf('superAdmin', screens)).toEqual(['/devices/list', '/demo'])
  expect(pathsOf('merchantUser', screens)).toEqual(['/devices/list'])
})

test('the service manager is for users with the provider’s permission', () => {
  const screens = [screen('/service-manager', { needs: 'license.write' })]
  expect(pathsOf('merchantAdmin', screens)).toEqual([])
  expect(pathsOf('merchantAdmin', screens, true)).toEqual(['/service-manager'])
})

test('groups without a screen that the user may see are left out', () => {
  const groups = [
    { name: 'machines', screens: [screen('/devices/list')] },
    { name: 'platform', screens: [screen('/demo', { needs: 'demo.control' })] },
  ]
  expect(menuOf(groups, as('merchantUser'), none).map(({ name }) => name)).toEqual(['machines'])
  expect(menuOf(groups, as('superAdmin'), none).map(({ name }) => name)).toEqual(['machines', 'platform'])
})

test('the menu has eight groups and the provider’s; each screen with an entry is in one of them', () => {
  expect(menuGroups.map(({ name }) => name)).toEqual([
    'today',
    'machines',
    'rounds',
    'money',
    'reports',
    'customers',
    'catalogue',
    'organisation',
    'platform',
  ])
  const paths = menuGroups.flatMap((group) => group.screens.map(({ path }) => path)).toSorted()
  expect(paths.length).toBeGreaterThan(45)
  expect(paths).toEqual(
    table
      .filter(({ menu }) => menu)
      .map(({ path }) => path)
      .toSorted(),
  )
})

test('no two screens are reached by the same key', () => {
  const keys = table.flatMap(({ menu }) => menu?.key ?? [])
  expect(keys.length).toBeGreaterThan(10)
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
})

test('an unset feature is off', () => {
  const stock = screen('/devices/manage-stock', { feature: 'productStock' })
  expect(maySee(stock, as('superAdmin'), none)).toBe(false)
  expect(maySee(stock, as('superAdmin'), { ...none, features: new Set(['productStock'] as const) })).toBe(true)
})

test('a screen of a product family is shown for merchants that have it', () => {
  const recycler = screen('/service-manager', { family: 'cashlogy' })
  expect(maySee(recycler, as('superAdmin'), none)).toBe(false)
  expect(maySee(recycler, as('superAdmin'), { ...none, families: new Set(['gettone'] as const) })).toBe(false)
  expect(maySee(recycler, as('superAdmin'), { ...none, families: new Set(['cashlogy'] as const) })).toBe(true)
})

test('a feature does not grant access that the role lacks', () => {
  const screens = [screen('/devices/vp', { needs: 'remoteCommand.write', feature: 'remoteConfigurations' })]
  const able = { ...none, features: new Set(['remoteConfigurations'] as const) }
  expect(menuOf([{ screens }], as('merchantUser'), able)).toEqual([])
  expect(menuOf([{ screens }], as('groupAdmin'), able)).toHaveLength(1)
})

test('breadcrumbs follow parents, and a tab is below its page', () => {
  const screens = [
    screen('/devices/list'),
    screen('/devices/$posId', { parent: '/devices/list' }),
    screen('/devices/$posId/alarms', { tabOf: '/devices/$posId' }),
  ]
  expect(ancestorsOf(screens, screens[2] as Screen).map((one) => one.path)).toEqual([
    '/devices/list',
    '/devices/$posId',
  ])
})

test("switching the merchant on a machine's page opens the list", () => {
  const screens = [
    screen('/devices/list'),
    screen('/devices/$posId', { parent: '/devices/list' }),
    screen('/devices/$posId/alarms', { tabOf: '/devices/$posId' }),
  ]
  expect(screens.map((one) => placeOf(screens, one))).toEqual(['/devices/list', '/devices/list', '/devices/list'])
})

test('a redirecting address leads to the first target that the role may see', () => {
  const rows = [screen('/manage/groups', { needs: 'group.write' }), screen('/manage/clients', { needs: 'group.read' })]
  const places = ['/manage/groups', '/manage/clients']
  expect(firstPlace(rows, places, as('groupAdmin'))).toBe('/manage/groups')
  expect(firstPlace(rows, places, as('merchantUser'))).toBe('/manage/clients')
  expect(firstPlace(rows, ['/manage/users'], as('merchantUser'))).toBe('/dashboard')
  expect(firstPlace(rows, places, undefined)).toBe('/dashboard')
})
