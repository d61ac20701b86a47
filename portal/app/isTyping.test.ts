import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isTyping } from './isTyping.ts'

class FakeElement {
  tagName = 'DIV'
  isContentEditable = false
}
const anElement = (changed: object) => Object.assign(new FakeElement(), changed) as unknown as EventTarget
const anInput = (type: string) => anElement({ tagName: 'INPUT', type })

beforeAll(() => void vi.stubGlobal('HTMLElement', FakeElement))
afterAll(() => void vi.unstubAllGlobals())

test.each(['text', 'search', 'number', 'email', 'password', 'tel', 'date'])(
  'a field for %s takes keyboard input',
  (type) => {
    expect(isTyping(anInput(type))).toBe(true)
  },
)

test('text areas, selects and editable elements take typed letters', () => {
  const all = [{ tagName: 'TEXTAREA' }, { tagName: 'SELECT' }, { isContentEditable: true }]
  expect(all.map((one) => isTyping(anElement(one)))).toEqual([true, true, true])
})

test.each(['checkbox', 'radio', 'button', 'submit', 'file', 'range'])(
  'an input of type %s leaves shortcuts active',
  (type) => {
    expect(isTyping(anInput(type))).toBe(false)
  },
)

test('other elements take no typed letters', () => {
  expect([anElement({ tagName: 'BUTTON' }), anElement({}), null].map(isTyping)).toEqual([false, false, false])
})
