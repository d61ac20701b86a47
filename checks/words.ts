/** A turn that English of this project avoids, and what to write instead. */
export type Turn = { turn: RegExp; instead: string }

/** For portal, mail, docs, comments and test titles alike. */
export const bannedTurns: readonly Turn[] = [
  { turn: /\b(?:told|tells?)\b/, instead: 'sent, shown, reported, notified' },
  { turn: /\bstands?\b(?! for)|\bstood\b/, instead: 'is, lies in' },
  { turn: /\basked (?:for|to|of)\b|\b(?:is|are|was|been) asked\b/, instead: 'requested, queried' },
  { turn: /\blook(?:s|ed|ing)? (?:at|again)\b|\banother look\b/, instead: 'check, view' },
  { turn: /\b(?:is|are|was|were|been|be) made\b|\bmade (?:by|at|here)\b/, instead: 'created' },
  {
    turn: /\bcomes? in\b|\bcame in\b|\bcome back\b|\bgoes (?:on|to)\b|\bwent on\b|\bgo on\b/,
    instead: 'arrives, continues, starts',
  },
  { turn: /\bby (?:itself|themselves)\b/, instead: 'automatically' },
  { turn: /\b(?:no longer|any ?more)\b/, instead: 'stop, or say what holds now' },
  { turn: /\b(?:whoever|whichever)\b/i, instead: 'name the user or thing' },
  { turn: /\bones?,? (?:that|which|who)\b|\bthe ones\b|\bthose (?:that|who|to come)\b/, instead: 'name the thing' },
  { turn: /\b(?:anew|of now|by now|as (?:it|they) (?:was|were)|as (?:it|they) stands?)\b/, instead: 'name the state' },
  { turn: /\bin all\b(?! )|\bin all[.,]/, instead: 'in total' },
  { turn: /\ball the same\b|\bso grave\b/, instead: 'anyway, or leave it out' },
  { turn: /\bwants? (?:emptying|to be)\b/, instead: 'to collect, to be done' },
  { turn: /\b(?:shall|ought to)\b/, instead: 'must, will' },
  { turn: /\bheard (?:of|from)\b|\bnot heard\b/, instead: 'last seen, offline' },
  { turn: /\b(?:at most|at least)$/, instead: 'Maximum …, Minimum …' },
  { turn: /\bSomebody|\b[Nn]obody\b|\b[Ee]verybody\b/, instead: 'another user, no one, everyone' },
]

/** How a summary of a call begins: “List machines”. */
export const imperatives: ReadonlySet<string> = new Set([
  'Accept',
  'Acknowledge',
  'Add',
  'Allow',
  'Assign',
  'Cancel',
  'Change',
  'Check',
  'Clear',
  'Comment',
  'Compare',
  'Count',
  'Create',
  'Delete',
  'Download',
  'Draft',
  'End',
  'Export',
  'Generate',
  'Get',
  'Hide',
  'Import',
  'List',
  'Log',
  'Map',
  'Mark',
  'Remove',
  'Rename',
  'Replay',
  'Resend',
  'Reset',
  'Revoke',
  'Rotate',
  'Save',
  'Send',
  'Set',
  'Show',
  'Start',
  'Stream',
  'Trigger',
  'Turn',
  'Undo',
  'Update',
  'Activate',
  'Block',
  'Book',
  'Close',
  'Confirm',
  'Deactivate',
  'Erase',
  'Move',
  'Refuse',
  'Refund',
  'Register',
  'Renew',
  'Unassign',
  'Unblock',
])

/** Phrases that contain a refused term and are right all the same: titles, and terms of another thing. */
const allowedPhrases: Record<string, readonly string[]> = {
  en: ['bill validator', 'contact person'],
  it: ['persona di contatto', 'fermo macchina'],
  de: [],
  es: ['persona de contacto'],
  fr: ['personne à contacter', 'personne de contact'],
  pt: ['pessoa de contacto'],
}

export const turnsIn = (sentence: string) => bannedTurns.filter(({ turn }) => turn.test(sentence))

/** The words that `language/terms.md` refuses, by language: the second table, whose cells list words with commas. */
export function refusedTerms(terms: string): Map<string, string[]> {
  const [, table = ''] = terms.split('## Do not use')
  const [head = [], , ...rows] = table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const languages = head.slice(1)
  return new Map(
    languages.map((language, index) => [
      language,
      rows.flatMap((row) => (row[index + 1] ?? '').split(', ').filter((term) => term !== '')),
    ]),
  )
}

/** The refused terms that a sentence uses, in whatever case. */
export function termsIn(language: string, sentence: string, refused: readonly string[]): string[] {
  const rest = (allowedPhrases[language] ?? []).reduce(
    (text, phrase) => text.replaceAll(new RegExp(phrase, 'giu'), ''),
    sentence.replaceAll(/\{\{.*?\}\}/g, ''),
  )
  return refused.filter((term) => patternOf(term).test(rest))
}

const patternOf = (term: string) => new RegExp(`(?<![\\p{L}-])${term.replaceAll('*', '\\p{L}*')}(?![\\p{L}-])`, 'iu')
