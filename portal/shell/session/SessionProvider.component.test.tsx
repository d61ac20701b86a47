import { render } from '@testing-library/react'
import i18next from 'i18next'
import { expect, test } from 'vitest'
import { startWords } from '#portal/app/i18n/i18n.ts'
import type { SessionStore } from '#portal/app/session/session.ts'
import { SessionProvider } from './SessionProvider.tsx'

test('the page is in the language of a user who was loaded before it was rendered', async () => {
  await startWords('en')
  // Cast: the provider asks a session for its user alone.
  const session = {
    state: () => ({ me: { id: 'one', language: 'de' } }),
    subscribe: () => () => {},
  } as unknown as SessionStore
  render(<SessionProvider session={session}>page</SessionProvider>)
  await expect.poll(() => i18next.language, { timeout: 10_000 }).toBe('de')
})
