import { expect, test } from 'vitest'
import { type BytePort, withoutEcho } from './byte-port.ts'

function aPort() {
  let deliver = (_: Uint8Array) => {}
  const port: BytePort = {
    write: () => {},
    setRate: async () => {},
    listen: (received) => {
      deliver = received
    },
    close: async () => {},
  }
  const heard: number[] = []
  const quiet = withoutEcho(port)
  quiet.listen(
    (bytes) => heard.push(...bytes),
    () => {},
  )
  return { quiet, heard, arrive: (...bytes: number[]) => deliver(Uint8Array.from(bytes)) }
}

test('what a port sent and hears again is left out, in whatever pieces it arrives', () => {
  const { quiet, heard, arrive } = aPort()
  quiet.write(Uint8Array.of(1, 2, 3))
  arrive(1)
  arrive(2, 3, 9)
  arrive(8)
  expect(heard).toEqual([9, 8])
})

test('an answer that is no echo is heard, and later echoes too', () => {
  const { quiet, heard, arrive } = aPort()
  quiet.write(Uint8Array.of(1, 2))
  arrive(1, 7)
  arrive(2)
  expect(heard).toEqual([7, 2])
})
