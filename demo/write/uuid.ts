import type { Random } from '#simulator/random.ts'

const hex = Array.from({ length: 65_536 }, (_, value) => value.toString(16).padStart(4, '0'))
const word = (random: Random) => hex[Math.floor(random.next() * 65_536)] ?? '0000'

/** A UUIDv7 of an instant with a random part from the seed, so that the demo's ids are the same in every run. */
export function uuidAt(at: number, random: Random): string {
  const time = Math.floor(at)
  const high = Math.floor(time / 0x1_0000_0000)
  const low = time % 0x1_0000_0000
  const version = hex[0x7000 | Math.floor(random.next() * 4096)] ?? '7000'
  const variant = hex[0x8000 | Math.floor(random.next() * 16_384)] ?? '8000'
  return `${hex[high]}${hex[Math.floor(low / 65_536)]}-${hex[low % 65_536]}-${version}-${variant}-${word(random)}${word(random)}${word(random)}`
}
