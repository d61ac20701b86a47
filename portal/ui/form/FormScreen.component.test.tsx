import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { show } from '#testkit/component/show.tsx'
import { FormScreen } from './FormScreen.tsx'
import { PasswordField } from './fields/PasswordField.tsx'
import { TextField } from './fields/TextField.tsx'
import type { EditedRecord } from './useEditing.ts'
import { useSchemaForm } from './useSchemaForm.ts'

const Fields = z.object({ name: z.string().min(1), city: z.string(), code: z.string() })
type Fields = z.infer<typeof Fields>
const save = vi.fn(async (values: Fields, version: number) => ({ values, version: version + 1 }))

function Form({ record }: { record?: EditedRecord<Fields> }) {
  const form = useSchemaForm<Fields>(Fields, record?.values ?? { name: '', city: '', code: '' })
  return (
    <FormScreen form={form} save={save} {...(record && { record })} isSaving={false}>
      <TextField form={form} name="name" label="Name" />
      <TextField form={form} name="city" label="City" />
      <PasswordField form={form} name="code" label="Code" />
    </FormScreen>
  )
}
const aRecord = (version: number, name: string): EditedRecord<Fields> => ({
  version,
  values: { name, city: 'Rome', code: '' },
  read: (saved) => saved as { version: number; values: Fields },
  names: { name: 'Name', city: 'City', code: 'Code' },
})

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const stored = () => JSON.stringify(Object.values({ ...sessionStorage }))

async function aForm(record?: EditedRecord<Fields>) {
  const user = await show(<Form {...(record && { record })} />, ['editing'])
  await screen.findByLabelText('Name')
  return user
}

/** The tab after a sign-in: what the form had kept is still there. */
async function afterSignIn(storage: Record<string, string>, record?: EditedRecord<Fields>) {
  cleanup()
  for (const [key, text] of Object.entries(storage)) sessionStorage.setItem(key, text)
  return aForm(record)
}
afterEach(() => {
  cleanup()
  sessionStorage.clear()
  save.mockClear()
})

test('typed text is kept without the secret, is there after the sign-in with a sentence, and can be discarded', async () => {
  const user = await aForm()
  await user.type(field('Name'), 'Caffè Duomo')
  await user.type(field('Code'), 'Secret-1')
  await waitFor(() => expect(stored()).toContain('Caffè Duomo'))
  expect(stored()).not.toContain('Secret')
  const storage = { ...sessionStorage }

  const again = await afterSignIn(storage)
  await screen.findByText(/what you typed before you signed in again/)
  expect(field('Name').value).toBe('Caffè Duomo')
  expect(field('Code').value).toBe('')
  await again.click(screen.getByRole('button', { name: 'Discard' }))
  expect(field('Name').value).toBe('')
  await waitFor(() => expect(stored()).toBe('[]'))
})

test('a form that is saved or left keeps nothing', async () => {
  const user = await aForm()
  await user.type(field('Name'), 'Bar')
  await waitFor(() => expect(stored()).toContain('Bar'))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(stored()).toBe('[]'))
  await user.type(field('Name'), ' Sole')
  await waitFor(() => expect(stored()).toContain('Sole'))
  cleanup()
  expect(stored()).toBe('[]')
})

test('restored text is saved on the version it was typed on, so that no other change is overwritten', async () => {
  const user = await aForm(aRecord(3, 'Bar'))
  await user.type(field('Name'), ' Sole')
  await waitFor(() => expect(stored()).toContain('Sole'))
  const storage = { ...sessionStorage }

  const again = await afterSignIn(storage, aRecord(5, 'Bar'))
  await waitFor(() => expect(field('Name').value).toBe('Bar Sole'))
  await again.click(screen.getByRole('button', { name: 'Save' }))
  expect(save).toHaveBeenCalledWith({ name: 'Bar Sole', city: 'Rome', code: '' }, 3)
})
