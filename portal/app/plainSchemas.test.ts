import { expect, test } from 'vitest'

test('zod generates no source code for checks, though it loads later than its configuration', async () => {
  await import('./plainSchemas.ts')
  const { z } = await import('zod')
  expect(z.config().jitless).toBe(true)
})
