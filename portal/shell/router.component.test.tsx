import { createMemoryHistory } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { screens } from '#portal/screens.ts'
import { router } from './router.tsx'

/* Addresses with an id that nothing can have. */

const session = { me: { role: 'superAdmin', mayLicense: true }, status: 'succeeded', isUnauthorized: false }

/** The outcome of an address: where it leads, and whether its page says that nothing is there. */
async function opened(address: string) {
  const history = createMemoryHistory({ initialEntries: [address] })
  router.update({ ...router.options, history, context: { session, isDevelopment: false } } as never)
  await router.load()
  const { location, matches } = router.state
  return { path: location.pathname, isMissing: matches.some(({ status }) => status === 'notFound') }
}

const withId = screens.filter(({ path }) => path.includes('$') && !path.endsWith('/'))

test('the screens of all records are checked', () => {
  expect(withId.length).toBeGreaterThan(40)
})

test.each([
  '/manage/merchant-alarms-settings/a%20b',
  '/admin/troubleshooting-alarm/a%20b',
  '/transactions/webpayment-order-details/1',
])('%s stays, and says that nothing has this id', async (address) => {
  expect(await opened(address)).toEqual({ path: decodeURIComponent(address), isMissing: true })
})

test.each(withId.map(({ path }) => path))('a wrong id in %s is not found', async (path) => {
  const address = path.replace(/\$\w+/g, 'a%20b')
  expect(await opened(address)).toMatchObject({ isMissing: true })
})
