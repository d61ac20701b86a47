/** Why a secret is easy to guess: the first reason that applies. */
export type SecretWeakness = 'short' | 'wellKnown' | 'repeated' | 'words'

const shortest = 32
/** Words of examples and of this product, which may never protect anything real. */
const wellKnownWords = ['secret', 'changeme', 'change-me', 'gettone', 'password', 'development', 'default', 'qwerty']

/** A random secret of 32 hexadecimal digits has some 125 bits by this count; a guesser gives up far below. */
const leastBits = 96
/** Texts of European languages have every second pair of letters among these, random letters one in fourteen. */
const commonPairs = new Set(
  (
    'th he in er an re nd on en at ou ed ha to or it is hi es ng te st ar nt ti se ve as al me de le ri ro ne ea li ra co ' +
    'ic el la io ch di si ma om ce ll tr ei ie sc ge be un da do no ta'
  ).split(' '),
)
const shareOfText = 0.38
/** The share of characters that start a pair; at most a third in random mixed-case text. */
const shareOfPairs = 0.5

/** Whether a secret may protect a deployment; null when nothing is wrong with it. */
export function weaknessOf(secret: string): SecretWeakness | null {
  if (secret.length < shortest) return 'short'
  if (wellKnownWords.some((word) => secret.toLowerCase().includes(word))) return 'wellKnown'
  if (new Set(secret).size < 8 || newCharacters(secret) * bitsPerCharacter(secret) < leastBits) return 'repeated'
  return readsLikeText(secret) ? 'words' : null
}

/** Bits of one random character of this alphabet. */
function bitsPerCharacter(secret: string): number {
  const kinds: [RegExp, number][] = [
    [/^\d+$/, 10],
    [/^[\da-f]+$/i, 16],
    [/^[a-z]+$|^[A-Z]+$/, 26],
    [/^[a-z\d]+$|^[A-Z\d]+$/, 36],
  ]
  return Math.log2(kinds.find(([kind]) => kind.test(secret))?.[1] ?? 64)
}

/** Characters that neither continue a sequence (`aaa`, `abc`, `321`) nor repeat three or more earlier characters. */
function newCharacters(secret: string): number {
  const text = secret.toLowerCase()
  const stepAt = (index: number) => text.charCodeAt(index) - text.charCodeAt(index - 1)
  let count = 0
  for (let index = 0; index < text.length; index++) {
    const isStep = index >= 2 && Math.abs(stepAt(index)) <= 1 && stepAt(index) === stepAt(index - 1)
    const isRepeat = index >= 3 && text.slice(0, index).includes(text.slice(index - 2, index + 1))
    if (!isStep && !isRepeat) count++
  }
  return count
}

/** Capitals begin words; one after a small letter parts two of them, as in random characters it often does. */
function readsLikeText(secret: string): boolean {
  const runs = secret.match(/[A-Z]?[a-z]+|[A-Z]{2,}/g) ?? []
  const pairs = runs.flatMap((run) =>
    Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2).toLowerCase()),
  )
  const common = pairs.filter((pair) => commonPairs.has(pair)).length
  // A few pairs between digits and capitals prove nothing.
  return pairs.length >= secret.length * shareOfPairs && common / pairs.length >= shareOfText
}
