import { expect, test } from 'vitest'
import { filesOf } from './preloads.ts'

test('a chunk loads with all its imports, and their stylesheets', () => {
  const sheet = (name: string) => ({ importedCss: new Set([name]) })
  const bundle = {
    'index.js': { type: 'chunk', name: 'frame', imports: ['base.js'], viteMetadata: sheet('index.css') },
    'base.js': { type: 'chunk', imports: ['index.js'], viteMetadata: sheet('base.css') },
    'screen.js': { type: 'chunk', imports: ['base.js'], viteMetadata: sheet('screen.css') },
    'logo.svg': { type: 'asset' },
  }
  expect([...filesOf(bundle, ['frame'])].sort()).toEqual(['base.css', 'base.js', 'index.css', 'index.js'])
})
