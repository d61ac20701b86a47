import { beforeEach, expect, test, vi } from 'vitest'
import { offerUndo } from './undo.ts'

/** Just enough of a page: who listens, and what is open. */
let listener: (event: unknown) => void
let isDialogOpen = false
class Field {
  closest = () => this
}
class Body {
  closest = () => null
}
beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  isDialogOpen = false
  vi.stubGlobal('HTMLElement', Object)
  vi.stubGlobal('document', {
    addEventListener: (_: string, heard: typeof listener) => {
      listener = heard
    },
    querySelector: () => (isDialogOpen ? {} : null),
  })
  return () => vi.unstubAllGlobals()
})
const press = (target: unknown = new Body(), also: object = {}) =>
  listener({ key: 'z', ctrlKey: true, target, preventDefault: () => {}, ...also })
const anUndo = () => vi.fn(async () => {})

test('Ctrl+Z takes the last act back, once', () => {
  const [first, second] = [anUndo(), anUndo()]
  offerUndo(first)
  offerUndo(second)
  press()
  press()
  expect(second).toHaveBeenCalledOnce()
  expect(first).not.toHaveBeenCalled()
})

test('not after a minute, not in a field, not over a dialog, and not as a redo', () => {
  const undo = anUndo()
  offerUndo(undo)
  press(new Field())
  press(new Body(), { shiftKey: true })
  isDialogOpen = true
  press()
  isDialogOpen = false
  vi.setSystemTime(60_001)
  press()
  expect(undo).not.toHaveBeenCalled()
})

test('the button and the key take back the same act once', async () => {
  const undo = anUndo()
  const take = offerUndo(undo)
  await take()
  press()
  await take()
  expect(undo).toHaveBeenCalledOnce()
})
