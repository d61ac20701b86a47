import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { type Me, type MerchantFacts, users } from '#contract/people/user.ts'
import { features, productFamilies } from '#contract/vocabulary/feature.ts'
import { queryOf } from '#portal/app/api.ts'
import { loadWords, startWords } from '#portal/app/i18n/i18n.ts'
import type { SessionStore } from '#portal/app/session/session.ts'
import { SessionContext } from '#portal/app/session/useSession.ts'
import { theme } from '#portal/app/theme/theme.ts'
import { MerchantProvider } from '#portal/shell/MerchantProvider.tsx'

/** The merchant of the shown part. */
export const merchant: MerchantFacts = {
  id: '01990000-0000-7000-8000-000000000001',
  name: 'Caffè Aurora',
  country: 'IT',
  language: 'it',
  timeZone: 'Europe/Rome',
  currency: 'EUR',
  isDemo: false,
  demoExpiresOn: null,
  demoDaysLeft: null,
  closedBy: null,
  features: [...features],
  productFamilies: [...productFamilies],
  screenConfigurationManagement: true,
}
const me: Me = {
  id: '01990000-0000-7000-8000-000000000002',
  version: 1,
  email: 'anna@gettone.test',
  name: 'Anna',
  role: 'merchantAdmin',
  language: 'en',
  mayLicense: false,
}
const state = { me }
const session = { subscribe: () => () => undefined, state: () => state } as unknown as SessionStore

/**
 * Shows a part of the portal in English to a merchant admin, without server and browser; API calls fail. `words` are
 * the features whose sentences the part uses; `answers` of the server that it has already. Returns a user who types and clicks.
 */
export async function show(
  part: ReactElement,
  words: readonly string[],
  answers: readonly { query: { queryKey: readonly unknown[] }; is: unknown }[] = [],
) {
  await startWords('en')
  await loadWords(['shell', 'ui', 'form', ...words])
  const staleTime = answers.length > 0 ? Number.POSITIVE_INFINITY : 0
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime } } })
  client.setQueryData(queryOf(users.listMyMerchants).queryKey, [merchant])
  for (const { query, is } of answers) client.setQueryData(query.queryKey, is)
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <MerchantProvider waiting={null}>{part}</MerchantProvider> }),
    history: createMemoryHistory(),
  })
  await router.load()
  render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={client}>
        <SessionContext value={session}>
          <RouterProvider router={router as never} />
        </SessionContext>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return userEvent.setup()
}
