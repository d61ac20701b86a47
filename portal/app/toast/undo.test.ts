import { beforeEach, expect, test, vi } from 'vitest'
import { offerUndo } from './undo.ts'

/** The minimum of a page: its listeners, and whether a dialog is open. */
let listener: (event: unknown) => void
let isDialogOpen = false
class Body {
  tagName = 'BODY'
  closest = (): unknown => null
}
const aField = (type: string) => Object.assign(new Body(), { tagName: 'INPUT', type })
const aCell = () => Object.assign(new Body(), { closest: (part: string) => part === '[role=grid]' })
beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  isDialogOpen = false
  vi.stubGlobal('HTMLElement', Object)
  vi.stubGlobal('document', {
    addEventListener: (_: string, callback: typeof listener) => {
      listener = callback
    },
    querySelector: () => (isDialogOpen ? {} : null),
  })
  return () => vi.unstubAllGlobals()
})
const press = (target: unknown = new Body(), more: object = {}) =>
  listener({ key: 'z', ctrlKey: true, target, preventDefault: () => {}, ...more })
const anUndo = () => vi.fn(async () => {})

test('Ctrl+Z undoes the last act, once', () => {
  const first = anUndo()
  const second = anUndo()
  offerUndo(first)
  offerUndo(second)
  press()
  press()
  expect(second).toHaveBeenCalledOnce()
  expect(first).not.toHaveBeenCalled()
})

test('Ctrl+Z does nothing after a minute, in a field or a grid, over a dialog, or with Shift', () => {
  const undo = anUndo()
  offerUndo(undo)
  press(aField('text'))
  press(aCell())
  press(new Body(), { shiftKey: true })
  isDialogOpen = true
  press()
  isDialogOpen = false
  vi.setSystemTime(60_001)
  press()
  expect(undo).not.toHaveBeenCalled()
})

test('undo works while the checkbox of a row has the focus', () => {
  const undo = anUndo()
  offerUndo(undo)
  press(aField('checkbox'))
  expect(undo).toHaveBeenCalledOnce()
})

test('the button and the key undo the same act once', async () => {
  const undo = anUndo()
  const take = offerUndo(undo)
  await take()
  press()
  await take()
  expect(undo).toHaveBeenCalledOnce()
})
