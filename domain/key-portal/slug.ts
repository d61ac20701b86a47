/* Addresses from names: `Caffè Duomo & figli` is `caffe-duomo-figli`. */

/** Letters that Unicode does not decompose. */
const latin: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'dj',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ŋ: 'ng',
}
/** Cyrillic of Russian, Ukrainian, Bulgarian and Serbian, as passports of these countries write it, simplified. */
const cyrillic: Record<string, string> = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  ґ: 'g',
  д: 'd',
  ђ: 'dj',
  ѓ: 'gj',
  е: 'e',
  є: 'ye',
  ж: 'zh',
  з: 'z',
  ѕ: 'dz',
  и: 'i',
  і: 'i',
  ј: 'j',
  к: 'k',
  л: 'l',
  љ: 'lj',
  м: 'm',
  н: 'n',
  њ: 'nj',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  ћ: 'c',
  ќ: 'kj',
  у: 'u',
  ф: 'f',
  х: 'h',
  ц: 'ts',
  ч: 'ch',
  џ: 'dz',
  ш: 'sh',
  щ: 'shch',
  ъ: '',
  ы: 'y',
  ь: '',
  э: 'e',
  ю: 'yu',
  я: 'ya',
}
const greek: Record<string, string> = {
  α: 'a',
  β: 'v',
  γ: 'g',
  δ: 'd',
  ε: 'e',
  ζ: 'z',
  η: 'i',
  θ: 'th',
  ι: 'i',
  κ: 'k',
  λ: 'l',
  μ: 'm',
  ν: 'n',
  ξ: 'x',
  ο: 'o',
  π: 'p',
  ρ: 'r',
  σ: 's',
  ς: 's',
  τ: 't',
  υ: 'y',
  φ: 'f',
  χ: 'ch',
  ψ: 'ps',
  ω: 'o',
}
const spelled: Record<string, string> = { ...latin, ...cyrillic, ...greek }

/**
 * A name as a part of an address: lower-case letters, digits and single hyphens, `longest` characters at most. Empty if no letter of the
 * name has a Latin spelling here.
 */
export function slugOf(name: string, longest = 60): string {
  const letters = [...name.toLowerCase().normalize('NFD')].map((letter) => spelled[letter] ?? letter).join('')
  const words = letters
    .replace(/\p{M}/gu, '')
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  if (words.length <= longest) return words
  const cut = words.slice(0, longest + 1)
  // Cuts between words where the last word is not most of it.
  const end = cut.lastIndexOf('-')
  return (end > longest / 2 ? cut.slice(0, end) : words.slice(0, longest)).replace(/-$/, '')
}
