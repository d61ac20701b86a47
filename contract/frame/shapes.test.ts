import { expect, test } from 'vitest'
import { LineText } from './shapes.ts'

test.each([
  ['turned around', 'Atrium \u202Eoibme\u202C', 'Atrium oibme'],
  ['isolated and never ended', '\u2067Lobby', 'Lobby'],
  ['over several lines', 'Atrium\r\n\tfloor 2\u2028left', 'Atrium floor 2 left'],
  ['with half a character', 'Bar \uD83D', 'Bar \uFFFD'],
])('a name %s is stored without direction marks and line breaks', (_, typed, stored) => {
  expect(LineText.parse(typed)).toBe(stored)
})

test.each(['قهوة الصباح', 'בית קפה\u200F 24', 'Caffè 😀👩‍🔧', '=1+1', '<b>Bar</b>'])(
  'the name %s is stored unchanged',
  (name) => {
    expect(LineText.parse(name)).toBe(name)
  },
)
