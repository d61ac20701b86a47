import { expect, test } from 'vitest'
import { isSimplePin } from './pin.ts'

test.each(['00000000', '12121212', '11112222', '12345678', '87654321', '24680246', '19871987'])(
  '%s is simple',
  (pin) => {
    expect(isSimplePin(pin)).toBe(true)
  },
)

test.each(['40271958', '00042713', '10293847'])('%s is not', (pin) => {
  expect(isSimplePin(pin)).toBe(false)
})
