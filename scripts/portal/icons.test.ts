import { expect, test } from 'vitest'
import { withOwnFiles } from './icons.ts'

test('each icon is imported from its own file, under its local name; types and other exports stay out of the files', () => {
  const code =
    "import { IconX, IconKey as Key, createReactComponent, type TablerIcon } from '@tabler/icons-react'\nconst x = 1"
  const made = withOwnFiles('a.tsx', code)
  expect(made).toMatch(/^import IconX from ".*\/icons\/IconX\.mjs"; import Key from ".*\/icons\/IconKey\.mjs"; /)
  expect(made).toContain(
    "import { createReactComponent as createReactComponent } from '@tabler/icons-react';\nconst x = 1",
  )
  expect(made).not.toContain('TablerIcon')
})
