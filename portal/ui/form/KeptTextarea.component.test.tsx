import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { show } from '#testkit/component/show.tsx'
import { KeptTextarea } from './KeptTextarea.tsx'

afterEach(() => {
  cleanup()
  sessionStorage.clear()
})

test('the text of a dialog is back after the sign-in, for its reader too', async () => {
  const user = await show(<KeptTextarea name="close note" label="Note" />, ['ui'])
  await user.type(await screen.findByLabelText('Note'), 'Refunded by hand')
  await waitFor(() => expect(JSON.stringify({ ...sessionStorage })).toContain('Refunded by hand'))
  const storage = { ...sessionStorage }

  cleanup()
  for (const [key, text] of Object.entries(storage)) sessionStorage.setItem(key, text)
  let lastText = ''
  await show(<KeptTextarea name="close note" label="Note" onText={(text) => (lastText = text)} />, ['ui'])
  expect(((await screen.findByLabelText('Note')) as HTMLTextAreaElement).value).toBe('Refunded by hand')
  expect(lastText).toBe('Refunded by hand')
})
