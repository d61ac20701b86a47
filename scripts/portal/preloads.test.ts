import { expect, test } from 'vitest'
import { filesOfEntry } from './preloads.ts'

test('the page loads the entry with all its imports, and their stylesheets', () => {
  const sheet = (name: string) => ({ importedCss: new Set([name]) })
  const bundle = {
    'index.js': { type: 'chunk', isEntry: true, imports: ['base.js'], viteMetadata: sheet('index.css') },
    'base.js': { type: 'chunk', imports: ['index.js'], viteMetadata: sheet('base.css') },
    'screen.js': { type: 'chunk', imports: ['base.js'], viteMetadata: sheet('screen.css') },
    'logo.svg': { type: 'asset' },
  }
  expect([...filesOfEntry(bundle)].sort()).toEqual(['base.css', 'base.js', 'index.css', 'index.js'])
})
