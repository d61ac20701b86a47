import { expect, test } from 'vitest'
import { layoutOnly, mostLines, replaceable, screenSources, styleSheets } from './hand-css.ts'
import { parseText } from './sources.ts'

test(`style sheets have at most ${mostLines} lines: parts carry layout and type`, () => {
  const sheets = styleSheets()
  expect(sheets.length).toBeGreaterThan(50)
  const lines = sheets.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
  expect(lines, 'docs/areas/portal.md says how a screen is laid out').toBeLessThanOrEqual(mostLines)
})

test('no class of a plain element says only what a part says with props', () => {
  expect(replaceable(styleSheets(), screenSources())).toEqual([])
})

test('the check sees such a class, and no class with a look, a state or another shape on phones', () => {
  const css = `
    /* A column. */
    .page { display: grid; gap: 14px; }
    .card { padding: 8px; border: 1px solid var(--line); }
    .name { color: var(--ink-2); }
    .name:hover { color: var(--ink); }
    .row { display: flex; }
    .cell, .fine { font-size: 12px; }
    .cell { color: var(--ink-2); }
    @media print { .row { display: block; } .alone { margin: 0; } }
  `
  expect(layoutOnly(css)).toEqual(['page'])
  const screen = (element: string) =>
    parseText(
      'portal/features/a/Screen.tsx',
      `import classes from './Screen.module.css'\nexport const Screen = () => ${element}`,
    )
  const sheet = { path: 'portal/features/a/Screen.module.css', text: css }
  expect(replaceable([sheet], [screen('<div className={classes.page} />')])).toEqual([`${sheet.path} .page`])
  expect(replaceable([sheet], [screen('<Link className={classes.page} />')])).toEqual([])
  expect(replaceable([sheet], [screen('<p><b className={classes.page} /><i className={classes.page} /></p>')])).toEqual(
    [],
  )
})
